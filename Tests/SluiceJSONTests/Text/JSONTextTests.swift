import SluiceJSON
import Testing

@Suite struct JSONTextTests {
    @Test(arguments: [
        ("", #""""#), ("a/é", #""a/é""#), ("\"\\", #""\"\\""#),
        ("\u{8}\t\n\u{C}\r\u{1}\u{1F}", #""\b\t\n\f\r\u0001\u001f""#),
    ])
    func quote(_ text: String, _ json: String) {
        #expect(JSONText.quote(text) == json)
        #expect(JSONText.unquote(json) == text)
    }

    @Test(
        arguments: [
            (#""\u0041\u00e9\u20ac\ud83c\udf4e\/""#, "Aé€🍎/"), ("1", nil), (#""\ud800""#, nil), (#""a" "b""#, nil),
            (#""a"#, nil),
        ] as [(String, String?)])
    func unquote(_ json: String, _ text: String?) {
        #expect(JSONText.unquote(json) == text)
    }
}
