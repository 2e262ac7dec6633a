import SluiceContract
import SluiceJSON
import Testing

@Suite struct JSONPickTests {
    @Test(
        arguments: [
            ("error.message", #"{"error":{"message":"no \"fig\""}}"#, #"no "fig""#),
            ("error.code", #"{"error":{"code":17}}"#, "17"), ("errors.0", #"{"errors":["first","second"]}"#, "first"),
            ("ok", #"{"ok":false}"#, "false"), ("ok", #"{"ok":null}"#, nil), ("ok", #"{"ok":{}}"#, nil),
            ("ok", #"{"ko":1}"#, nil), ("ok", #"{"ok":1"#, nil), ("ok", "", nil), ("ok", "[]", nil),
        ] as [(String, String, String?)])
    func text(_ path: String, _ document: String, _ text: String?) throws {
        let path = try #require(FieldPath(path))
        Array(document.utf8).withUnsafeBytes { #expect(JSONPick.text(at: path, in: $0) == text) }
    }

    @Test func wholeNumber() throws {
        let path = FieldPath(components: [])
        Array("17".utf8).withUnsafeBytes { #expect(JSONPick.text(at: path, in: $0) == "17") }
    }
}
