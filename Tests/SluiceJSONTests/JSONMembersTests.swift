import SluiceContract
import SluiceJSON
import Testing

@Suite struct JSONMembersTests {
    @Test(
        arguments: [
            (#"{"a":"x\u0041","b":7,"c":true,"d":1}"#, ["a": "xA", "b": "7", "c": "true"]),
            (#" {"c":null,"b":{"a":1},"a":[2]} "#, [:]), (#"{"c":"","d":{"a":"y"},"a":"z"}"#, ["a": "z", "c": ""]),
            ("{}", [:]), ("[1]", [:]), ("", [:]), (#"{"a":"x","b":7"#, [:]), (#"{"a":"x"} {}"#, [:]),
            // Which of two is meant nobody knows, so nothing of such an object counts.
            (#"{"a":"x","b":1,"a":"y"}"#, [:]), (#"{"d":"x","b":1,"d":"y"}"#, ["b": "1"]),
        ])
    func texts(document: String, expected: [String: String]) {
        #expect(JSONMembers("a", "b", "c").texts(in: Array(document.utf8)) == expected)
    }

    /// As each key alone is read.
    @Test func agreesWithPicks() throws {
        let document = Array(#"{"b":[1,{"a":2}],"a":-0.5e3,"c":"t\"","a2":1}"#.utf8)
        let texts = JSONMembers("a", "b", "c").texts(in: document)
        for key in ["a", "b", "c"] {
            let path = FieldPath(components: [.key(key)])
            #expect(document.withUnsafeBytes { JSONPick.text(at: path, in: $0) } == texts[key])
        }
    }
}
