import SluiceContract
import SluiceJSON

/// Values that a type accepts, for trying a binding.
struct SampleValue {
    private let types: NamedTypes
    /// Types may be recursive. Below this depth a sample has only what its type demands.
    private static let fullDepthMax = 2
    /// Below this depth a sample has nothing.
    private static let depthMax = 12
    private static let lengthMax = 64

    init(_ types: NamedTypes) {
        self.types = types
    }

    /// The text for a path, a query, a header or a cookie; for a list, its first element.
    func text(_ type: TypeExpression) -> String { text(type, depth: 0) }

    private func text(_ type: TypeExpression, depth: Int) -> String {
        if depth > Self.depthMax { return "" }
        switch types.resolved(type) {
        case .array(let element), .constrained(.array(let element), _), .optional(let element):
            return text(element, depth: depth + 1)
        case .converted(_, let client): return text(.scalar(client), depth: depth + 1)
        case .union(let members):
            return text(members.first { $0 != .null } ?? .scalar(.string), depth: depth + 1)
        case let other:
            if case .string(let text) = json(other, depth: depth) { return text }
            return json(other, depth: depth).text
        }
    }

    /// The value for a body.
    func json(_ type: TypeExpression) -> JSONValue { json(type, depth: 0) }

    /// All strings of a set; nil for other types.
    func values(_ type: TypeExpression) -> [String]? { values(type, depth: 0) }

    private func values(_ type: TypeExpression, depth: Int) -> [String]? {
        if depth > Self.depthMax { return nil }
        return switch types.resolved(type) {
        case .literals(let texts), .open(let texts): texts
        case .optional(let inner), .array(let inner), .constrained(.array(let inner), _):
            values(inner, depth: depth + 1)
        default: nil
        }
    }

    private func json(_ type: TypeExpression, depth: Int) -> JSONValue {
        if depth > Self.depthMax { return .null }
        let isFull = depth < Self.fullDepthMax
        switch types.resolved(type) {
        case .scalar(let scalar), .converted(_, let scalar): return Self.scalar(scalar)
        case .literals(let texts), .open(let texts): return .string(texts.first ?? "")
        case .constant(let text): return .verbatim(text)
        case .constrained(let inner, let constraint): return constrained(inner, constraint, depth)
        case .array(let element): return .array(isFull ? [json(element, depth: depth + 1)] : [])
        case .dictionary(let value): return .object(isFull ? [("key", json(value, depth: depth + 1))] : [])
        case .optional(let wrapped): return json(wrapped, depth: depth + 1)
        case .union(let members): return json(members.first { $0 != .null } ?? .null, depth: depth + 1)
        case .null, .named: return .null
        case .object(let object):
            let fields = object.fields.filter { $0.source == nil && (isFull || !isOptional($0.type)) }
            return .object(fields.map { ($0.name, json($0.type, depth: depth + 1)) })
        case .choice(let choice):
            return choice.alternatives.first.map { json($0.type, depth: depth) } ?? .object([])
        }
    }

    private func isOptional(_ type: TypeExpression) -> Bool {
        if case .optional = types.resolved(type) { true } else { false }
    }

    private func constrained(_ type: TypeExpression, _ constraint: Constraint, _ depth: Int) -> JSONValue {
        let plain = json(type, depth: depth)
        guard let lower = constraint.range?.lower ?? constraint.range?.upper else { return plain }
        switch plain {
        case .number, .verbatim: return .verbatim(lower)
        case .string(let text) where constraint.pattern == nil:
            let fits = constraint.range?.contains(text.unicodeScalars.count) == true
            let count = min(Int(lower) ?? 1, Self.lengthMax)
            return fits ? plain : .string(String(repeating: "a", count: max(count, 1)))
        case .array(let items):
            let count = min(Int(constraint.range?.lower ?? "") ?? 1, Self.lengthMax)
            return .array(items.first.map { Array(repeating: $0, count: max(count, 1)) } ?? [])
        default: return plain
        }
    }

    private static func scalar(_ scalar: Scalar) -> JSONValue {
        switch scalar {
        case .string: .string("text")
        case .bool: .bool(true)
        case .int, .int8, .int16, .int32, .int64, .uint, .uint8, .uint16, .uint32, .uint64: .number(1)
        case .double, .decimal: .verbatim("1.5")
        case .date(.iso8601): .string("2026-01-31T12:00:00Z")
        case .date(.local): .string("2026-01-31T12:00:00")
        case .date(.seconds): .number(1_769_860_800)
        case .date(.milliseconds): .number(1_769_860_800_000)
        case .uuid: .string("9f1c1c5e-3a52-4b7f-9d57-0d8f2f1f7a11")
        case .url: .string("https://example.com/")
        case .data: .string("aGVsbG8=")
        case .quoted(.bool): .string("true")
        case .quoted(.int): .string("1")
        case .quoted(.double), .quoted(.decimal): .string("1.5")
        case .json: .object([])
        }
    }
}
