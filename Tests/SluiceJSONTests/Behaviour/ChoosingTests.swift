import SluiceContract
import SluiceJSON
import Testing

/// Elements that are chosen, and objects that are put together: the same whole and cut anywhere, with every kernel.
@Suite struct ChoosingTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var path = ""
        var type: TypeExpression?
        var document: String
        /// The slice; nil where its path leads nowhere.
        var value: String?
        /// Names of the faults with what was expected.
        var faults: [String] = []

        var testDescription: String { "\(path) \(type.map { "\($0)" } ?? "") in \(document)" }
    }

    private static func part(
        _ name: String, _ type: TypeExpression, _ path: String, default json: String? = nil, mayBeAbsent: Bool = false
    ) -> ObjectType.Field {
        var field = ObjectType.Field(name, type, default: json)
        field.source = FieldPath(path).map { .path($0) }
        field.mayBeAbsent = mayBeAbsent
        return field
    }

    static let long = String(repeating: "x", count: 90)

    static let elements: [Case] = [
        Case(path: "[-1]", document: "[1,2, 3 ]", value: "3"),
        Case(path: "[-1]", document: "[]", value: nil),
        Case(path: "a[-1].id", type: .int, document: #"{"a":[{"id":1},{"id":2}],"b":0}"#, value: "2"),
        Case(path: "a[-1].id", type: .int, document: #"{"a":[{"id":"x"},{"id":2}]}"#, value: "2"),
        Case(
            path: "a[-1].id", type: .int, document: #"{"a":[{"id":1},{"id":"x"}]}"#, value: nil,
            faults: ["$.a[1].id: Int@21"]),
        Case(path: "a[-1].id", type: .optional(.int), document: #"{"a":[{"id":1},{}]}"#, value: nil),
        Case(path: "a[-1][-1]", document: "{\"a\":[[1],[2,[3]]]}", value: "[3]"),
        Case(path: "a[-1]", type: .int, document: "{\"a\":null}", value: nil, faults: ["$.a: array@5"]),
        Case(path: "a[-1]", type: .optional(.int), document: "{\"a\":null}", value: nil),
        Case(
            path: #"a[?kind=="x"].url"#, type: .string,
            document: #"{"a":[{"kind":"y","url":"1"},{"url":"2","kind":"x"},{"kind":"x","url":"3"}]}"#, value: #""2""#),
        Case(path: #"a[?kind=="x"].url"#, document: #"{"a":[{"kind":"y","url":"1"},4,"x",[],null]}"#, value: nil),
        Case(path: #"a[?kind=="x"].url"#, document: #"{"a":[{"kind":"\u0078","url":"1"}]}"#, value: #""1""#),
        Case(
            path: #"a[?kind=="x"].n"#, type: .int, document: #"{"a":[{"kind":"y","n":1},{"kind":"x","n":"2"}]}"#,
            value: nil, faults: ["$.a[1].n: Int@41"]),
        Case(path: "[?meta.id==7].n", document: #"[{"meta":{"id":"7"},"n":1},{"meta":{"id":7.0},"n":2}]"#, value: "2"),
        Case(
            path: "[?on==true].n",
            document: #"[{"on":"true","n":1},{"on":false,"n":2},{"on":true,"n":3}]"#,
            value: "3"),
        Case(path: "[?@==\"b\"]", document: #"["a","b"]"#, value: #""b""#),
        Case(path: "[?tags[0]=='t'].n", document: #"[{"tags":["s"],"n":1},{"tags":["t"],"n":[2]}]"#, value: "[2]"),
        Case(path: "*.l[-1].n", document: #"[{"l":[{"n":1}]},{"l":[{"n":2},{"n":3}]}]"#, value: "[1,3]"),
        Case(
            path: "*.l[-1].n", type: .array(.int), document: #"[{"l":[{"n":1}]},{"l":[]}]"#, value: nil,
            faults: ["$[1].l: [-1]: object@22"]),
        Case(path: "*.l[-1]?.n", type: .array(.int), document: #"[{"l":[{"n":1}]},{"l":[]}]"#, value: "[1]"),
        Case(
            path: "*.l[-1].t.*", document: #"[{"l":[{"t":[1,2]}]},{"l":[{"t":[]}]},{"l":[{"t":[3]}]}]"#,
            value: "[1,2,3]"),
        Case(path: "[-1].t.*", type: .array(.int), document: #"[{"t":[1]},{"t":[1,2]}]"#, value: "[1,2]"),
        Case(path: "*.*.n", document: #"[[{"n":1},{"n":2}],[],[{"n":3}]]"#, value: "[1,2,3]"),
        Case(
            path: "items[*].tags[*]", document: #"{"items":[{"tags":["a","b"]},{"tags":[]},{"tags":["c"]}]}"#,
            value: #"["a","b","c"]"#),
        Case(
            path: "a[-1].s", document: "{\"a\":[{\"s\":\"\(long)\"},{\"s\":\"\(long)y\"}],\"z\":[1]}",
            value: "\"\(long)y\""),
    ]

    static let objects: [Case] = [
        Case(
            type: .fields(part("user", .fields(.init("name", .string)), "data.me"), part("total", .int, "meta.count")),
            document: #"{"meta":{"count":2,"x":[1]},"data":{"me":{"name":"a"},"y":{}},"more":1}"#,
            value: #"{"total":2,"user":{"name":"a"}}"#),
        Case(
            type: .fields(part("city", .string, "address.city"), .init("id", .int)),
            document: #"{"id": 1 ,"address":{"city" : "Ulm"}}"#, value: #"{"id":1,"city":"Ulm"}"#),
        Case(
            path: "list",
            type: .array(.fields(.init("id", .int), part("city", .optional(.string), "address.city"))),
            document: #"{"list":[{"id":1,"address":null},{"address":{"city":"Ulm"},"id":2},{"id":3}]}"#,
            value: #"[{"id":1},{"city":"Ulm","id":2},{"id":3}]"#),
        Case(
            type: .fields(part("n", .int, "a.b.c"), part("m", .int, "a.b.d", default: "7")),
            document: #"{"a":{"b":{"c":1}}}"#, value: #"{"n":1,"m":7}"#),
        Case(
            type: .fields(part("n", .int, "a.b"), part("m", .string, "a.c")), document: #"{"a":{"c":1}}"#, value: nil,
            faults: ["$.a.c: String@10", "$: a.b: Int@0"]),
        Case(
            type: .fields(part("n", .int, "a.b", mayBeAbsent: true)), document: #"{"a":{}}"#, value: "{}"),
        Case(
            type: .fields(part("n", .int, "a.b", mayBeAbsent: true)), document: #"{"a":{"b":null}}"#, value: nil,
            faults: ["$.a.b: Int@10"]),
        Case(
            type: .fields(part("n", .int, "a.b")), document: #"{"a":null}"#, value: nil,
            faults: ["$.a: object@5"]),
        // What has a fault is not missing as well, and neither is another field from there; what is missing is.
        Case(
            type: .fields(part("n", .int, "a.b"), part("m", .int, "a.c"), part("o", .int, "d.e")),
            document: #"{"a":7,"d":{}}"#, value: nil, faults: ["$.a: object@5", "$: d.e: Int@0"]),
        Case(
            type: .fields(part("n", .int, "a.b.c"), part("m", .array(.int), "d.*.e")),
            document: #"{"a":{"b":true},"d":"x"}"#, value: nil, faults: ["$.a.b: object@10", "$.d: array@20"]),
        Case(
            type: .fields(part("last", .int, "a[-1]"), part("first", .int, "a[0]")), document: #"{"a":[1,2,"x"]}"#,
            value: nil, faults: ["$.a[2]: Int@10"]),
        Case(
            type: .array(.fields(part("x", .int, #"a[?k=="x"].n"#), part("y", .int, "b[-1]"))),
            document: #"[{"a":[{"k":"x","n":"1"}],"b":[]}]"#, value: nil,
            faults: ["$[0].a[0].n: Int@20", "$[0]: b[-1]: Int@1"]),
        Case(
            type: .fields(part("names", .array(.string), "l.*.name"), part("last", .int, "m[-1].id")),
            document: #"{"l":[{"name":"a"},{"name":"b"}],"m":[{"id":1},{"id":2}]}"#,
            value: #"{"names":["a","b"],"last":2}"#),
        Case(
            type: .fields(
                part("last", .int, "m[-1].id"), part("name", .string, "m[-1].name"), part("first", .int, "m[0].id"),
                part("home", .string, #"m[?kind=="home"].name"#)),
            document: #"{"m":[{"id":1,"name":"a"},{"id":2,"name":"b","kind":"home"},{"id":3,"name":"c"}]}"#,
            value: #"{"first":1,"home":"b","last":3,"name":"c"}"#),
        Case(
            type: .fields(
                part(
                    "inner", .array(.fields(part("x", .int, "p.q"), part("y", .array(.int), "r.*"))), "a.list"),
                part("z", .converted(.int, .string), "b.c")),
            document: #"{"a":{"list":[{"p":{"q":1},"r":[]},{"r":[2,3],"p":{"q":4}}]},"b":{"c":5}}"#,
            value: #"{"inner":[{"x":1,"y":[]},{"y":[2,3],"x":4}],"z":"5"}"#),
        Case(
            type: .fields(part("n", .int, "a.b")), document: #"{"a":{"b":1},"a":{"b":2}}"#, value: nil,
            faults: ["$.a: the key once@13"]),
        Case(
            type: .fields(part("text", .string, "a.b")), document: "{\"a\":{\"b\":\"\(long)\\n\(long)\"}}",
            value: "{\"text\":\"\(long)\\n\(long)\"}"),
        Case(
            type: .union([
                .fields(.init("kind", .literals(["x"])), part("n", .int, "a.n")),
                .fields(.init("kind", .literals(["y"]))),
            ]), document: #"{"a":{"n":1},"kind":"x"}"#, value: #"{"n":1,"kind":"x"}"#),
    ]

    @Test(arguments: elements + objects) func takesWhatIsMeant(_ wanted: Case) throws {
        for unknown in [UnknownKeys.pass, .drop, .reject] where unknown != .reject || wanted.path.isEmpty {
            if unknown == .reject, wanted.type.map({ "\($0)".contains("{name: String}") }) == true { continue }
            let plan = try Plan(wanted.path, wanted.type, unknown: unknown)
            let run = Run(plan, wanted.document)
            #expect(run.faults.map { "\($0.name): \($0.expected)@\($0.offset ?? -1)" } == wanted.faults)
            if wanted.faults.isEmpty {
                #expect(run.slices == [wanted.value ?? ""])
                #expect(run.states == [wanted.value == nil ? .absent : .complete])
            }
            #expect(Run.deviations(plan, Array(wanted.document.utf8)) == [])
        }
    }

    /// Faults of a chosen element are of the same kind as elsewhere, and keys that are data are no part of their place.
    @Test(
        arguments: [
            ("a[-1]", .fields(.init("n", .int)), #"{"a":[{"n":1},{}]}"#, "$.a[1]", nil, .missing),
            (
                #"a[?k=="x"]"#, .fields(.init("k", .string), unknown: .reject), #"{"a":[{"k":"x","m":2}]}"#, "$.a[0].m",
                nil, .undeclaredKey
            ),
            ("a[-1]", .dictionary(.int), #"{"a":[{"k":"x"}]}"#, "$.a[0].k", "$.a[0][*]", .value),
            (
                "*.l[-1]", .array(.dictionary(.int)), #"[{"l":[{"k":"x"}]}]"#, "$[0].l[0].k", "$[0].l[0][*]", .value
            ),
        ] as [(String, TypeExpression, String, String, String?, Problem.Fault.Reason)])
    func faultsOfAnElement(
        _ path: String, _ type: TypeExpression, _ document: String, _ name: String, _ place: String?,
        _ reason: Problem.Fault.Reason
    ) throws {
        let plan = try Plan(path, type)
        let faults = Run(plan, document).faults
        #expect(faults.map(\.name) == [name])
        #expect(faults.map(\.place) == [place])
        #expect(faults.map(\.reason) == [reason])
        #expect(Run.deviations(plan, Array(document.utf8)) == [])
    }

    @Test func anElementHasALimit() throws {
        var limits = JSONLimits()
        limits.choiceBytes = 40
        let document = #"{"a":[{"id":1},{"id":2,"text":"\#(Self.long)"}]}"#
        for path in ["a[-1].id", "a[?id==2].id"] {
            let plan = try Plan(path, limits: limits)
            let run = Run(plan, document)
            #expect(run.faults.map(\.name) == ["$.a[1]"])
            #expect(run.faults.first?.expected.hasSuffix("an element of at most 40 bytes") == true)
            #expect(Run.deviations(plan, Array(document.utf8)) == [])
        }
        #expect(Run(try Plan("a[?id==1].id", limits: limits), document).slices == ["1"])
    }

    /// A type that is put together may be part of itself.
    @Test func aTypeIsPartOfItself() throws {
        let type = ObjectType(fields: [
            Self.part("one", .optional(.int), "a.b"), Self.part("two", .optional(.named("T")), "a.c"),
        ])
        let plan = try Plan(
            [Extraction(type: .named("T"))], types: [TypeDefinition(name: "T", type: .object(type))])
        let document = #"{"a":{"c":{"a":{"b":2,"c":{"a":{}}}},"b":1}}"#
        #expect(Run(plan, document).slices == [#"{"two":{"one":2,"two":{}},"one":1}"#])
        #expect(Run.deviations(plan, Array(document.utf8)) == [])
    }

    /// What comes of the head stands in front, also where the object is in an element that is chosen.
    @Test func membersMayLead() throws {
        let type = TypeExpression.fields(Self.part("n", .int, "a.n", mayBeAbsent: true))
        for (path, document) in [("", #"{"a":{"n":1}}"#), ("[-1]", #"[{},{"a":{"n":1}}]"#)] {
            let plan = try Plan(path, type)
            let extractor = Extractor(plan)
            for (lead, value) in [(#""x":2"#, #"{"x":2,"n":1}"#), ("", #"{"n":1}"#)] {
                extractor.reset(plan)
                extractor.lead(Array(lead.utf8), of: 0)
                var found: [UInt8] = []
                Array(document.utf8).withUnsafeBytes { extractor.feed($0) }
                extractor.finish()
                for piece in extractor.pieces { found += UnsafeRawBufferPointer(start: piece.base, count: piece.count) }
                #expect(String(decoding: found, as: UTF8.self) == value)
            }
        }
    }

    @Test func whatCannotBe() throws {
        func error(_ type: TypeExpression, _ direction: Extraction.Direction = .fromUpstream) -> PlanError? {
            do throws(PlanError) {
                _ = try Plan([Extraction(type: type, direction: direction)], types: [])
                return nil
            } catch { return error }
        }
        let parts = [("a", "x.y"), ("b", "x.y.z"), ("c", "x.*.q"), ("d", "x[-1].q"), ("e", "x[0]")]
        let overlapping: Set<String> = ["ab", "ac", "bc", "cd", "ce"]
        for (index, one) in parts.enumerated() {
            for other in parts[(index + 1)...] {
                let type = TypeExpression.fields(
                    Self.part(one.0, .array(.int), one.1), Self.part(other.0, .array(.int), other.1))
                let isOverlap = overlapping.contains(one.0 + other.0)
                #expect((error(type) == .overlap(one.0, other.0)) == isOverlap, "\(one) \(other)")
            }
        }
        #expect(error(.fields(Self.part("a", .int, "*.y"))) == .pathWithoutKey("a"))
        let composed = TypeExpression.fields(Self.part("a", .int, "x.y"))
        #expect(error(composed, .toUpstream) == .composedRequest("object"))
        var endless = ObjectType(fields: [Self.part("a", .optional(.named("T")), "x[-1].y")])
        endless.fields.append(.init("b", .int))
        #expect(throws: PlanError.endlessChoice) {
            try Plan(
                [Extraction(type: .named("T"))], types: [TypeDefinition(name: "T", type: .object(endless))])
        }
    }
}
