import SluiceContract
import Testing

@testable import SluiceJSON

/// Unions of objects: told apart by the value of a key, by keys that are there, or by name.
@Suite struct ObjectPeekTests {
    static let types = [
        TypeDefinition(
            name: "Card", type: .fields(.init("type", .literals(["card", "debit"])), .init("number", .string))),
        TypeDefinition(
            name: "Bank", type: .fields(.init("type", .literals(["bank"])), .init("iban", .string), .init("n", .int))),
        TypeDefinition(name: "Point", type: .fields(.init("x", .int), .init("y", .int), .init("id", .int))),
        TypeDefinition(name: "Circle", type: .fields(.init("r", .int), .init("id", .string))),
        TypeDefinition(name: "Plain", type: .fields(.init("id", .bool))),
        TypeDefinition(
            name: "Long",
            type: .fields(.init("type", .literals([String(repeating: "é", count: 1000)])), .init("a", .int))),
        TypeDefinition(name: "Good", type: .fields(.init("ok", .constant("true")), .init("value", .int))),
        TypeDefinition(name: "Bad", type: .fields(.init("ok", .constant("false")), .init("error", .string))),
        TypeDefinition(
            name: "Tree",
            type: .union([
                .fields(
                    .init("kind", .literals(["node"])), .init("left", .named("Tree")), .init("right", .named("Tree"))),
                .fields(.init("kind", .literals(["leaf"])), .init("value", .int)),
            ])),
    ]
    static let paying = TypeExpression.union([.named("Card"), .named("Bank")])
    static let shapes = TypeExpression.union([.named("Point"), .named("Circle"), .named("Plain")])
    static let named = TypeExpression.choice(
        ObjectChoice(
            key: "t",
            alternatives: [
                .init(value: "c", type: .named("Circle")), .init(value: "1", type: .named("Plain")),
                .init(value: "true", type: .fields(.init("t", .bool))),
            ]))
    static let open = TypeExpression.choice(
        ObjectChoice(
            key: "t", alternatives: [.init(value: "c", type: .named("Circle"))], others: .scalar(.json)))

    struct Case: Sendable {
        var type: TypeExpression
        var accepted: [String]
        var refused: [(String, String)]

        init(_ type: TypeExpression, _ accepted: [String], _ refused: [(String, String)]) {
            (self.type, self.accepted, self.refused) = (type, accepted, refused)
        }
    }

    /// As it may be written; longer than any text that is looked for in practice.
    private static let long = String(repeating: #"\u00e9"#, count: 1000)

    static let cases = [
        Case(
            .union([.named("Bank"), .named("Long")]), [#"{"type":"\#(long)","a":1}"#, #"{"a":1,"type":"\#(long)"}"#],
            [(#"{"type":"\#(long)","a":"x"}"#, #"$.a: Int, string "x""#)]),
        Case(
            paying,
            [
                #"{"type":"card","number":"1"}"#, #"{"number":"1","type":"debit"}"#,
                #"{"x":{"type":"bank","y":[1,"]}{"]},"n":1, "iban" : "DE" ,"type" : "bank" }"#,
                #"{"typ\u0065":"b\u0061nk","iban":"é\"","n":2}"#, #"{"iban":"DE","n":1,"type":"bank","more":null}"#,
            ],
            [
                (#"{"type":"card","number":1}"#, #"$.number: String, number 1"#),
                (#"{"type":"cash"}"#, #"$.type: card | debit | bank, string "cash""#),
                (#"{"number":"1"}"#, #"$: "type": card | debit | bank, an object without it"#),
                ("{}", #"$: "type": card | debit | bank, an object without it"#),
                (#"{"type":null,"iban":1}"#, "$.type: card | debit | bank, null"),
                (#"{"type":{"type":"card"}}"#, "$.type: card | debit | bank, object"),
                (#"{"type":"bank","iban":"x"}"#, #"$: "n": Int, an object without it"#),
                (#"{"type":"card","number":"1","type":"bank"}"#, "$.type: the key once, the key again"),
                ("[]", "$: Card | Bank, array"), ("null", "$: Card | Bank, null"),
            ]),
        Case(
            shapes,
            [
                #"{"x":1,"y":2,"id":3}"#, #"{"id":"a","r":1}"#, #"{"id":true}"#, #"{"id":true,"z":{"x":1}}"#,
                #"{"y":1,"id":1,"x":1}"#,
            ],
            [
                (#"{"id":"a"}"#, "$.id: Bool, string \"a\""), (#"{"id":"a","x":1,"y":2}"#, "$.id: Int, string \"a\""),
                ("{}", #"$: "id": Bool, an object without it"#),
            ]),
        Case(
            .union([.named("Point"), .named("Circle")]), [#"{"id":"a","r":1}"#],
            [(#"{"id":1}"#, #"$: "x" or "r", an object without it"#)]),
        // A set in one of them is no value that tells: what the API adds to it is told at its place.
        Case(
            .union([
                .fields(.init("onlya", .int), .init("color", .literals(["red", "green"]))),
                .fields(.init("onlyb", .int)),
            ]),
            [#"{"onlya":1,"color":"red"}"#, #"{"onlyb":1,"color":"red"}"#, #"{"color":"red","onlyb":1}"#],
            [
                (#"{"onlya":1,"color":"blue"}"#, #"$.color: red | green, string "blue""#),
                (#"{"color":"blue","onlya":1}"#, #"$.color: red | green, string "blue""#),
                (#"{"color":"red"}"#, #"$: "onlya" or "onlyb", an object without it"#),
            ]),
        Case(
            .union([
                .fields(
                    .init("id", .int), .init("onlya", .string), .init("status", .literals(["open", "closed"]))),
                .fields(.init("id", .int), .init("onlyb", .optional(.string))),
            ]),
            [#"{"id":1,"status":"open","onlya":"x"}"#, #"{"id":1,"onlyb":"x"}"#, #"{"id":1}"#, #"{"id":1,"more":2}"#],
            [
                (#"{"id":1,"onlya":"x","status":"half-open"}"#, #"$.status: open | closed, string "half-open""#),
                (#"{"status":"half-open","id":1,"onlya":"x"}"#, #"$.status: open | closed, string "half-open""#),
                (#"{"id":1,"status":"open"}"#, #"$: "onlya": String, an object without it"#),
                (#"{"id":1,"onlya":"x"}"#, #"$: "status": open | closed, an object without it"#),
            ]),
        // Both may have the value.
        Case(
            .union([
                .fields(.init("own", .int), .init("n", .optional(.constant("1")))),
                .fields(.init("other", .int), .init("n", .constant("1"))),
            ]),
            [#"{"own":1,"n":1}"#, #"{"n":1,"other":1}"#, #"{"own":1}"#],
            [(#"{"n":1}"#, #"$: "own" or "other", an object without it"#)]),
        Case(
            .union([.named("Good"), .named("Bad"), .null]),
            [#"{"ok":true,"value":1}"#, #"{"error":"no","ok":false}"#, "null"],
            [
                (#"{"ok":false,"value":1}"#, #"$: "error": String, an object without it"#),
                (#"{"ok":1}"#, "$.ok: true | false, number 1"),
            ]),
        Case(
            .array(named),
            [#"[{"t":"c","r":1,"id":"x"},{"id":false,"t":1},{"t":true},{"t":"1","id":true}]"#, "[]"],
            [
                (#"[{"t":"c","r":"1","id":"x"}]"#, "$[0].r: Int, string \"1\""),
                (#"[{"t":2}]"#, "$[0].t: c | 1 | true, number 2"),
            ]),
        Case(
            open, [#"{"t":"c","r":1,"id":"x"}"#, #"{"t":"d","r":"any"}"#, "{}", #"{"t":["c"]}"#],
            [(#"{"t":"c","id":"x"}"#, #"$: "r": Int, an object without it"#)]),
        Case(
            .named("Tree"),
            [
                #"{"kind":"node","left":{"kind":"leaf","value":1},"right":{"value":2,"kind":"leaf"}}"#,
                #"{"left":{"left":{"value":1,"kind":"leaf"},"right":{"value":1,"kind":"leaf"},"kind":"node"},"#
                    + #""right":{"value":3,"kind":"leaf"},"kind":"node"}"#,
            ],
            [
                (
                    #"{"left":{"value":"x","kind":"leaf"},"right":{"value":3,"kind":"leaf"},"kind":"node"}"#,
                    "$.left.value: Int, string \"x\""
                )
            ]),
    ]

    @Test(arguments: cases) func chooses(_ test: Case) throws {
        let plan = try Plan([Extraction(type: test.type)], types: Self.types)
        for document in test.accepted {
            let run = Run(plan, document)
            #expect(run.faults == [], "\(document)")
            #expect(run.slices == [document])
            #expect(Run.deviations(plan, Array(document.utf8)) == [])
        }
        for (document, fault) in test.refused {
            let run = Run(plan, document)
            #expect(run.faults.map { "\($0.name): \($0.expected), \($0.found)" } == [fault], "\(document)")
            #expect(Run.deviations(plan, Array(document.utf8)) == [])
        }
    }

    /// Broken documents are found to be so where they are, however much of them is held.
    @Test func damage() throws {
        var random = Seeded(state: 7)
        let plans = try Self.cases.map {
            try Plan([Extraction(type: .array($0.type), unknown: .drop)], types: Self.types)
        }
        for (test, plan) in zip(Self.cases, plans) {
            let document = Array("[\((test.accepted + test.accepted).joined(separator: " , "))]".utf8)
            #expect(Run(plan, document).faults == [])
            for _ in 0..<60 {
                let broken = random.mutated(document)
                let whole = Run(plan, broken)
                #expect(whole == Run(plan, broken, cuts: Array(1..<max(broken.count, 1))))
                #expect(whole == Run(plan, broken, cuts: random.cuts(of: broken.count)))
            }
        }
    }

    /// Alternatives differ in what they leave out and rename, and several slices may look.
    @Test func edits() throws {
        let card = TypeExpression.fields(
            .init("kind", .literals(["card"]), from: "type"), .init("no", .string, from: "number"), unknown: .drop)
        let bank = TypeExpression.fields(
            .init("kind", .literals(["bank"]), from: "type"), .init("n", .int, default: "7"), unknown: .pass)
        let text =
            #"{"v":[{"type":"card","number":"1","x":1},{"y":[1],"type":"bank","n":1},"#
            + #"{"q":0,"number":"2","type":"card"},{"type":"bank","number":"3"}],"w":{"type":"bank"}}"#
        let document = Array(text.utf8)
        let path = try #require(FieldPath("v"))
        let plan = try Plan(
            [
                Extraction(path: path, type: .array(.union([card, bank]))),
                Extraction(path: path, type: .array(.union([bank, card]))),
                Extraction(path: try #require(FieldPath("v[1].n"))),
                Extraction(path: try #require(FieldPath("w")), type: .union([card, bank])),
            ], types: Self.types)
        let run = Run(plan, document)
        let expected =
            #"[{"kind":"card","no":"1"},{"y":[1],"kind":"bank","n":1},{"no":"2","kind":"card"},"#
            + #"{"kind":"bank","number":"3","n":7}]"#
        #expect(run.faults == [])
        #expect(run.slices == [expected, expected, "1", #"{"kind":"bank","n":7}"#])
        #expect(Run.deviations(plan, document) == [])
    }

    @Test func theWayToTheKeyIsBounded() throws {
        var limits = JSONLimits()
        limits.choiceBytes = 40
        let plan = try Plan([Extraction(type: .array(Self.paying))], types: Self.types, limits: limits)
        let near = #"[{"x":"\#(String(repeating: "y", count: 12))","type":"card","number":"1"}]"#
        let far = #"[{"x":"\#(String(repeating: "y", count: 40))","type":"card","number":"1"}]"#
        #expect(Run(plan, near).faults == [])
        #expect(
            Run(plan, far).faults.map { "\($0.name): \($0.expected)" } == [#"$[0]: "type" in the first 40 bytes"#])
        #expect(Run.deviations(plan, Array(near.utf8)) == [])
        #expect(Run.deviations(plan, Array(far.utf8)) == [])
    }

    /// Rows of both kinds, alternating and in runs, with the key first and not: all kernels see the same, and the fast
    /// ways are taken.
    @Test(arguments: Kernel.all) func kernels(_ kernel: Kernel) throws {
        let plans = [
            try Plan([Extraction(type: .array(Self.paying))], types: Self.types),
            try Plan(
                [Extraction(type: .array(.fields(.init("pay", Self.paying), .init("id", .int))))], types: Self.types),
        ]
        var random = Seeded(state: 3)
        for (number, plan) in plans.enumerated() {
            for round in 0..<12 {
                let rows = (0..<300).map { row -> String in
                    let isCard = round == 0 || Int.random(in: 0..<[2, 20][round % 2], using: &random) == 0
                    let card = #"{"type":"card","number":"\#(row)","more":[1,2,{"a":null}]}"#
                    let bank = #"{"type":"bank","iban":"DE","n":\#(row)}"#
                    let late = #"{"number":"\#(row)","type":"debit"}"#
                    let isLate = Int.random(in: 0..<40, using: &random) == 0 && round > 4
                    let wrong = round > 8 && Int.random(in: 0..<200, using: &random) == 0
                    let object = wrong ? #"{"type":"bank","iban":1,"n":1}"# : isLate ? late : isCard ? card : bank
                    return number == 0 ? object : #"{"pay":\#(object),"id":\#(row)}"#
                }
                let document = Array("[\(rows.joined(separator: ","))]".utf8)
                let slow = Run.byteByByte(plan, document)
                let extractor = kernel.extractor(plan)
                for _ in 0..<2 { #expect(Run(plan, document, reusing: extractor) == slow) }
                for _ in 0..<3 {
                    #expect(Run(plan, document, cuts: random.cuts(of: document.count), reusing: extractor) == slow)
                }
                if number == 0 && round < 2 && slow.faults.isEmpty && kernel.functions.index != nil {
                    #expect(extractor.objectsTakenWhole.byPattern > 100, "\(round)")
                }
            }
        }
    }
}
