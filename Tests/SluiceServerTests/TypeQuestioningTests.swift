import SluiceClient
import SluiceContract
import Testing

@testable import SluiceServer

/// Types that decode by hand, or say nothing of themselves.
@Suite struct TypeQuestioningTests {
    private static func notation(_ type: any Decodable.Type) throws -> String {
        try TypeProbeTests.notation(type)
    }

    private static func definitions(_ type: any Decodable.Type) throws -> [String] {
        try TypeProbeTests.definitions(type)
    }

    typealias Color = TypeProbeTests.Color

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
            try Self.definitions(Lenient.self) == [
                "Lenient: {size: JSON?, name: String?, color: String?, note: String?}"
            ])
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

    // MARK: - What depends on values

    struct Branching: Decodable {
        enum CodingKeys: CodingKey { case ok, data, error, both }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            if try container.decode(Bool.self, forKey: .ok) {
                _ = try container.decode(Int.self, forKey: .data)
            } else {
                _ = try container.decode(String.self, forKey: .error)
            }
            _ = try container.decode(Int.self, forKey: .both)
        }
    }

    struct Coded: Decodable {
        enum CodingKeys: CodingKey { case code, message, name }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            if try container.decodeIfPresent(Int.self, forKey: .code) != nil {
                _ = try container.decode(String.self, forKey: .message)
            }
            _ = try container.decode(String.self, forKey: .name)
        }
    }

    struct NoError: Decodable {
        enum CodingKeys: CodingKey { case error, name }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            if (try? container.decode(String.self, forKey: .error)) != nil { throw Positive.Bad() }
            _ = try container.decode(String.self, forKey: .name)
        }
    }

    @Test func onlyWhatEachWayNeedsIsRequired() throws {
        #expect(
            try Self.definitions(Branching.self) == [
                "Branching: {ok: Bool, data: Int?, both: Int, error: String?}"
            ] || Self.definitions(Branching.self) == ["Branching: {ok: Bool, error: String?, both: Int, data: Int?}"])
        #expect(try Self.definitions(Coded.self) == ["Coded: {code: Int?, message: String?, name: String}"])
        #expect(try Self.definitions(NoError.self) == ["NoError: {error: JSON?, name: String}"])
    }

    enum Mood: String, Decodable, CaseIterable {
        case happy, sad, unknown

        init(from decoder: any Decoder) throws {
            self = Mood(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .unknown
        }
    }

    @Test func anEnumThatTakesOthersIsOpen() throws {
        #expect(try Self.notation([Mood].self) == "[happy | sad | unknown | …]")
    }

    enum Number: Int, Decodable { case one = 1, two, three }

    @Test func numbersThatHappenToBeCasesTellNothing() {
        #expect(throws: ProbeRefusal.self) { try Self.notation(Number.self) }
    }

    struct Price: Decodable {
        var amount: Amount
        var discount: Odd

        struct Amount: Decodable, TypeNotated {
            static var typeNotation: String { "Decimal(string)" }

            init(from decoder: any Decoder) throws {
                guard Int(try decoder.singleValueContainer().decode(String.self)) != nil else { throw Positive.Bad() }
            }
        }

        struct Odd: Decodable, TypeNotated {
            static var typeNotation: String { "[Int]" }
            static var typeExample: String? { "[1, 2]" }

            init(from decoder: any Decoder) throws {
                guard try [Int](from: decoder).count == 2 else { throw Positive.Bad() }
            }
        }
    }

    @Test func typesThatSayThemselvesMayBeMembers() throws {
        #expect(try Self.definitions(Price.self) == ["Price: {amount: Decimal(string), discount: [Int]}"])
    }

    /// Each child is tried for two others: without a bound that would be 2 to the power of their depth.
    final class Lenient2: Decodable {
        var left: Lenient2?
        var right: Lenient2?

        enum CodingKeys: CodingKey { case left, right }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            left = try? container.decode(Lenient2.self, forKey: .left)
            right = try? container.decode(Lenient2.self, forKey: .right)
        }
    }

    @Test func whatTriesItselfAgainAndAgainEnds() throws {
        #expect(try Self.definitions(Lenient2.self) == ["Lenient2: {left: JSON?, right: JSON?}"])
    }

    @Test func onlySomeKeysMakeAnObject() throws {
        #expect(try Self.notation([Int: Bool].self) == "[String: Bool]")
        #expect(throws: ProbeRefusal.self) { try Self.notation([Int64: Bool].self) }
    }

    enum Secret: Codable { case key(String), other(Int) }

    @Test func payloadsAreRefusedWhateverTheirNames() {
        #expect(throws: ProbeRefusal.self) { try Self.notation(Secret.self) }
    }
}

extension TypeQuestioningTests.Money: Hashable {}
