internal import SluiceContract
internal import SluiceJSON

/// Defaults of a page as values in Swift.
struct SwiftDefault {
    private let types: [String: TypeExpression]

    init(_ definitions: [TypeDefinition]) {
        types = Dictionary(definitions.map { ($0.name, $0.type) }) { first, _ in first }
    }

    /// - Returns: nil for what has no literal: objects, and what Foundation reads from a text.
    func literal(_ json: String, _ type: TypeExpression) -> String? {
        JSONNode(json).flatMap { literal($0, type) }
    }

    private func literal(_ node: JSONNode, _ type: TypeExpression) -> String? {
        switch type {
        case .scalar(let scalar), .converted(_, let scalar): return Self.literal(node, scalar)
        case .constrained(let inner, _): return literal(node, inner)
        case .named(let name): return types[name].flatMap { literal(node, $0) }
        case .optional(let wrapped):
            if case .null = node { return "nil" }
            return literal(node, wrapped)
        case .literals(let strings):
            guard case .string(let text) = node, let index = strings.firstIndex(of: text) else { return nil }
            let property = SwiftName.properties(strings)[index]
            // Where the type is optional, `.none` and `.some` are cases of Optional.
            return ["none", "some"].contains(property) ? nil : ".\(SwiftName.escaped(property))"
        case .open: return Self.literal(node, .string)
        case .array(let element):
            guard case .array(let items) = node else { return nil }
            return Self.list(items.map { literal($0, element) })
        case .dictionary(let value):
            guard case .object(let members) = node else { return nil }
            return Self.dictionary(members.map { ($0.key, literal($0.value, value)) })
        case .union(let members):
            if let member = SwiftTypes.besideNull(members) { return literal(node, .optional(member)) }
            return Self.anything(node)
        case .constant, .choice, .null: return Self.anything(node)
        case .object: return nil
        }
    }

    private static func literal(_ node: JSONNode, _ scalar: Scalar) -> String? {
        switch scalar {
        case .json: return anything(node)
        case .string, .quoted, .date(.local):
            guard case .string(let text) = node else { return nil }
            return SwiftText.literal(text)
        case .bool:
            guard case .bool(let text) = node else { return nil }
            return text
        case .double, .date(.seconds), .date(.milliseconds):
            guard case .number(let text) = node else { return nil }
            return text
        case .int, .int8, .int16, .int32, .int64, .uint, .uint8, .uint16, .uint32, .uint64:
            guard case .number(let text) = node, Int64(text) != nil || UInt64(text) != nil else { return nil }
            return text
        // With a point, a literal is a Double before it is a Decimal.
        case .decimal:
            guard case .number(let text) = node, Int64(text) != nil else { return nil }
            return text
        case .date, .uuid, .url, .data: return nil
        }
    }

    /// A `JSONValue`.
    private static func anything(_ node: JSONNode) -> String? {
        switch node {
        case .null: return ".null"
        case .bool(let text): return ".bool(\(text))"
        case .string(let text): return ".text(\(SwiftText.literal(text)))"
        case .array(let items): return list(items.map(anything)).map { ".array(\($0))" }
        case .object(let members):
            return dictionary(members.map { ($0.key, anything($0.value)) }).map { ".object(\($0))" }
        case .number(let text):
            if Int64(text) != nil { return ".integer(\(text))" }
            if UInt64(text) != nil { return ".unsigned(\(text))" }
            // A Double has all of that many digits.
            let isExact = text.utf8.count <= 15 && Double(text)?.isFinite == true
            return isExact ? ".number(\(text))" : nil
        }
    }

    private static func list(_ items: [String?]) -> String? {
        let literals = items.compactMap(\.self)
        return literals.count == items.count ? "[\(literals.joined(separator: ", "))]" : nil
    }

    private static func dictionary(_ members: [(key: String, value: String?)]) -> String? {
        if members.isEmpty { return "[:]" }
        // A literal with one key twice ends the program.
        guard Set(members.map(\.key)).count == members.count else { return nil }
        return list(members.map { key, value in value.map { "\(SwiftText.literal(key)): \($0)" } })
    }
}
