import SluiceContract
import SluiceJSON
import Testing

/// Wanted parts come out byte for byte, wherever the document is cut.
@Suite struct ExtractorTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var path: String
        var document: String
        /// nil is absent.
        var slice: String?
        var testDescription: String { "\(path) of \(document)" }

        init(_ path: String, _ document: String, _ slice: String?) {
            self.path = path
            self.document = document
            self.slice = slice
        }
    }

    static let paths = [
        Case("", #" {"a": [ 1 ,2.50e+1]} "#, #"{"a": [ 1 ,2.50e+1]}"#),
        Case("", "12", "12"),
        Case("", #""x\u00e9é""#, #""x\u00e9é""#),
        Case("a", #"{"b":1,"a":[]}"#, "[]"),
        Case("a", #"{"b":{"a":2},"a":"x"}"#, #""x""#),
        Case("a.b.c", #"{"a":{"x":[{}],"b":{"c":-0.0}}, "z":null}"#, "-0.0"),
        Case("a", #"{"\u0061": true}"#, "true"),
        Case("\"a.b\"", #"{"a":{"b":1},"a.b":2}"#, "2"),
        Case("é", #"{"\u00e9":3}"#, "3"),
        Case("a.1.b", #"{"a":[{"b":1},{"b":2},{"b":3}]}"#, "2"),
        Case("0", "[ 7 , 8 ]", "7"),
        Case("2", "[7,8]", nil),
        Case("0", "[]", nil),
        Case("a", #"{"b":1}"#, nil),
        Case("a", "{}", nil),
        Case("*", "[1, 2 ,3]", "[1,2,3]"),
        Case("*", "[]", "[]"),
        Case("a.*.b", #"{"a":[{"b":1},{"b":null},{"b":[3]}],"z":0}"#, "[1,null,[3]]"),
        Case("a.*.b?", #"{"a":[{"b":1},{"c":2},{"b":[3]}],"z":0}"#, "[1,[3]]"),
        Case("a.*.b?", #"{"a":[{},{"c":2}]}"#, "[]"),
        Case("a.*.b.*.c", #"{"a":[{"b":[{"c":1},{"c":2}]},{"b":[]},{"b":[{"c":"3"}]}]}"#, #"[1,2,"3"]"#),
        Case("a.*.b?.*.c?", #"{"a":[{"b":[{"c":1},{}]},{"x":[]},{"b":null},{"b":[{"c":"3"}]}]}"#, #"[1,"3"]"#),
        Case("*.0?", "[[1,2],[3],[]]", "[1,3]"),
        Case("*.0?.b", #"[[{"b":1}],[null],[]]"#, "[1]"),
        Case("*?.b", #"[{"b":1},null,{"b":2}]"#, "[1,2]"),
        Case("$.a[1].b", #"{"a":[{"b":1},{"b":2},{"b":3}]}"#, "2"),
        Case("a.*", #"{"b":[1]}"#, nil),
    ]

    @Test(arguments: paths)
    func path(_ test: Case) throws {
        let plan = try Plan(test.path)
        let run = Run(plan, test.document)
        #expect(run.faults == [])
        #expect(run.slices == [test.slice ?? ""])
        #expect(run.states == [test.slice == nil ? .absent : .complete])
        #expect(Run.deviations(plan, Array(test.document.utf8)) == [])
    }

    @Test(arguments: [
        ("a.b", #"{"a":1}"#, "$.a", "object", "number 1", 5),
        ("a.b", #"{"a":[1]}"#, "$.a", "object", "array", 5),
        ("a.0", #"{"a":{"0":1}}"#, "$.a", "array", "object", 5),
        ("a.*.b", #"{"a":[{"b":1},"x"]}"#, "$.a[1]", "object", #"string "x""#, 14),
        ("a", "null", "$", "object", "null", 0),
        ("a", #"{"a":1,"a":2}"#, "$.a", "the key once", "the key again", 7),
        ("a", #"{"a":1,"\u0061":2}"#, "$.a", "the key once", "the key again", 7),
    ])
    func wrongTurn(
        _ path: String, _ document: String, _ name: String, _ expected: String, _ found: String, _ offset: Int
    ) throws {
        let plan = try Plan(path)
        let run = Run(plan, document)
        let fault = Problem.Fault(
            name: name, location: "response", expected: expected, found: found, offset: offset)
        #expect(run.faults == [fault])
        #expect(!run.isSyntax)
        #expect(Run.deviations(plan, Array(document.utf8)) == [])
    }

    /// What is missing under a `*` is drift, unless the path says that it may be.
    @Test(
        arguments: [
            ("*.b", .array(.int), #"[{"b":1},{"c":2}]"#, "$[1]", #""b": Int"#, "an object without it"),
            ("*.b", nil, #"[{"b":1},{}]"#, "$[1]", #""b": JSON"#, "an object without it"),
            ("*.b.c?", .array(.int), #"[{"b":{}},{"c":2}]"#, "$[1]", #""b": object"#, "an object without it"),
            ("*.b?.c", .array(.int), #"[{},{"b":{}}]"#, "$[1].b", #""c": Int"#, "an object without it"),
            ("*.b.*", .array(.int), #"[{"b":[1]},{}]"#, "$[1]", #""b": array"#, "an object without it"),
            ("*.1", .array(.int), "[[1,2],[1]]", "$[1]", "[1]: Int", "an array without it"),
            ("*.b.c", .array(.int), #"[{"b":null}]"#, "$[0].b", "object", "null"),
            ("*.b.c", .optional(.array(.int)), #"[{"b":null}]"#, "$[0].b", "object", "null"),
            ("*.b", .array(.int), #"[{"b":null}]"#, "$[0].b", "Int", "null"),
            ("*.b.c?", .array(.int), #"[{"b":{"c":null}},{"b":null}]"#, "$[1].b", "object", "null"),
            ("*.b", .array(.int), "[null]", "$[0]", "object", "null"),
        ] as [(String, TypeExpression?, String, String, String, String)])
    func missingUnderAStar(
        _ path: String, _ type: TypeExpression?, _ document: String, _ name: String, _ expected: String, _ found: String
    ) throws {
        let plan = try Plan(path, type)
        let run = Run(plan, document)
        #expect(run.faults.map { [$0.name, $0.expected, $0.found] } == [[name, expected, found]])
        #expect(Run.deviations(plan, Array(document.utf8)) == [])
    }

    /// Null is a value where the type has room for it.
    @Test func nullUnderAStar() throws {
        let run = Run(try Plan("*.b?", .array(.optional(.int))), #"[{"b":1},{"b":null},{}]"#)
        #expect(run.faults == [])
        #expect(run.slices == ["[1,null]"])
    }

    @Test func nullOnTheWayIsAbsentForAnOptional() throws {
        let run = Run(try Plan("a.b", .optional(.int)), #"{"a":null}"#)
        #expect(run.faults == [])
        #expect(run.states == [.absent])
    }

    @Test func severalSlicesOverlap() throws {
        func extraction(_ path: String, _ type: TypeExpression?) throws -> Extraction {
            Extraction(path: try #require(FieldPath(path)), type: type)
        }
        let plan = try Plan(
            [
                Extraction(), extraction("values", .array(.named("Fruit"))),
                extraction("values.*.name", .array(.string)), extraction("values.1", nil), extraction("next", .int),
                extraction("values.0", .fields(.init("size", .int), unknown: .drop)),
            ], types: fruitTypes)
        let fruits = [
            #"{"name":"fig", "size":3,"color":"green","ripe":false}"#, #"{"color":"red","size":4,"name":"a\"b"}"#,
        ]
        let document = #"{"values":[\#(fruits.joined(separator: " , "))],"next":2}"#
        let run = Run(plan, document)
        #expect(run.faults == [])
        #expect(run.states == Array(repeating: .complete, count: 6))
        let ripe = fruits[1].dropLast() + #","ripe":true}"#
        #expect(
            run.slices == [
                document, "[\(fruits[0]) , \(ripe)]", #"["fig","a\"b"]"#, fruits[1], "2", #"{"size":3}"#,
            ])
        #expect(Run.deviations(plan, Array(document.utf8)) == [])
    }

    @Test func aFaultOfOneSliceIsNotAnothers() throws {
        let plan = try Plan(
            [
                Extraction(path: try #require(FieldPath("a")), type: .int),
                Extraction(path: try #require(FieldPath("b")), type: .int),
            ], types: [])
        let extractor = Extractor(plan)
        let document = Array(#"{"a":"x","b":2}"#.utf8)
        document.withUnsafeBytes { extractor.feed($0) }
        extractor.finish()
        #expect(extractor.isFailed(slice: 0))
        #expect(!extractor.isFailed(slice: 1))
        #expect(extractor.faults(of: 0).count == 1)
        #expect(extractor.faults(of: 1) == [])
        #expect(!extractor.isSatisfied)
    }

    @Test func isSatisfiedBeforeTheEnd() throws {
        let plan = try Plan("a.b", .int)
        let extractor = Extractor(plan)
        Array(#"{"a":{"b":1"#.utf8).withUnsafeBytes { extractor.feed($0) }
        #expect(!extractor.isSatisfied)
        Array(" ".utf8).withUnsafeBytes { extractor.feed($0) }
        #expect(extractor.isSatisfied)
    }

    /// An array that ends too soon is proof that there is nothing for the slice whose path leads through it, and for no
    /// other one.
    @Test func anArrayThatEndsTooSoonSettlesItsSlice() throws {
        let paths = try ["a", "b.2", "c"].map { try #require(FieldPath($0)) }
        let extractor = Extractor(try Plan(paths.map { Extraction(path: $0) }, types: []))
        func states(after text: String) -> [SliceState] {
            Array(text.utf8).withUnsafeBytes { extractor.feed($0) }
            return paths.indices.map { extractor.state(of: $0) }
        }
        let inside = states(after: #"{"a":1,"b":[1,2"#)
        #expect(inside == [.complete, .pending, .pending])
        let behind = states(after: "], ")
        #expect(behind == [.complete, .absent, .pending])
        #expect(!extractor.isSatisfied)
        let end = states(after: #""c":3,"#)
        #expect(end == [.complete, .absent, .complete])
        #expect(extractor.isSatisfied)
    }

    /// Wherever the document is cut: what stands behind the last slice is no fault, but what stands before it is.
    @Test(arguments: [
        (#"{"a":1,"rest":[1,,]}"#, true), (#"{"a":1,"a":2}"#, true), (#"{"a":1} x"#, true),
        (#"{"a":1,"b":"\x"}"#, true),
        (#"{"b":[1,,],"a":1}"#, false), (#"{"a":"x","rest":[1,,]}"#, false), (#"{"b":{}}"#, true),
        (#"{"b":{},,"#, false), (#"{"a":1-2}"#, false), (#"{"a":01}"#, false), (#"{"a":1.5.2}"#, false),
        (#"{"a":1,"b":1-2}"#, true),
    ])
    func documentEndsEarly(_ document: String, _ isRight: Bool) throws {
        let plan = try Plan(
            [Extraction(path: try #require(FieldPath("a")), type: .optional(.int))], types: [], endsEarly: true)
        for cut in 0...document.utf8.count {
            let run = Run(plan, Array(document.utf8), cuts: [cut])
            #expect(run.faults.isEmpty == isRight, "\(cut): \(run)")
        }
        #expect(Run(plan, Array(document.utf8)).slices == (!isRight ? [] : document.contains("a") ? ["1"] : [""]))
    }

    @Test func bytesPassAsTheyAreProven() throws {
        let extractor = Extractor(try Plan("", .array(.string)))
        let chunk = Array(("[\"" + String(repeating: "long", count: 100)).utf8)
        chunk.withUnsafeBytes { bytes in
            extractor.feed(bytes)
            #expect(extractor.pieces.count == 1)
            #expect(extractor.pieces.first?.base == bytes.baseAddress)
            #expect(extractor.pieces.first?.count == chunk.count)
        }
        // A number that has to be an Int is not proven before it ends.
        extractor.reset(try Plan("", .array(.int)))
        Array("[12".utf8).withUnsafeBytes { bytes in
            extractor.feed(bytes)
            #expect(extractor.pieces.first?.count == 1)
        }
    }
}
