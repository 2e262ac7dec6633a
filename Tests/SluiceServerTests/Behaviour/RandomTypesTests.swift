import FoundationEssentials
import SluiceClient
import SluiceContract
import TestBytes
import Testing

@testable import SluiceServer

/// Types put together by chance, of the parts that programs put theirs together of, against schemas that are put
/// together by hand beside them.
@Suite struct RandomTypesTests {
    struct One<First: Codable>: Codable {
        var first: First
    }

    struct Pair<First: Codable, Second: Codable>: Codable {
        var first: First
        var second: Second?

        enum CodingKeys: String, CodingKey {
            case first = "the first"
            case second
        }
    }

    struct Triple<First: Codable, Second: Codable, Third: Codable>: Codable {
        var a: First
        var b: [Second]
        var c: Third
    }

    final class Node<Value: Codable>: Codable {
        var value: Value
        var next: Node?
        var others: [Node]

        init(_ value: Value) {
            (self.value, others) = (value, [])
        }
    }

    enum Side: String, Codable, CaseIterable { case left, right }
    enum Size: Int, Codable, CaseIterable { case small = 1, large }

    /// A type with its schema, in which definitions are written out where they are first met.
    struct Case: Sendable {
        var type: any (Codable & SendableMetatype).Type
        var schema: String
    }

    static let leaves: [Case] = [
        Case(type: String.self, schema: "String"), Case(type: Int.self, schema: "Int"),
        Case(type: Bool.self, schema: "Bool"), Case(type: Double.self, schema: "Double"),
        Case(type: UInt16.self, schema: "UInt16"), Case(type: Date.self, schema: "Date"),
        Case(type: URL.self, schema: "URL"), Case(type: UUID.self, schema: "UUID"),
        Case(type: Side.self, schema: "left | right"), Case(type: Size.self, schema: "1 | 2"),
        Case(type: Decimal.self, schema: "Decimal"), Case(type: Data.self, schema: "Data"),
    ]

    static func random(depth: Int, _ numbers: inout SplitMix) -> Case {
        func part() -> Case { random(depth: depth - 1, &numbers) }
        if depth == 0 { return leaves.randomElement(using: &numbers) ?? leaves[0] }
        switch Int.random(in: 0..<9, using: &numbers) {
        case 0: return list(part())
        case 1: return optional(part())
        case 2: return dictionary(part())
        case 3: return one(part())
        case 4, 5: return pair(part(), part())
        case 6: return triple(part(), part(), part())
        case 7: return node(part())
        default: return leaves.randomElement(using: &numbers) ?? leaves[0]
        }
    }

    static func list(_ element: Case) -> Case {
        func list<Element: Codable>(_ type: Element.Type) -> any (Codable & SendableMetatype).Type { [Element].self }
        return Case(type: list(element.type), schema: "[\(element.schema)]")
    }

    static func optional(_ wrapped: Case) -> Case {
        func optional<Wrapped: Codable>(_ type: Wrapped.Type) -> any (Codable & SendableMetatype).Type { Wrapped?.self }
        return Case(type: optional(wrapped.type), schema: maybe(wrapped.schema))
    }

    static func dictionary(_ value: Case) -> Case {
        func dictionary<Value: Codable>(_ type: Value.Type) -> any (Codable & SendableMetatype).Type {
            [String: Value].self
        }
        return Case(type: dictionary(value.type), schema: "[String: \(value.schema)]")
    }

    static func one(_ first: Case) -> Case {
        func one<First: Codable>(_ type: First.Type) -> any (Codable & SendableMetatype).Type { One<First>.self }
        return Case(type: one(first.type), schema: "{first: \(first.schema)}")
    }

    static func pair(_ first: Case, _ second: Case) -> Case {
        func pair<First: Codable, Second: Codable>(_ first: First.Type, _ second: Second.Type) -> any (
            Codable & SendableMetatype
        ).Type {
            Pair<First, Second>.self
        }
        return Case(
            type: pair(first.type, second.type), schema: "{the first: \(first.schema), second: \(maybe(second.schema))}"
        )
    }

    static func triple(_ a: Case, _ b: Case, _ c: Case) -> Case {
        func triple<A: Codable, B: Codable, C: Codable>(_ a: A.Type, _ b: B.Type, _ c: C.Type) -> any (
            Codable & SendableMetatype
        ).Type {
            Triple<A, B, C>.self
        }
        return Case(type: triple(a.type, b.type, c.type), schema: "{a: \(a.schema), b: [\(b.schema)], c: \(c.schema)}")
    }

    static func node(_ value: Case) -> Case {
        func node<Value: Codable>(_ type: Value.Type) -> any (Codable & SendableMetatype).Type { Node<Value>.self }
        return Case(type: node(value.type), schema: "{value: \(value.schema), next: (same)?, others: [(same)]}")
    }

    static func maybe(_ schema: String) -> String {
        schema.hasSuffix("?")
            ? schema
            : schema.contains(" | ") && !schema.hasPrefix("[") && !schema.hasPrefix("{")
                ? "(\(schema))?" : "\(schema)?"
    }

    /// A type in full: names are written out, and those within themselves are `(same)`.
    static func written(_ type: TypeExpression, _ types: NamedTypes, within names: [String] = []) -> String {
        switch type {
        case .named(let name) where names.contains(name): "(same)"
        case .named(let name): written(types.resolved(type), types, within: names + [name])
        case .array(let element): "[\(written(element, types, within: names))]"
        case .dictionary(let value): "[String: \(written(value, types, within: names))]"
        case .optional(let wrapped): maybe(written(wrapped, types, within: names))
        case .object(let object):
            "{" + object.fields.map { "\($0.name): \(written($0.type, types, within: names))" }.joined(separator: ", ")
                + "}"
        default: type.description
        }
    }

    @Test(arguments: 0..<10)
    func schemasAreThoseWrittenByHand(_ shard: Int) throws {
        var numbers = SplitMix(state: UInt64(shard) &* 7919 &+ 20_261_123)
        for number in 0..<1000 {
            let made = Self.random(depth: Int.random(in: 1...4, using: &numbers), &numbers)
            let probe = TypeProbe(JSONCoding())
            let expression = try probe.expression(of: made.type)
            let found = Self.written(expression, NamedTypes(probe.definitions))
            #expect(found == made.schema, "\(number) of \(shard): \(made.type)")
            if found != made.schema { return }
        }
    }
}
