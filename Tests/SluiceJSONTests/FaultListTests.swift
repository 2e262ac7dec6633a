import SluiceContract
import SluiceJSON
import Testing

/// Faults name the place, what was expected, and what was found.
@Suite struct FaultListTests {
    @Test(arguments: [
        (#"{"values":[{"size":3.0}]}"#, "$.values[0].size", "Int", "number 3.0", 19),
        (#"{"values":[{"size":1},{"size":"big"}]}"#, "$.values[1].size", "Int", #"string "big""#, 30),
        (#"{"values":[{"size":null}]}"#, "$.values[0].size", "Int", "null", 19),
        (#"{"values":[{"size":true}]}"#, "$.values[0].size", "Int", "bool true", 19),
        (#"{"values":[{"size":[1]}]}"#, "$.values[0].size", "Int", "array", 19),
        (#"{"values":[{"size":{}}]}"#, "$.values[0].size", "Int", "object", 19),
        (#"{"values":[{"size":1},{}]}"#, "$.values[1]", #""size": Int"#, "an object without it", 22),
        (#"{"values":{}}"#, "$.values", "[object]", "object", 10),
    ])
    func typeFault(
        _ document: String, _ name: String, _ expected: String, _ found: String, _ offset: Int
    ) throws {
        let plan = try Plan("values", .array(.fields(.init("size", .int))))
        let run = Run(plan, document)
        let reason: Problem.Fault.Reason = found == "an object without it" ? .missing : .value
        let fault = Problem.Fault(
            name: name, location: "response", expected: expected, found: found, offset: offset, reason: reason)
        #expect(run.faults == [fault])
        #expect(Run.deviations(plan, Array(document.utf8)) == [])
    }

    /// A string that would be read as something else is in quotes.
    @Test(arguments: [
        (TypeExpression.literals(["1", "2"]), "1", #""1" | "2""#), (.literals(["1"]), "1", #""1""#),
        (.open(["true", "red"]), "true", #""true" | red | …"#),
        (.optional(.literals(["-1.5e3", "null", "007"])), "7", #"("-1.5e3" | "null" | "007")?"#),
        (
            .union([.fields(.init("k", .literals(["1"]))), .fields(.init("k", .constant("1")))]), #"{"k":2}"#,
            #""1" | 1"#
        ),
    ])
    func stringsThatLookLikeOtherValues(_ type: TypeExpression, _ document: String, _ expected: String) throws {
        #expect(Run(try Plan("", type), document).faults.map(\.expected) == [expected])
    }

    /// What a client sends under the name of a credential is not repeated; what an upstream sends is.
    @Test(arguments: [(Extraction.Direction.toUpstream, "another string"), (.fromUpstream, #"string "s3cret""#)])
    func credentialsAreNotRepeated(_ direction: Extraction.Direction, _ found: String) throws {
        let plan = try Plan("", .fields(.init("password", .int), .init("name", .int)), direction: direction)
        let run = Run(plan, #"{"password":"s3cret","name":"fig"}"#)
        #expect(run.faults.map(\.found) == [found, #"string "fig""#])
    }

    /// Nor is what stands below: in lists, in lists of lists, in objects.
    @Test(arguments: [
        (#"{"passwords":["s3cret"]}"#, "another string"), (#"{"passwords":["s3cret",[7]]}"#, "another string"),
        (#"{"tokens":[["s3cret"]]}"#, "another string"), (#"{"tokens":[[1,"s3cret"]]}"#, "another string"),
        (#"{"auth":{"user":"s3cret"}}"#, "another string"),
        (#"{"secrets":["s3cret","s3cret"]}"#, "another string again"),
        (#"{"secrets":["a","s3cret","s3cret"]}"#, "another string again"),
        (#"{"names":["fig","fig"]}"#, #"string "fig" again"#),
    ])
    func noneOfWhatStandsUnderACredential(_ document: String, _ found: String) throws {
        let unique = Constraint(range: .init(nil, "10"), isUnique: true)
        let fields: [ObjectType.Field] = [
            .init("passwords", .optional(.array(.int))), .init("tokens", .optional(.array(.array(.int)))),
            .init("auth", .optional(.fields(.init("user", .int)))),
            .init("secrets", .optional(.constrained(.array(.string), unique))),
            .init("names", .optional(.constrained(.array(.string), unique))),
        ]
        let plan = try Plan("", .object(ObjectType(fields: fields)), direction: .toUpstream)
        let faults = Run(plan, document).faults
        #expect(faults.first?.found == found)
        #expect(!faults.contains { $0.found.contains("s3cret") })
        #expect(Run.deviations(plan, Array(document.utf8)) == [])
    }

    /// An element that is there again is shown like any other text, and cut between characters.
    @Test func aRepeatedElementIsCutWithAMark() throws {
        let unique = Constraint(range: .init(nil, "10"), isUnique: true)
        let plan = try Plan("", .constrained(.array(.string), unique))
        let long = String(repeating: "é", count: 33)
        let document = #"["\#(long)","x","\#(long)"]"#
        let shown = #"string "\#(String(repeating: "é", count: 31))… again"#
        #expect(Run(plan, document).faults.map(\.found) == [shown])
        #expect(Run.deviations(plan, Array(document.utf8)) == [])
    }

    /// A name that is cut says so, wherever the document is cut; whole ones of the same beginning do not.
    @Test(
        arguments: [
            (63, "", nil), (64, "", nil), (65, "", "…"), (68, "", "…"), (69, "", "…"), (300, "", "…"), (62, "é", nil),
            (63, "é", "…"), (60, "😀", nil), (62, "😀", "…"), (64, "😀é", "…"), (66, "😀", "…"),
        ] as [(Int, String, String?)])
    func longKeysAreCutWithAMark(_ count: Int, _ end: String, _ mark: String?) throws {
        let key = String(repeating: "k", count: count) + end
        let plan = try Plan("", .array(.dictionary(.int)))
        let document = #"[{"a":1},{"\#(key)":"x"},{"a":1,"\#(key)":[]}]"#
        let shown = mark == nil ? key : String(decoding: key.utf8.prefix(64), as: UTF8.self)
        let name = (mark == nil ? key : shown.filter { $0 != "\u{FFFD}" } + "…")
        let isName = name.utf8.allSatisfy { $0 < 0x80 }
        let component = isName ? ".\(name)" : "[\"\(name)\"]"
        #expect(Run(plan, document).faults.map(\.name) == ["$[1]\(component)", "$[2]\(component)"])
        #expect(Run.deviations(plan, Array(document.utf8)) == [])
        // From the second time on by what was learnt.
        let extractor = Extractor(plan)
        _ = Run(plan, Array(document.utf8), reusing: extractor)
        #expect(Run(plan, Array(document.utf8), reusing: extractor) == Run(plan, document))
    }

    @Test func keysThatAreNoNamesAreQuoted() throws {
        let plan = try Plan("", .dictionary(.dictionary(.int)))
        let run = Run(plan, #"{"a b":{"é\n":"x"},"c":{"d_1":"y"}}"#)
        #expect(run.faults.map(\.name) == [#"$["a b"]["é\n"]"#, "$.c.d_1"])
    }

    /// Whatever escapes the document has, a path has those that it needs; and no half of one where a key is cut.
    @Test(
        arguments: [
            (0, #"q\"te"#, #"$["q\"te"]"#), (0, #"\u0061"#, "$.a"), (0, #"a\/b"#, #"$["a/b"]"#),
            (0, #"\\"#, #"$["\\"]"#),
            (0, #"\ud83d\ude00"#, #"$["😀"]"#), (0, #"\u0001"#, #"$["\u0001"]"#), (0, "", #"$[""]"#),
            (58, #"\u0061"#, "$.KKa"), (59, #"\u0061"#, #"$["KK…"]"#), (63, #"\u0061"#, #"$["KK…"]"#),
            (62, #"\n"#, #"$["KK\n"]"#), (63, #"\n"#, #"$["KK…"]"#), (52, #"\ud83d\ude00"#, #"$["KK😀"]"#),
            (53, #"\ud83d\ude00"#, #"$["KK…"]"#), (58, #"\u0061b"#, #"$["KKa…"]"#), (62, #"\\n"#, #"$["KK\\…"]"#),
            (66, #"\u0061"#, #"$["KK…"]"#), (0, "0", #"$["0"]"#), (0, "1a", "$.1a"), (0, #"b\\s"#, #"$["b\\s"]"#),
        ] as [(Int, String, String)])
    func escapedKeys(_ count: Int, _ end: String, _ name: String) throws {
        let first = String(repeating: "k", count: count)
        let document = #"{"\#(first)\#(end)":"x"}"#
        let plan = try Plan("", .dictionary(.int))
        let expected = name.replacing("KK", with: String(first.prefix(64)))
        #expect(Run(plan, document).faults.map(\.name) == [expected])
        #expect(Run.deviations(plan, Array(document.utf8)) == [])
        // It may be copied into a path.
        if !name.contains("…") {
            let key = try #require(JSONText.unquote("\"\(first)\(end)\""))
            #expect(FieldPath(expected)?.keys == [key])
        }
    }

    @Test func longTextIsCutBetweenCharacters() throws {
        let text = String(repeating: "é", count: 100)
        let plan = try Plan("", .int)
        let run = Run(plan, "\"\(text)\"")
        #expect(run.faults.first?.found == "string \"" + String(repeating: "é", count: 31) + "…")
        #expect(Run.deviations(plan, Array("\"\(text)\"".utf8)) == [])
    }

    @Test func asManyAsAreReported() throws {
        let document = "[" + Array(repeating: "0.5", count: 20).joined(separator: ",") + ",x]"
        let run = Run(try Plan("", .array(.int), reportCount: 3), document)
        #expect(run.faults.map(\.name) == ["$[0]", "$[1]", "$[2]", "$[20]"])
        #expect(run.isSyntax)
    }

    /// Of each slice, and of the document as it comes.
    @Test func asManyOfEachSliceAsAreReported() throws {
        let plan = try Plan(
            [
                Extraction(path: try #require(FieldPath("a")), type: .array(.int)),
                Extraction(path: try #require(FieldPath("n")), type: .int),
            ], types: [], reportCount: 2)
        let extractor = Extractor(plan)
        for _ in 0..<2 {
            extractor.reset(plan)
            Array(#"{"a":["x","x","x"],"n":"x"} x"#.utf8).withUnsafeBytes { extractor.feed($0) }
            extractor.finish()
            #expect(extractor.faults(of: 0).map(\.name) == ["$.a[0]", "$.a[1]", "$"])
            #expect(extractor.faults(of: 1).map(\.name) == ["$.n", "$"])
            #expect(extractor.faults.map(\.name) == ["$.a[0]", "$.a[1]", "$"])
        }
    }

    @Test(arguments: [
        ("", "$", "a JSON value", "nothing at all", 0),
        ("  ", "$", "more of the document", "the document's end", 2),
        ("[1,]", "$[1]", "a JSON value", "\"]\"", 3),
        ("[1 2]", "$", "\",\" or \"]\"", "\"2\"", 3),
        ("[1.]", "$[0]", "a digit", "\"]\"", 3),
        ("[-]", "$[0]", "a digit", "\"]\"", 2),
        ("[01]", "$", "\",\" or \"]\"", "\"1\"", 2),
        ("[1.5.2]", "$", "\",\" or \"]\"", "\".\"", 4),
        ("1.", "$", "more of the document", "the document's end", 2),
        ("[nul]", "$[0]", "null", "\"]\"", 4),
        (#"{"a" 1}"#, "$.a", "\":\"", "\"1\"", 5),
        (#"{"a":1,}"#, "$", "a key in quotes", "\"}\"", 7),
        (#"{"a":1 "b"}"#, "$", "\",\" or \"}\"", "\"\"\"", 7),
        (#"{"a":[}"#, "$.a[0]", "a JSON value", "\"}\"", 6),
        ("1 1", "$", "nothing after the value", "\"1\"", 2), ("00", "$", "nothing after the value", "\"0\"", 1),
        (
            "\u{FEFF}1", "$", "a JSON value",
            "byte 0xEF, as of a byte order mark, which JSON must not have (RFC 8259 §8.1)", 0
        ),
        ("[\u{FEFF}1]", "$[0]", "a JSON value", "byte 0xEF", 1),
        (#"["\x"]"#, "$[0]", #"one of the escapes \" \\ \/ \b \f \n \r \t \uXXXX"#, "\"x\"", 3),
        (#"["\u12g4"]"#, "$[0]", #"one of the escapes \" \\ \/ \b \f \n \r \t \uXXXX"#, "\"g\"", 6),
        (#"["\ud800"]"#, "$[0]", "surrogates in pairs", "\"\"\"", 8),
        (#"["\udc00"]"#, "$[0]", "surrogates in pairs", "\"0\"", 7),
        ("[\"\t\"]", "$[0]", "control characters in strings as escapes", "byte 0x09", 2),
    ])
    func syntaxFault(
        _ document: String, _ name: String, _ expected: String, _ found: String, _ offset: Int
    ) throws {
        let fault = Problem.Fault(name: name, location: "response", expected: expected, found: found, offset: offset)
        let any = JSONTestSuiteTests.looking
        let plan = try Plan([Extraction(type: any)], types: JSONTestSuiteTests.types)
        #expect(Run(plan, document).faults == [fault])
        #expect(Run.deviations(plan, Array(document.utf8)) == [])
        // Where nobody looks, the place is the same and the path ends where looking ended.
        let skipping = try Plan("")
        let run = Run(skipping, document)
        #expect(run.faults.map(\.offset) == [offset])
        #expect(run.faults.map(\.expected) == [expected])
        #expect(Run.deviations(skipping, Array(document.utf8)) == [])
    }

    @Test(
        arguments: [
            ([0x22, 0xC3, 0x22], 1), ([0x22, 0xC0, 0x80, 0x22], 1), ([0x22, 0xED, 0xA0, 0x80, 0x22], 1),
            ([0x22, 0xE2, 0x82, 0x22], 1), ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], 1), ([0x22, 0x80, 0x22], 1),
            ([0x22, 0xF5, 0x80, 0x80, 0x80, 0x22], 1), ([0x22, 0xF0, 0x8F, 0xBF, 0xBF, 0x22], 1),
            ([0x22, 0xC3, 0xA9, 0xFF, 0x22], 3), ([0x22, 0xE0, 0x9F, 0xBF, 0x22], 1),
        ] as [([UInt8], Int)])
    func illFormedUTF8(_ document: [UInt8], _ offset: Int) throws {
        for padding in [0, 1, 15, 16, 40, 100] {
            let padded = [0x22] + Array(repeating: UInt8(ascii: "x"), count: padding) + document.dropFirst()
            let plan = try Plan("", .string)
            let run = Run(plan, padded)
            #expect(run.faults.map(\.expected) == ["UTF-8"])
            #expect(run.faults.map(\.offset) == [offset + padding])
            #expect(Run.deviations(plan, padded) == [])
        }
    }
}
