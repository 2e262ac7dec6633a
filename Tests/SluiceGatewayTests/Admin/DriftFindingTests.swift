import SluiceContract
import Testing

@testable import SluiceGateway

@Suite struct DriftFindingTests {
    static let rows: [(String, [String], String?)] = [
        ("Int", ["null"], "Int?"), ("Int", ["string \"big\""], "Int | String"), ("Int", ["number 3.5"], "Double"),
        ("Int", ["number 99999999999999999999"], "Decimal"), ("Int8", ["number 300"], "Int"),
        ("UInt", ["number -1"], "Int"), ("Double", ["number 1e999"], nil),
        ("Int", ["bool true"], "Int | Bool"), ("Int", ["array"], "Int | [JSON]"), ("Int", ["object"], "JSON"),
        ("Int", ["null", "string \"x\""], "(Int | String)?"), ("Int?", ["bool true"], "(Int | Bool)?"),
        ("(Int | String)?", ["bool false"], "(Int | String | Bool)?"), ("Int | String", ["null"], "(Int | String)?"),
        ("red | green", ["string \"blue\""], "red | green | …"),
        ("RED | GREEN", ["string \"blue\""], "RED | GREEN | …"),
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
