import SluiceContract
import SluiceHTTP
import Testing

@testable import SluiceGateway

/// Strings of a document that get another text on their way.
@Suite struct LocalURLEditorTests {
    private static func rule(_ paths: String) throws -> LocalURLRule {
        let binding = try Build.binding("GET /a", to: "fruit /a") {
            $0.localURLs = try paths.split(separator: " ").map { try #require(FieldPath(String($0))) }
        }
        return try #require(LocalURLRule(binding))
    }

    private static func edited(
        _ rule: LocalURLRule, _ document: [UInt8], cuts: [Int], _ local: (String) -> String?
    ) -> String {
        let editor = LocalURLEditor(rule)
        var out = Outbox()
        for (from, to) in zip([0] + cuts, cuts + [document.count]) {
            Array(document[from..<to]).withUnsafeBytes { editor.edit($0, into: &out, local) }
        }
        var bytes: [UInt8] = []
        out.forEachRun { run, _ in bytes += run }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Wherever it is cut.
    @Test(
        arguments: [
            (
                "next", #"{"next": "u", "a": {"next": "u"}, "b": ["u"]}"#,
                #"{"next": "U", "a": {"next": "u"}, "b": ["u"]}"#
            ),
            (
                "a.next b", #"{"b":"u","a":{"x":[{"next":"u"}],"next":"u"},"next":"u"}"#,
                #"{"b":"U","a":{"x":[{"next":"u"}],"next":"U"},"next":"u"}"#
            ),
            (
                "*.u", #"[{"u":"u"},{"v":{"u":"u"},"u":"u"},["u"],"u"]"#,
                #"[{"u":"U"},{"v":{"u":"u"},"u":"U"},["u"],"u"]"#
            ),
            ("a.*.*", #"{"a":[["u","u"],[],["u"]]}"#, #"{"a":[["U","U"],[],["U"]]}"#),
            ("[1] [2].a", #"["u","u",{"a":"u"},"u"]"#, #"["u","U",{"a":"U"},"u"]"#),
            ("a a.b", #"{"a":"u"} {"a":{"b":"u","a":"u"}}"#, #"{"a":"U"} {"a":{"b":"U","a":"u"}}"#),
            (
                "next", #"{"ne\u0078t": "\u0075", "next": null, "next": 7, "next": ["u"]}"#,
                #"{"ne\u0078t": "U", "next": null, "next": 7, "next": ["u"]}"#
            ),
            ("k", #"{"s":"\\\"{[,","k":"u","t":"\\"}"#, #"{"s":"\\\"{[,","k":"U","t":"\\"}"#),
            ("k", #"{"k":"e"}"#, #"{"k":"\"\\\u0001é"}"#),
            ("k", #"{"k":"v","k":"u","kk":"u"}"#, #"{"k":"v","k":"U","kk":"u"}"#),
            // What is no JSON passes.
            ("k", #"}]{"k"u:"u",,]]"x"#, #"}]{"k"u:"U",,]]"x"#), ("k", #"{"k":"\x"}"#, #"{"k":"\x"}"#),
        ])
    func editsWhatPathsName(paths: String, document: String, expected: String) throws {
        let rule = try Self.rule(paths)
        let bytes = Array(document.utf8)
        let local: (String) -> String? = { $0 == "u" ? "U" : $0 == "e" ? "\"\\\u{1}é" : nil }
        #expect(Self.edited(rule, bytes, cuts: [], local) == expected)
        for cut in 1..<bytes.count { #expect(Self.edited(rule, bytes, cuts: [cut], local) == expected, "at \(cut)") }
        #expect(Self.edited(rule, bytes, cuts: Array(1..<bytes.count), local) == expected)
    }

    /// A string that is held has a limit, with its quotes, and passes then: wherever it is cut, or not at all.
    @Test(arguments: [((16 << 10) - 2, true), ((16 << 10) - 1, false), (16 << 10, false), (20 << 10, false)])
    func aLongStringStaysAsItIs(count: Int, isEdited: Bool) throws {
        let rule = try Self.rule("k")
        let long = String(repeating: "u", count: count)
        let document = Array(#"{"k":"\#(long)","k":"u"}"#.utf8)
        let expected = #"{"k":"\#(isEdited ? "U" : long)","k":"U"}"#
        // The third is in front of its last quote.
        let places: [[Int]] = [
            [], [1000], [document.count - 10], Array(stride(from: 1000, to: document.count, by: 1000)),
        ]
        for cuts in places {
            let found = Self.edited(rule, document, cuts: cuts) { _ in "U" }
            #expect(found == expected, "cut at \(cuts.prefix(3))")
        }
    }

    @Test func aLongKeyIsOnNoPath() throws {
        let rule = try Self.rule("k")
        let long = String(repeating: "k", count: 5000)
        let document = Array(#"{"\#(long)":"u","k":"u"}"#.utf8)
        #expect(Self.edited(rule, document, cuts: [3, 7]) { _ in "U" } == #"{"\#(long)":"u","k":"U"}"#)
    }
}
