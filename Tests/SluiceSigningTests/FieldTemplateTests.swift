import Testing

@testable import SluiceSigning

@Suite struct FieldTemplateTests {
    @Test(arguments: [
        ("x", [FieldTemplate.Piece.text(Array("x".utf8))]), ("{date}", [.placeholder(.date)]),
        ("{key-id}{nonce}", [.placeholder(.keyID), .placeholder(.nonce)]),
        ("a{body-hash}b}", [.text([0x61]), .placeholder(.bodyHash), .text(Array("b}".utf8))]),
    ])
    func pieces(template: String, pieces: [FieldTemplate.Piece]) throws {
        #expect(try FieldTemplate(template).pieces == pieces)
    }

    @Test(arguments: ["", " a", "a ", "a\tb", "a\u{7f}", "é"])
    func noValues(text: String) {
        #expect(throws: HTTPSignatureHMACError.unsendable(text)) { try FieldTemplate(text) }
    }

    @Test(arguments: [("X-A", true), ("a!#$%&'*+-.^_`|~1", true), ("", false), ("a:", false), ("a b", false)])
    func names(text: String, isName: Bool) {
        #expect(FieldTemplate.isName(text.utf8) == isName)
    }
}
