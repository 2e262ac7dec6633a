import Testing

@testable import SluiceConfig

@Suite struct PercentTextTests {
    @Test(arguments: [
        ("", ""), ("abc", "abc"), ("a%20b", "a b"), ("%C3%a9", "é"), ("%41%62", "Ab"), ("a%", nil), ("a%2", nil),
        ("a%2g", nil), ("%zz", nil), ("%FF", nil), ("%C3", nil), ("a+b", "a+b"), ("%25", "%"), ("é", "é"),
    ])
    func decodes(_ text: String, _ expected: String?) {
        #expect(PercentText.decoded(text[...]) == expected)
    }

    @Test(arguments: [
        ("", ""), ("aZ09", "aZ09"), ("a b", "a%20b"), ("é", "%C3%A9"), ("-._~", "%2D%2E%5F%7E"), ("\n", "%0A"),
        ("a:b@c/d", "a%3Ab%40c%2Fd"), ("½²", "%C2%BD%C2%B2"),
    ])
    func encodes(_ text: String, _ expected: String) {
        #expect(PercentText.encoded(text) == expected)
        #expect(PercentText.decoded(expected[...]) == text)
    }
}
