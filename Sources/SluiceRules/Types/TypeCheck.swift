internal import SluiceContract

/// Looks at a type wherever one stands: names in it, alternatives, fields.
struct TypeCheck {
    let types: TypeMeanings
    /// Names that were met, for what nothing leads to.
    let mentions = Mentions()

    final class Mentions {
        fileprivate(set) var names: Set<String> = []
    }

    init(_ types: TypeMeanings) {
        self.types = types
    }

    func check(_ type: TypeExpression, _ scope: Scope) {
        guard type.hasObject else {
            checkNames(type, scope)
            checkUnions(type, scope)
            checkConstraints(type, scope)
            return
        }
        switch type {
        case .array(let inner), .dictionary(let inner), .optional(let inner), .constrained(let inner, _):
            check(inner, scope)
        case .object(let object): check(object, scope)
        case .union(let members):
            // Of objects written in place, the whole is looked at before the parts.
            checkUnions(type, scope)
            for member in members { check(member, scope) }
        case .choice(let choice): check(choice, scope)
        case .scalar, .literals, .open, .constant, .converted, .null, .named: break
        }
    }

    func check(_ object: ObjectType, _ scope: Scope) {
        for field in object.fields {
            let scope = scope / field.name
            check(field.type, scope)
            if let json = field.defaultJSON { DefaultCheck(types: types).check(json, field.type, scope / "default") }
        }
        if object.isComposed { return checkSources(object, scope) }
        // Two fields cannot be read from one key.
        var seen: Set<String> = []
        for field in object.fields where !seen.insert(field.from ?? field.name).inserted {
            scope.mistake(
                "two fields are read from the key '\(field.from ?? field.name)'", at: .innerType,
                expected: "a key for each field")
        }
    }
}

// MARK: - Names

extension TypeCheck {
    private func checkNames(_ type: TypeExpression, _ scope: Scope) {
        var names: [String] = []
        Self.collect(type, &names)
        if names.isEmpty { return }
        mentions.names.formUnion(names)
        let unknown = names.filter { !types.isKnown($0) }
        if unknown.isEmpty { return }
        let near = unknown.map { Nearest.name(to: $0, among: types.suggested) ?? ForeignType.name(for: $0) }
        // In a set whose strings begin with capitals, nothing is near to any name.
        if unknown.count == names.count, near.allSatisfy({ $0 == nil }), Self.hasAlternatives(type) {
            scope.mistake(
                "unknown type '\(unknown[0])'", at: .nameInType(unknown[0]),
                expected: "a name of 'types:', or a string in double quotes where it begins with a capital",
                suggestion: .didYouMean("\(Self.quoting(type))"))
            return
        }
        for (name, near) in zip(unknown, near) {
            scope.mistake(
                "unknown type '\(name)'", at: .nameInType(name), expected: "a built-in type or a name of 'types:'",
                suggestion: near.map { .didYouMean($0) })
        }
    }

    /// In the order in which the notation has them.
    private static func collect(_ type: TypeExpression, _ names: inout [String]) {
        switch type {
        case .named(let name): names.append(name)
        case .array(let inner), .dictionary(let inner), .optional(let inner), .constrained(let inner, _):
            collect(inner, &names)
        case .union(let members): for member in members { collect(member, &names) }
        case .scalar, .literals, .open, .constant, .converted, .null, .object, .choice: break
        }
    }

    private static func hasAlternatives(_ type: TypeExpression) -> Bool {
        switch type {
        case .union: true
        case .array(let inner), .dictionary(let inner), .optional(let inner), .constrained(let inner, _):
            hasAlternatives(inner)
        case .literals(let words), .open(let words): words.count > 1
        case .scalar, .constant, .converted, .null, .object, .choice, .named: false
        }
    }

    /// The same type with strings in the place of names.
    private static func quoting(_ type: TypeExpression) -> TypeExpression {
        switch type {
        case .named(let name): .literals([name])
        case .array(let inner): .array(quoting(inner))
        case .dictionary(let inner): .dictionary(quoting(inner))
        case .optional(let inner): .optional(quoting(inner))
        case .union(let members): .union(members.map(quoting))
        case .constrained(let inner, let constraint): .constrained(quoting(inner), constraint)
        case .scalar, .literals, .open, .constant, .converted, .null, .object, .choice: type
        }
    }
}
