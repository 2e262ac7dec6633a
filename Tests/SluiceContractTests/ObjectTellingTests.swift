import Testing

@testable import SluiceContract

@Suite struct ObjectTellingTests {
    private static func field(_ name: String, _ type: TypeExpression, from: String? = nil) -> ObjectType.Field {
        ObjectType.Field(name: name, from: from, type: type)
    }

    private static func telling(_ objects: [[ObjectType.Field]?]) -> ObjectTelling? {
        ObjectTelling(objects.map { fields in fields.map { ObjectType(fields: $0) } }, resolve: { $0 })
    }

    private static let int = TypeExpression.scalar(.int)
    private static let maybe = TypeExpression.optional(int)

    @Test func byTheFirstKeyWhoseValuesDiffer() {
        let card = Self.field("type", .literals(["card"]))
        let bank = Self.field("kind", .literals(["bank"]), from: "type")
        let common = Self.field("id", Self.int)
        let values: [[ObjectTelling.Value]?] = [
            [.init(text: "card", isString: true)], [.init(text: "bank", isString: true)], nil,
        ]
        #expect(Self.telling([[common, card], [common, bank]]) == .value(of: card, Array(values[..<2])))
        #expect(Self.telling([[common, card], [common, bank], [common]]) == .value(of: card, values))
        #expect(Self.telling([[common, card], [common, card]]) == nil)
        #expect(Self.telling([[common, card], [common], [common]]) == nil)
    }

    @Test func byKeysThatOneAloneRequires() {
        let (a, b) = (Self.field("a", Self.int), Self.field("b", Self.int))
        let (c, d) = (Self.field("c", Self.maybe), Self.field("a", Self.int, from: "d"))
        #expect(Self.telling([[c, a], [c, b]]) == .keys([[a], [b]]))
        #expect(Self.telling([[a, c], [d]]) == .keys([[a], [d]]))
        #expect(Self.telling([[a], [c], nil]) == nil)
        #expect(Self.telling([[a, b], nil]) == .keys([[a], []]))
        #expect(Self.telling([[a, b], [a]]) == .keys([[b], []]))
        #expect(Self.telling([[a, b, c], [c]]) == .keys([[a, b], []]))
        #expect(Self.telling([[a, b], [d, c], [c]]) == .keys([[a], [d], []]))
    }

    /// A value of its own is none that is another one than the other's.
    @Test func aSetInOneOfTwoTellsByItsKey() {
        let (a, b) = (Self.field("a", Self.int), Self.field("b", Self.int))
        let color = Self.field("color", .literals(["red", "green"]))
        let size = Self.field("size", .literals(["big"]))
        #expect(Self.telling([[a, color], [b]]) == .keys([[a], [b]]))
        #expect(Self.telling([[color, a], [b]]) == .keys([[color], [b]]))
        #expect(Self.telling([[b, a, color], [b]]) == .keys([[a, color], []]))
        let values: [[ObjectTelling.Value]?] = [
            [.init(text: "red", isString: true), .init(text: "green", isString: true)], nil,
        ]
        // A dictionary may have any key, and an object with the field may have any value.
        #expect(Self.telling([[a, color], nil]) == .value(of: color, values))
        let anyColor = Self.field("color", .scalar(.string))
        #expect(Self.telling([[a, color], [anyColor]]) == .value(of: color, values))
        // Unless another set is in one of them alone.
        #expect(Self.telling([[a, color, size], [anyColor]]) == .keys([[a, size], []]))
    }

    /// Each field is looked at a few times, however many alternatives there are.
    @Test func manyAlternativesWithManyFields() {
        let common = (0..<50).map { Self.field("f\($0)", Self.maybe) }
        let objects = (0..<40).map { number -> ObjectType? in
            ObjectType(fields: common + [Self.field("own\(number)", Self.int)])
        }
        var asked = 0
        let telling = ObjectTelling(objects) { type in
            asked += 1
            return type
        }
        #expect(telling == .keys(objects.map { object in object.map { [$0.fields[50]] } ?? [] }))
        #expect(asked <= 2 * 40 * 51)
    }
}
