import SluiceContract
import SluiceJSON
import Testing

/// Objects of an array are compared with the template of one before, where the machine can: a lane for each value, as
/// wide as its kind needs, and a part for each 128 bytes. Made-up objects of all kinds of value, whole and damaged, get
/// the verdicts that they get byte by byte.
@Suite struct TemplateTests {
    private struct Member: Sendable {
        let key: String
        let type: TypeExpression
        let value: @Sendable (inout Seeded) -> String
    }

    private static let short = ["red", "green", "yellow", ""]
    private static let middle = ["alpha", "beta_gamma", "fifteen letters"]
    private static let long = ["a text of more than sixteen bytes", "short"]
    private static let many = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]

    private static let members = [
        Member(key: "id", type: .int) { integer(&$0, digits: 7) },
        Member(key: "serial", type: .int) { integer(&$0, digits: 20) },
        Member(key: "small", type: .scalar(.uint8)) { "\(Int.random(in: 0...odd(99, 999, &$0), using: &$0))" },
        Member(key: "delta", type: .scalar(.int16)) { "\(Int.random(in: -999...odd(999, 99_999, &$0), using: &$0))" },
        Member(key: "weight", type: .scalar(.double)) { number(&$0) },
        Member(key: "a rather long key of some", type: .scalar(.decimal)) { number(&$0) },
        Member(key: "maybe", type: .optional(.int)) { pick(["null", integer(&$0, digits: 3)], &$0) },
        Member(key: "ripe", type: .bool) { pick(["true", "false"], &$0) },
        Member(key: "flag", type: .optional(.bool)) { pick(["true", "false", "null"], &$0) },
        Member(key: "color", type: .literals(short)) { quoted(short, &$0) },
        Member(key: "kind", type: .literals(middle)) { quoted(middle, &$0) },
        Member(key: "sort", type: .literals(long)) { quoted(long, &$0) },
        Member(key: "number", type: .literals(many)) { quoted(many, &$0) },
        Member(key: "name", type: .string) { quoted(["", "a", "fig, plum", "{\(integer(&$0, digits: 20))}"], &$0) },
        Member(key: "tags", type: .array(.string)) { "[\(quoted(short, &$0)),\(quoted(middle, &$0))]" },
        Member(key: "place", type: .fields(.init("row", .int), .init("free", .bool))) {
            #"{"row":\#(integer(&$0, digits: 3)),"free":\#(pick(["true", "false"], &$0))}"#
        },
    ]

    private static func pick(_ values: [String], _ random: inout Seeded) -> String {
        values[Int.random(in: 0..<values.count, using: &random)]
    }

    /// The latter now and then.
    private static func odd(_ usual: Int, _ unusual: Int, _ random: inout Seeded) -> Int {
        Int.random(in: 0..<12, using: &random) == 0 ? unusual : usual
    }

    private static func quoted(_ values: [String], _ random: inout Seeded) -> String {
        "\"\(pick(values, &random))\""
    }

    private static func integer(_ random: inout Seeded, digits: Int) -> String {
        let count = Int.random(in: 1...(Int.random(in: 0..<8, using: &random) == 0 ? digits : 3), using: &random)
        let rest = (1..<count).reduce(into: "") { text, _ in text += "\(Int.random(in: 0...9, using: &random))" }
        return pick(["-", "", "", ""], &random) + (count == 1 ? pick(["0", "7"], &random) : "3\(rest)")
    }

    private static func number(_ random: inout Seeded) -> String {
        let whole = integer(&random, digits: 12)
        return pick([whole, "\(whole).5", "\(whole).05", "\(whole).250000000001"], &random)
    }

    /// Objects with some of the members in some order, all alike.
    private static func document(_ members: [Member], count: Int, isSpaced: Bool, _ random: inout Seeded) -> [UInt8] {
        let objects = (0..<count).map { _ in
            let texts = members.map { "\"\($0.key)\":" + (isSpaced ? " " : "") + $0.value(&random) }
            return "{" + texts.joined(separator: isSpaced ? ",\n " : ",") + (isSpaced ? "\n}" : "}")
        }
        return Array("[\(objects.joined(separator: ","))]".utf8)
    }

    private static let damage = Array("0123456789.-+eE\"\\,:{}[] \n\ttruefalsn".utf8)

    @Test(arguments: 0..<60)
    func damaged(_ seed: UInt64) throws {
        var random = Seeded(state: seed)
        let members = Self.members.shuffled(using: &random).prefix(Int.random(in: 1...16, using: &random))
        let item = TypeExpression.object(ObjectType(fields: members.map { .init(name: $0.key, type: $0.type) }))
        let plan = try Plan([Extraction(type: .array(item))], types: [])
        let extractor = Extractor(plan)
        let document = Self.document(Array(members), count: 12, isSpaced: seed % 4 == 3, &random)
        let cuts = Array(stride(from: 40, to: document.count, by: 40))
        #expect(Run(plan, document, reusing: extractor) == Run(plan, document, cuts: cuts))
        for round in 0..<40 {
            var damaged = document
            damaged[Int.random(in: 0..<document.count, using: &random)] = Self.damage.randomElement(using: &random) ?? 0
            let whole = Run(plan, damaged, reusing: extractor), split = Run(plan, damaged, cuts: cuts)
            #expect(whole == split, "round \(round): \(String(decoding: damaged, as: UTF8.self))")
        }
    }

    /// The inner keys are where the outer ones would be if 128 bytes more did not matter, but one of them is another.
    @Test func furtherApart() throws {
        let inner = [ObjectType.Field("row", .int), .init("free", .bool), .init("more", .string)]
        let place = TypeExpression.object(ObjectType(fields: inner))
        let outer = TypeExpression.object(ObjectType(fields: inner + [.init("place", place)]))
        let plan = try Plan([Extraction(type: .array(outer))], types: [])
        let extractor = Extractor(plan)
        func object(_ key: String, _ more: String) -> String {
            #"{"row":1,"free":true,"more":"\#(more)","place":{"\#(key)":1,"free":true,"more":""}}"#
        }
        let usual = Array(repeating: object("row", ""), count: 6).joined(separator: ",")
        #expect(Run(plan, Array("[\(usual)]".utf8), reusing: extractor).faults.isEmpty)
        for count in 0...200 {
            let odd = object("rxw", String(repeating: "x", count: count))
            let run = Run(plan, Array("[\(usual),\(odd),\(usual)]".utf8), reusing: extractor)
            #expect(run.faults.map(\.name) == ["$[6].place"], "\(count): \(run)")
        }
    }
}
