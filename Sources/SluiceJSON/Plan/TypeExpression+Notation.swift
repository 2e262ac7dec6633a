import SluiceContract

extension TypeExpression {
    /// As the configuration writes it, for faults; an object written in place is just `object`.
    var notation: String {
        switch self {
        case .scalar(let scalar): scalar.notation
        case .literals(let literals): literals.joined(separator: " | ")
        case .array(let element): "[\(element.notation)]"
        case .dictionary(let value): "{\"*\": \(value.notation)}"
        case .optional(let wrapped): wrapped.isSum ? "(\(wrapped.notation))?" : wrapped.notation + "?"
        case .union(let alternatives): alternatives.map(\.notation).joined(separator: " | ")
        case .null: "null"
        case .object: "object"
        case .named(let name): name
        }
    }

    private var isSum: Bool {
        switch self {
        case .union: true
        case .literals(let literals): literals.count > 1
        default: false
        }
    }
}

extension Scalar {
    /// As the configuration writes it.
    var notation: String {
        switch self {
        case .string: "String"
        case .bool: "Bool"
        case .int: "Int"
        case .int8: "Int8"
        case .int16: "Int16"
        case .int32: "Int32"
        case .int64: "Int64"
        case .uint: "UInt"
        case .uint8: "UInt8"
        case .uint16: "UInt16"
        case .uint32: "UInt32"
        case .uint64: "UInt64"
        case .double: "Double"
        case .decimal: "Decimal"
        case .date(.iso8601): "Date"
        case .date(let format): "Date(\(format.rawValue))"
        case .uuid: "UUID"
        case .url: "URL"
        case .data: "Data"
        case .json: "JSON"
        }
    }
}
