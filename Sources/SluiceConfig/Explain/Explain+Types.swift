import SluiceContract

extension Explain {
    static func type(_ definition: TypeDefinition, _ writer: inout YAMLWriter) {
        guard case .object(let object) = definition.type else {
            writer.raw(definition.name, block(definition.type))
            return
        }
        writer.mapping(definition.name) { writer in
            for field in object.fields { writer.raw(name(field), block(field)) }
            if let unknown = object.unknown { writer.key("*", unknown.rawValue) }
        }
    }

    /// A type on one line: in the type notation, or as YAML where it contains an object.
    static func flow(_ type: TypeExpression) -> String {
        switch type {
        case .object(let object):
            var members = object.fields.map { "\(YAMLWriter.scalar(name($0))): \(flow($0))" }
            if let unknown = object.unknown { members.append("\"*\": \(unknown.rawValue)") }
            return "{\(members.joined(separator: ", "))}"
        case .choice(let choice):
            var members = ["union: \(YAMLWriter.scalar(ReadingContext.writtenKey(choice.key)))"]
            members += choice.alternatives.map { "\(YAMLWriter.scalar($0.value)): \(flow($0.type))" }
            if let others = choice.others { members.append("default: \(flow(others))") }
            return "{\(members.joined(separator: ", "))}"
        case .array(let element): return "[\(flow(element))]"
        case .dictionary(let value): return "{\"*\": \(flow(value))}"
        // An optional inline object is marked by the field or parameter (`optional: true`).
        case .optional(let wrapped) where wrapped.hasObject: return flow(wrapped)
        case .scalar, .literals, .open, .constant, .constrained, .converted, .optional, .union, .null, .named:
            return YAMLWriter.scalar(type.description)
        }
    }

    /// The same after a key in block context, with fewer quotes.
    static func block(_ type: TypeExpression) -> String {
        switch type {
        case .array, .dictionary, .object, .choice: flow(type)
        case .optional where type.hasObject: flow(type)
        case .scalar, .literals, .open, .constant, .constrained, .converted, .optional, .union, .null, .named:
            YAMLWriter.block(type.description)
        }
    }

    private static func name(_ field: ObjectType.Field) -> String {
        field.mayBeAbsent ? field.name + "?" : field.name
    }

    private static func block(_ field: ObjectType.Field) -> String {
        let isPlain = field.from == nil && field.source == nil && field.defaultJSON == nil && !field.type.hasObject
        return isPlain ? block(field.type) : flow(field)
    }

    private static func flow(_ field: ObjectType.Field) -> String {
        var type = field.type
        var more: [String] = []
        if let from = field.from { more.append("from: \(YAMLWriter.scalar(FieldSource.written(key: from)))") }
        if let source = field.source { more.append("from: \(YAMLWriter.scalar(source.description))") }
        if let text = field.defaultJSON { more.append("default: \(text)") }
        if case .optional(let wrapped) = type, wrapped.hasObject {
            type = wrapped
            more.append("optional: true")
        }
        // An object with a field `type` would be taken for the long form.
        if case .object(let object) = type, object.fields.contains(where: { $0.name == "type" }) {
            return "{" + (["type: \(flow(type))"] + more).joined(separator: ", ") + "}"
        }
        return more.isEmpty ? flow(type) : "{" + (["type: \(flow(type))"] + more).joined(separator: ", ") + "}"
    }
}
