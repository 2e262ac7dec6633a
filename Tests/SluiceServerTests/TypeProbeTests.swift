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

    @Test(arguments: zip(
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
            try Self.definitions(Long.self, JSONCoding(keys: .snakeCase)) == ["Long: {item_count: Int, my_url_path: String}"])
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

    // MARK: - Types that decode by hand

    struct Nested: Decodable {
        var city: String
        var zips: [Int]

        enum CodingKeys: CodingKey { case address }
        enum Address: CodingKey { case city, zips }

        init(from decoder: any Decoder) throws {
            let address = try decoder.container(keyedBy: CodingKeys.self)
                .nestedContainer(keyedBy: Address.self, forKey: .address)
            city = try address.decode(String.self, forKey: .city)
            var list = try address.nestedUnkeyedContainer(forKey: .zips)
            zips = []
            while !list.isAtEnd { zips.append(try list.decode(Int.self)) }
        }
    }

    struct Lenient: Decodable {
        var size: Int
        var name: String
        var color: String?
        var note: String

        enum CodingKeys: CodingKey { case size, name, color, note }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            size = (try? container.decode(Int.self, forKey: .size)) ?? 0
            name = try container.decodeIfPresent(String.self, forKey: .name) ?? "none"
            color = container.contains(.color) ? try container.decode(String.self, forKey: .color) : nil
            note = try container.decodeNil(forKey: .note) ? "" : container.decode(String.self, forKey: .note)
        }
    }

    struct Either: Decodable {
        var number: Int

        enum CodingKeys: CodingKey { case id }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            if let text = try? container.decode(String.self, forKey: .id) {
                number = text.count
            } else {
                number = try container.decode(Int.self, forKey: .id)
            }
        }
    }

    enum TextOrObject: Decodable {
        case text(String)
        case object(Color)

        enum CodingKeys: CodingKey { case color }

        init(from decoder: any Decoder) throws {
            if let text = try? decoder.singleValueContainer().decode(String.self) {
                self = .text(text)
            } else {
                self = .object(try decoder.container(keyedBy: CodingKeys.self).decode(Color.self, forKey: .color))
            }
        }
    }

    struct Positive: Decodable {
        var value: Int
        var day: Substring

        enum CodingKeys: CodingKey { case value, day }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            value = try container.decode(Int.self, forKey: .value)
            guard value > 0 else { throw Bad() }
            day = try container.decode(String.self, forKey: .day).prefix(10)
            guard day.count == 10 else { throw Bad() }
        }

        struct Bad: Error {}
    }

    @Test func partsAreFollowed() throws {
        #expect(try Self.definitions(Nested.self) == ["Nested: {address: {city: String, zips: [Int]}}"])
    }

    @Test func whatATypeDoesWithoutIsOptional() throws {
        #expect(
            try Self.definitions(Lenient.self) == ["Lenient: {size: JSON?, name: String?, color: String?, note: String?}"])
    }

    @Test func whatATypeTakesInsteadIsAnAlternative() throws {
        #expect(try Self.definitions(Either.self) == ["Either: {id: String | Int}"])
        #expect(try Self.notation(TextOrObject.self) == "String | {color: red | green}")
    }

    @Test func aTypeThatChecksItsValuesGetsOthers() throws {
        #expect(try Self.definitions(Positive.self) == ["Positive: {value: Int, day: String}"])
    }

    enum Shape: Decodable {
        case circle(Double)
        case square(Int)
        case nothing

        enum Kind: String, Codable, CaseIterable { case circle, square, none, never, empty }
        enum CodingKeys: CodingKey { case kind, radius, side }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            switch try container.decode(Kind.self, forKey: .kind) {
            case .circle: self = .circle(try container.decode(Double.self, forKey: .radius))
            case .square: self = .square(try container.decode(Int.self, forKey: .side))
            case .none, .empty: self = .nothing
            case .never: throw Positive.Bad()
            }
        }
    }

    @Test func objectsToldApartByAnEnum() throws {
        #expect(
            try Self.definitions(Shape.self) == [
                "Shape: Shape.Circle | Shape.Square | Shape.None",
                "Shape.Circle: {kind: \"circle\", radius: Double}", "Shape.Square: {kind: \"square\", side: Int}",
                "Shape.None: {kind: none | empty}",
            ])
    }

    struct Free: Decodable {
        var values: [String: Double] = [:]

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: AnyKey.self)
            for key in container.allKeys { values[key.stringValue] = try container.decode(Double.self, forKey: key) }
        }

        struct AnyKey: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init?(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
    }

    @Test func freeKeysAreADictionary() throws {
        #expect(try Self.notation(Free.self) == "[String: Double]")
    }

    enum Payload: Codable { case left(Int), right(text: String) }

    struct Money: Decodable, TypeNotated {
        static var typeNotation: String { "Decimal(string)" }
        init(from decoder: any Decoder) throws { throw Positive.Bad() }
    }

    struct Stubborn: Decodable {
        init(from decoder: any Decoder) throws { throw Positive.Bad() }
    }

    final class Endless: Codable {
        var inner: Endless
        init(inner: Endless) { self.inner = inner }
    }

    @Test func whatCannotBeToldIsRefusedWithAdvice() {
        let refused: [any Decodable.Type] = [Payload.self, Stubborn.self, Endless.self, [Money: Int].self]
        for type in refused {
            let error = #expect(throws: ProbeRefusal.self, "\(type)") { try Self.notation(type) }
            let text = error?.description ?? ""
            #expect(text.contains("TypeNotated") || text.contains("CodingKeyRepresentable"), "\(text)")
        }
    }

    @Test func aTypeMaySayItself() throws {
        #expect(try Self.notation([Money?].self) == "[Decimal(string)?]")
    }

    struct Wrong: Decodable, TypeNotated {
        static var typeNotation: String { "Intt(" }
    }

    @Test func aWrongNotationIsTold() {
        let error = #expect(throws: ProbeRefusal.self) { try Self.notation(Wrong.self) }
        #expect(error?.description.contains("Intt(") == true)
    }
}

extension TypeProbeTests.Money: Hashable {}
