internal import SluiceContract

/// What of a type makes another value of the one that it checks.
struct TypeChange {
    let types: TypeMeanings
    private var seen: Set<TypeExpression> = []

    init(types: TypeMeanings) {
        self.types = types
    }

    /// What is looked at next is put in a list and not on the stack: types lead to each other as far as their page is
    /// long.
    /// - Returns: nil where each value of the type goes out as it comes.
    mutating func reason(_ type: TypeExpression) -> String? {
        var open = [Step.type(type)]
        while let step = open.popLast() {
            switch step {
            case .reason(let reason): return reason
            case .type(let type): open += steps(from: type).reversed()
            }
        }
        return nil
    }

    private enum Step {
        case type(TypeExpression)
        case reason(String)
    }

    private mutating func steps(from type: TypeExpression) -> [Step] {
        switch type {
        case .scalar, .literals, .open, .constant, .null: return []
        case .converted: return [.reason("\(type) converts it")]
        case .constrained(let inner, _), .array(let inner), .dictionary(let inner), .optional(let inner):
            return [.type(inner)]
        case .union(let members): return members.map { .type($0) }
        case .choice(let choice):
            return (choice.alternatives.map(\.type) + [choice.others].compactMap(\.self)).map { .type($0) }
        case .object(let object): return Self.steps(from: object)
        case .named:
            guard seen.insert(type).inserted, let meaning = types.resolved(type) else { return [] }
            return [.type(meaning)]
        }
    }

    private static func steps(from object: ObjectType) -> [Step] {
        if object.unknown == .drop { return [.reason("'unknown: drop' leaves keys out")] }
        var steps: [Step] = []
        for field in object.fields {
            if let change = change(of: field) { return steps + [.reason(change)] }
            steps.append(.type(field.type))
        }
        return steps
    }

    private static func change(of field: ObjectType.Field) -> String? {
        if field.source != nil { return "'\(field.name)' is taken from elsewhere" }
        if let from = field.from, from != field.name { return "'\(from)' is renamed to '\(field.name)'" }
        return field.defaultJSON == nil ? nil : "'\(field.name)' has a default"
    }
}
