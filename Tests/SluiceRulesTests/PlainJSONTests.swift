import Testing

@testable import SluiceRules

@Suite struct PlainJSONTests {
    @Test(arguments: [
        ("true", "true"), ("null", "null"), ("~", "null"), ("", "null"), ("1", "1"), ("-0.5e+3", "-0.5e+3"),
        ("yes", nil), ("01", nil), ("1.", nil), ("-", nil), ("1e", nil), ("0x1", nil), ("True", nil), (".5", nil),
    ])
    func knowsLiterals(_ text: String, _ literal: String?) {
        #expect(PlainJSON.literal(text) == literal)
    }

    /// RFC 8259 §7.
    @Test(arguments: [
        ("a", "\"a\""), ("\"\\", "\"\\\"\\\\\""), ("\n\r\t", "\"\\n\\r\\t\""), ("\u{01}\u{1F}", "\"\\u0001\\u001f\""),
        ("ä😀", "\"ä😀\""),
        // YAML 1.2 §5.1, §5.4.
        ("\u{7F}\u{85}\u{2028}\u{FEFF}", "\"\\u007f\\u0085\\u2028\\ufeff\""), ("\u{1FFFE}", "\"\u{1FFFE}\""),
    ])
    func writesStrings(_ text: String, _ json: String) {
        #expect(PlainJSON.string(text) == json)
    }
}
