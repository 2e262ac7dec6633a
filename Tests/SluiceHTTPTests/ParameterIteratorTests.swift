import Testing

@testable import SluiceHTTP

/// RFC 9110 §5.6.6.
@Suite struct ParameterIteratorTests {
    @Test(arguments: [
        ("", []), (";", []), (";a=b", ["a|b"]), ("; a = b ;c=d", ["a|b", "c|d"]), (";a=\"b;c\";d=e", ["a|b;c", "d|e"]),
        (";a", []), (";=b", []), (";a=", ["a|"]), (";a=\"b\\\";c\"", ["a|b\\\";c"]), (";a=\"b", ["a|\"b"]),
    ])
    func splits(_ text: String, _ parameters: [String]) {
        text.withBytes { bytes in
            var iterator = ParameterIterator(bytes)
            var found: [String] = []
            while let parameter = iterator.next() {
                found.append(String(parameter.name) + "|" + String(parameter.value))
            }
            #expect(found == parameters)
        }
    }
}
