public import FoundationEssentials

/// Any JSON value, for what has no type of its own in a program.
public enum JSONValue: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number without a fraction.
    case integer(Int64)
    /// A number that is too large for ``integer(_:)``.
    case unsigned(UInt64)
    /// A number with a fraction, or with an exponent.
    case number(Double)
    /// A number with more digits than ``number(_:)`` has.
    case decimal(Decimal)
    /// A text, without its quotes and escapes.
    case text(String)
    /// A list, in its order.
    case array([JSONValue])
    /// An object; the order of its members is not kept.
    case object([String: JSONValue])

    /// The places, as paths behind a `$`, at which a value stands within this one.
    func places(of wanted: JSONValue, at path: String = "$") -> [String] {
        if self == wanted { return [path] }
        switch self {
        case .object(let members):
            return members.sorted { $0.key < $1.key }.flatMap { $0.value.places(of: wanted, at: "\(path).\($0.key)") }
        case .array(let elements):
            return elements.enumerated().flatMap { $0.element.places(of: wanted, at: "\(path)[\($0.offset)]") }
        default: return []
        }
    }
}

extension JSONValue: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = Self.number(in: container) {
            self = value
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// A number, in the first kind that has all its digits. The exact one comes first: the decoder takes numbers for
    /// integers that are so near to them that a `Double` is the same.
    private static func number(in container: any SingleValueDecodingContainer) -> JSONValue? {
        let exact = try? container.decode(Decimal.self)
        if let exact, let value = Int64(exact.description) { return .integer(value) }
        if let exact, let value = UInt64(exact.description) { return .unsigned(value) }
        if exact == nil, let value = try? container.decode(Int64.self) { return .integer(value) }
        guard let value = try? container.decode(Double.self) else { return exact.map { .decimal($0) } }
        return exact.flatMap { digits($0) == digits(value) ? nil : .decimal($0) } ?? .number(value)
    }

    /// The digits of a number that count, wherever its point stands.
    private static func digits(_ number: some CustomStringConvertible) -> String {
        let digits = number.description.prefix { $0 != "e" && $0 != "E" }.filter(\.isNumber).drop { $0 == "0" }
        return String(digits.reversed().drop { $0 == "0" })
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .unsigned(let value): try container.encode(value)
        case .decimal(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}
