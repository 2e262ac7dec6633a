internal import SluiceContract

/// What of a type makes another value of the one that it checks.
struct TypeChange {
    let types: TypeMeanings
    private var seen: Set<TypeExpression> = []

    init(types: TypeMeanings) {
        self.types = types
    }

    /// - Returns: nil where each value of the type goes out as it comes.
    mutating func reason(_ type: TypeExpression) -> String? {
        switch type {
        case .scalar, .literals, .open, .constant, .null: return nil
        case .converted: return "\(type) converts it"
        case .constrained(let inner, _), .array(let inner), .dictionary(let inner), .optional(let inner):
            return reason(inner)
        case .union(let members): return first(members)
        case .choice(let choice): return first(choice.alternatives.map(\.type) + [choice.others].compactMap(\.self))
        case .object(let object): return reason(object)
        case .named:
            guard seen.insert(type).inserted, let meaning = types.resolved(type) else { return nil }
            return reason(meaning)
        }
    }

    private mutating func first(_ types: [TypeExpression]) -> String? {
        for type in types {
            if let reason = reason(type) { return reason }
        }
        return nil
    }

    private mutating func reason(_ object: ObjectType) -> String? {
        if object.unknown == .drop { return "'unknown: drop' leaves keys out" }
        for field in object.fields {
            if field.source != nil { return "'\(field.name)' is taken from elsewhere" }
            if let from = field.from, from != field.name { return "'\(from)' is renamed to '\(field.name)'" }
            if field.defaultJSON != nil { return "'\(field.name)' has a default" }
            if let reason = reason(field.type) { return reason }
        }
        return nil
    }
}
