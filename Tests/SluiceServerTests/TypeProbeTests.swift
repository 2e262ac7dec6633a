import FoundationEssentials
import SluiceClient
import SluiceContract
import Testing

@testable import SluiceServer

/// What is read off a type's `init(from:)`.
@Suite struct TypeProbeTests {
    static func notation(_ type: any Decodable.Type, _ coding: JSONCoding = JSONCoding()) throws -> String {
        try TypeProbe(coding).expression(of: type).description
    }

    /// The definitions that a type needs, each as `Name: Type`.
    static func definitions(_ type: any Decodable.Type, _ coding: JSONCoding = JSONCoding()) throws -> [String] {
        let probe = TypeProbe(coding)
        _ = try probe.expression(of: type)
        return probe.definitions.map { "\($0.name): \($0.type)" }
    }

    // MARK: - Scalars and what holds others

    static let plain: [(any (Decodable & SendableMetatype).Type, String)] = [
        (String.self, "String"), (Bool.self, "Bool"), (Int.self, "Int"), (Int8.self, "Int8"), (UInt64.self, "UInt64"),
        (Double.self, "Double"), (Float.self, "Double"), (Decimal.self, "Decimal"), (Date.self, "Date"),
        (UUID.self, "UUID"), (URL.self, "URL"), (Data.self, "Data"), (JSONValue.self, "JSON"),
        ([Int].self, "[Int]"), (Set<String>.self, "[String]"), (Int?.self, "Int?"), (Int??.self, "Int?"),
        ([String: [Date?]].self, "[String: [Date?]]"), ([Int: Bool].self, "[String: Bool]"),
        ([[Int?]?].self, "[[Int?]?]"),
    ]

    @Test(arguments: plain.indices)
    func scalarsAndContainers(_ index: Int) throws {
        let (type, expected) = Self.plain[index]
        #expect(try Self.notation(type) == expected)
    }

    @Test(
        arguments: zip(
            [JSONCoding.Dates.iso8601, .seconds, .milliseconds, .deferred],
            ["Date", "Date(seconds)", "Date(milliseconds)", "Double"]))
    func datesAreAsTheProgramCodesThem(_ dates: JSONCoding.Dates, _ expected: String) throws {
        #expect(try Self.notation(Date.self, JSONCoding(dates: dates)) == expected)
    }

    enum Color: String, Codable, CaseIterable { case red, green }
    enum Level: Int, Codable, CaseIterable { case low = 1, high = 10 }
    enum Silent: String, Codable { case on, off }
    struct ID: RawRepresentable, Codable, Hashable { var rawValue: Int }

    @Test func enumsTellTheirCases() throws {
        #expect(try Self.notation(Color.self) == "red | green")
        #expect(try Self.notation(Level.self) == "1 | 10")
        #expect(try Self.notation([Color].self) == "[red | green]")
    }

    @Test func anEnumThatDoesNotTellIsRefused() {
        let error = #expect(throws: ProbeRefusal.self) { try Self.notation(Silent.self) }
        #expect(error?.description.contains("Silent") == true)
        #expect(error?.description.contains("CaseIterable") == true)
    }

    @Test func aRawValueOfAnyOtherTypeIsThatValue() throws {
        #expect(try Self.notation(ID.self) == "Int")
    }

    // MARK: - Objects

    struct Fruit: Codable {
        var name: String
        var grams: Double
        var color: Color?
        var tags: [String]
        var origin: Origin

        enum CodingKeys: String, CodingKey {
            case name = "full_name"
            case grams, color, tags, origin
        }

        struct Origin: Codable {
            var country: String
            var picked: Date?
        }
    }

    @Test func keysAreThoseOfTheWire() throws {
        #expect(
            try Self.definitions(Fruit.self) == [
                "Fruit: {full_name: String, grams: Double, color: (red | green)?, tags: [String], origin: Origin}",
                "Origin: {country: String, picked: Date?}",
            ])
    }

    struct Long: Codable {
        var itemCount: Int
        var myURLPath: String
    }

    @Test func namesInSnakeCase() throws {
        #expect(
            try Self.definitions(Long.self, JSONCoding(keys: .snakeCase)) == [
                "Long: {item_count: Int, my_url_path: String}"
            ])
    }

    struct Tree: Codable {
        var name: String
        var children: [Tree]
        var more: [String: Tree]?
    }

    final class Chain: Codable {
        var next: Chain?
        var value: Int

        init(value: Int) { self.value = value }
    }

    @Test func typesMayHoldThemselves() throws {
        #expect(try Self.definitions(Tree.self) == ["Tree: {name: String, children: [Tree], more: [String: Tree]?}"])
        #expect(try Self.definitions(Chain.self) == ["Chain: {next: Chain?, value: Int}"])
    }

    class Base: Codable {
        var id = 0
        init() {}
    }

    final class Derived: Base {
        var name: String

        enum CodingKeys: CodingKey { case name }

        required init(from decoder: any Decoder) throws {
            name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
            try super.init(from: decoder)
        }
    }

    @Test func classesHaveTheKeysOfWhatTheyInherit() throws {
        #expect(try Self.definitions(Derived.self) == ["Derived: {name: String, id: Int}"])
    }

    struct Page<Element: Codable>: Codable {
        var items: [Element]
        var next: String?
    }

    @Test func genericTypesHaveNamesOfTheirOwn() throws {
        #expect(
            try Self.definitions(Page<Page<Int>>.self) == [
                "PageOfPageOfInt: {items: [PageOfInt], next: String?}", "PageOfInt: {items: [Int], next: String?}",
            ])
    }

    enum Other {
        struct Fruit: Codable { var size: Int }
        struct Both: Codable {
            var one: TypeProbeTests.Fruit.Origin
            var other: Fruit
            var third: Third

            struct Third: Codable { var date: Fruit }
        }
        struct Date: Codable { var day: Int }
    }

    struct Two: Codable {
        var first: Fruit
        var second: Other.Fruit
        var third: Other.Date
    }

    @Test func typesOfOneNameAreToldApart() throws {
        let names = try Self.definitions(Two.self).map { $0.prefix { $0 != ":" } }
        #expect(names == ["Two", "Fruit", "Origin", "Fruit2", "Date2"])
    }
}
