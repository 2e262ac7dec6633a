import SluiceContract
import SluiceJSON
import Testing

@testable import SluiceGateway

@Suite struct DriftFindingTests {
    static let rows: [(String, [String], String?)] = [
        ("Int", ["null"], "Int?"), ("Int", ["string \"big\""], "Int | String"), ("Int", ["number 3.5"], "Double"),
        ("Int", ["number 99999999999999999999"], "Decimal"), ("Int8", ["number 300"], "Int"),
        ("UInt", ["number -1"], "Int"), ("Double", ["number 1e999"], "Decimal"), ("Int", ["number 1e400"], "Decimal"),
        ("UInt64", ["number 18446744073709551616"], "Decimal"), ("UInt8(1...100)", ["number 300"], "Int"),
        ("String", ["number 99999999999999999999"], "String | Decimal"), ("String", ["number 1"], "String | Int"),
        ("Int", ["number \(String(repeating: "9", count: 64))…"], "Decimal"),
        ("Decimal(0..<1)", ["number 2"], "Decimal"),
        ("Int", ["bool true"], "Int | Bool"), ("Int", ["array"], "Int | [JSON]"), ("Int", ["object"], "JSON"),
        ("Int", ["null", "string \"x\""], "(Int | String)?"), ("Int?", ["bool true"], "(Int | Bool)?"),
        ("(Int | String)?", ["bool false"], "(Int | String | Bool)?"), ("Int | String", ["null"], "(Int | String)?"),
        ("red | green", ["string \"blue\""], "red | green | …"),
        ("\"RED\" | \"Dark green\"", ["string \"blue\""], "\"RED\" | \"Dark green\" | …"),
        ("1 | 2", ["string \"x\""], "1 | 2 | String"), ("true", ["string \"x\""], "true | String"),
        ("ID", ["string \"x\""], "ID | String"), ("[String: Int]", ["string \"x\""], "[String: Int] | String"),
        ("red | Date", ["string \"x\""], "Date | red | …"), ("Int | null", ["bool true"], "Int | Bool | null"),
        ("String(1...3) | red", ["string \"long\""], "String"), ("object", ["null"], nil), ("[object]", ["null"], nil),
        ("object", ["object"], nil), ("\"object\" | list", ["null"], "(object | list)?"),
        ("String(/^[(|]{2}[)]$/) | Int", ["bool true"], "String(/^[(|]{2}[)]$/) | Int | Bool"),
        ("[String](...5, unique)", ["string \"a\" again"], "[String]"), ("[Int](unique)", ["number 1 again"], "[Int]"),
        ("[Bool](unique)", ["true again"], "[Bool]"), ("the key once", ["the key again"], nil),
        ("(red | green)?", ["string \"blue\""], "(red | green | …)?"), ("fig", ["string \"kiwi\""], "fig | …"),
        ("Fruit", ["string \"x\""], "Fruit | String"), ("Fruit | String", ["number 1"], "Fruit | String | Int"),
        ("Int(1...100)", ["number 200"], "Int"), ("Double(0..<1)", ["number 1.5"], "Double"),
        ("String(/^[a-z]+$/)", ["string \"1\""], "String"), ("[Fruit](0...50)", ["array of 60"], "[Fruit]"),
        ("Int(1...100)", ["null"], "Int(1...100)?"), ("Date(seconds)", ["string \"x\""], "Date(seconds) | String"),
        ("Decimal(string)", ["number 5"], "Decimal(string) | Int"), ("[Int]", ["object"], "JSON"),
        ("UUID", ["string \"x\""], "UUID | String"), ("JSON", ["nothing such"], nil),
        ("only declared keys", ["an undeclared key"], nil), ("a digit", ["\"]\""], nil), ("Int?", ["null"], nil),
    ]

    /// The smallest change of a type that takes what was found, in the order in which it was.
    @Test(arguments: rows)
    func proposesTypes(_ declared: String, _ found: [String], _ proposal: String?) {
        var finding = DriftFinding()
        for text in found {
            finding.note(
                Problem.Fault(name: "$", location: "response", expected: declared, found: text), at: 1)
        }
        #expect(finding.proposal == proposal)
    }

    /// With what the engine itself finds: a proposal is a type, another one, and takes the value.
    @Test(arguments: UInt64(0)..<4)
    func everyProposalTakesWhatWasFound(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let values = [
            "null", "true", "false", "0", "-1", "7", "300", "2.5", "1e400", "18446744073709551616", "\"x\"", "\"RED\"",
            "\"2026-11-23\"", "[]", "[1,1]", "[\"a\",\"a\",\"b\"]", "{}", "{\"a\":1}",
        ]
        var proposed = 0
        for _ in 0..<2000 {
            let notation = Self.notation(2, &random)
            guard let type = try? TypeNotation.type(notation).type else { continue }
            var finding = DriftFinding()
            var refused: [String] = []
            for value in values.shuffled(using: &random).prefix(2) {
                // Faults inside of the value are of another type.
                guard let fault = try? Self.faults(value, type).first, fault.name == "$" else { continue }
                let declared = finding.declared
                finding.note(fault, at: 1)
                // A finding is about one type: that of an alternative, or all of it.
                if finding.declared != declared { refused = [] }
                refused.append(value)
            }
            guard let proposal = finding.proposal else { continue }
            proposed += 1
            let wider = try TypeNotation.type(proposal).type
            #expect(wider != type, "\(notation)")
            for value in refused {
                // Alternatives that the engine cannot tell apart are none of a proposal's making.
                guard let faults = try? Self.faults(value, wider) else { continue }
                #expect(faults == [], "\(notation) with \(refused): \(proposal)")
            }
        }
        #expect(proposed > 100)
    }

    private static func faults(_ json: String, _ type: TypeExpression) throws -> [Problem.Fault] {
        try Array(json.utf8).withUnsafeBytes { try JSONCheck.check($0, type: type) }
    }

    /// A notation; not every one is a type.
    private static func notation(_ depth: Int, _ random: inout SeededGenerator) -> String {
        let leaves = [
            "String", "Bool", "Int", "UInt8", "UInt64", "Double", "Decimal", "Date", "Date(seconds)", "UUID", "JSON",
            "Int(string)", "red", "red | green", "\"RED\" | \"a b\" | \"null\"", "red | …", "1", "1 | 2", "true",
            "Int(1...100)", "UInt8(5...)", "Double(0..<1)", "String(2...4)", "String(/^[a|(b]{2}$/)",
            "Date(seconds) -> Date",
        ]
        let leaf = leaves[random.number(0...leaves.count - 1)]
        if depth == 0 { return leaf }
        let inner = notation(depth - 1, &random)
        switch random.number(0...7) {
        case 0: return "[\(inner)]"
        case 1: return "[\(inner)](...1, unique)"
        case 2: return "[String: \(inner)]"
        case 3: return "(\(inner))?"
        case 4: return "\(leaf) | \(inner)"
        case 5: return "\(leaf) | null"
        default: return leaf
        }
    }

    /// What is missing may be absent from now on; of an element of an array no type says so.
    @Test(arguments: [("\"size\": Int", "Int?"), ("\"a: b\": [Int]", "[Int]?"), ("[1]: Int", nil)])
    func proposesAbsence(_ expected: String, _ proposal: String?) {
        var finding = DriftFinding()
        finding.note(
            Problem.Fault(
                name: "$", location: "response", expected: expected, found: "nothing", reason: .missing), at: 1)
        #expect(finding.proposal == proposal)
        var other = DriftFinding()
        other.note(Problem.Fault(name: "$", location: "response", expected: expected, found: "nothing"), at: 1)
        #expect(other.proposal == nil)
    }

    /// Values are somebody's data.
    @Test func keepsKindsAlone() {
        var finding = DriftFinding()
        finding.note(
            Problem.Fault(name: "$.a", location: "response", expected: "Int", found: "string \"s3cret\""), at: 7)
        #expect(finding.found == [.string] && finding.declared == "Int")
        #expect(!"\(finding)".contains("s3cret"))
        finding.note(Problem.Fault(name: "$.a", location: "response", expected: "Bool", found: "null"), at: 9)
        #expect(finding.found == [.null] && finding.declared == "Bool", "another configuration is in force")
        #expect(finding.count == 2 && finding.firstAt == 7 && finding.lastAt == 9)
    }

    @Test func longTypesAreCut() {
        var finding = DriftFinding()
        let type = (0..<100).map { "alternative\($0)" }.joined(separator: " | ")
        finding.note(Problem.Fault(name: "$", location: "response", expected: type, found: "null"), at: 1)
        #expect(finding.declared.utf8.count < 60 && finding.declared.hasSuffix("…"))
        #expect(finding.proposal == nil)
        // Cut in front of an alternative, it is no set that may grow.
        for length in 1...40 {
            var other = DriftFinding()
            let longer = String(repeating: "x", count: length) + " | " + type
            other.note(Problem.Fault(name: "$", location: "response", expected: longer, found: "null"), at: 1)
            #expect(other.proposal == nil)
        }
    }

    @Test(
        arguments: [
            ("string \"2026-11-23\"", "\"0000-00-00\""), ("string \"Ada.L@x.de\"", "\"Aaa.A@a.aa\""),
            ("number -12.50", "-00.00"), ("bool true", "true"), ("null", nil), ("array", nil),
            ("an object without it", nil),
            ("string \"ßé€\"", "\"aa?\""),
            ("string \"" + String(repeating: "x", count: 60), "\"" + String(repeating: "a", count: 39) + "…"),
        ] as [(String, String?)])
    func examplesAreShapes(_ found: String, _ shape: String?) {
        #expect(DriftExample.text(of: found, at: "$.a") == shape)
        for path in ["$.access_token", "$.credentials.value", "$[\"api-key\"][0]"] {
            #expect(DriftExample.text(of: found, at: path) == nil)
        }
    }

    /// A set stays open, with what is new in it.
    @Test(
        arguments: [
            ("red | green", ["blue"], "red | green | blue | …"),
            ("(red | green)?", ["blue"], "(red | green | blue | …)?"),
            ("red", ["blue", "blue", "pink"], "red | blue | pink | …"), ("red | green", ["no name"], nil),
            ("\"Red\" | Int", ["Blue"], "\"Red\" | \"Blue\" | … | Int"),
        ] as [(String, [String], String?)])
    func proposesCases(_ declared: String, _ found: [String], _ proposal: String?) {
        var finding = DriftFinding(.unknownCase)
        for text in found {
            finding.note(
                Problem.Fault(name: "$.color", location: "response", expected: declared, found: "string \"\(text)\""),
                at: 1)
        }
        #expect(finding.proposal == proposal)
    }
}
