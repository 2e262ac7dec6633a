internal import SluiceContract

/// The named types of one configuration while it is checked.
struct TypeMeanings {
    /// Those that can be meant, readable or not, in their order.
    let names: [String]
    private let known: Set<String>
    let named: NamedTypes
    let definitions: [TypeDefinition]
    /// Whether some name only means itself in the end, or leads through more levels than anybody goes through: then
    /// none is followed.
    let isEndless: Bool

    init(_ declared: [ConfigurationDeclaration.TypeDeclaration], isEndless: Bool) {
        names = declared.map(\.name)
        known = Set(names)
        definitions = declared.compactMap { type in type.type.map { TypeDefinition(name: type.name, type: $0) } }
        named = NamedTypes(definitions)
        self.isEndless = isEndless
    }

    private init(_ names: [String], _ definitions: [TypeDefinition], isEndless: Bool) {
        (self.names, known, self.definitions, self.isEndless) = (names, Set(names), definitions, isEndless)
        named = NamedTypes(definitions)
    }

    /// The same names, with other meanings.
    func meaning(_ definitions: [TypeDefinition]) -> TypeMeanings {
        TypeMeanings(names, definitions, isEndless: isEndless)
    }

    /// As clients of a binding see them.
    func localForms(_ keys: KeyStyle) -> TypeMeanings {
        TypeMeanings(names, definitions.localForms(keys), isEndless: isEndless)
    }

    /// Follows names until something else is reached; nil where that is impossible.
    func resolved(_ type: TypeExpression) -> TypeExpression? {
        // In a circle or chain of names, none of them leads anywhere for sure.
        if isEndless, case .named = type { return nil }
        let resolved = named.resolved(type)
        if case .named = resolved { return nil }
        return resolved
    }

    func isKnown(_ name: String) -> Bool { known.contains(name) }

    /// For suggestions.
    var suggested: [String] { names + Scalar.names.map(\.name) }
}

extension TypeMeanings {
    /// A scalar, a closed set, or a choice of those.
    func isScalar(_ type: TypeExpression) -> Bool {
        switch resolved(type) {
        case .scalar(.json): false
        case .scalar, .literals, .open, .constant: true
        case .constrained(let inner, _): isScalar(inner)
        case .union(let members): members.allSatisfy(isScalar)
        // What could not be read has its own mistake.
        case nil: true
        case .array, .dictionary, .optional, .converted, .null, .object, .choice, .named: false
        }
    }

    /// What can be written as text.
    func isText(_ type: TypeExpression) -> Bool {
        switch resolved(type) {
        case .optional(let wrapped): isText(wrapped)
        case .array(let element), .constrained(.array(let element), _): isScalar(element)
        default: isScalar(type)
        }
    }

    func isList(_ type: TypeExpression) -> Bool {
        switch resolved(type) {
        case .optional(let wrapped): isList(wrapped)
        case .array, .constrained(.array, _), nil: true
        default: false
        }
    }

    func isOptional(_ type: TypeExpression) -> Bool {
        if case .optional = resolved(type) { true } else { false }
    }

    func canBeArray(_ type: TypeExpression) -> Bool {
        switch resolved(type) {
        case .array, .constrained(.array, _), .scalar(.json), nil: true
        case .optional(let wrapped): canBeArray(wrapped)
        case .union(let members): members.contains(where: canBeArray)
        case .scalar, .literals, .open, .constant, .constrained, .converted, .dictionary, .null, .object, .choice,
            .named:
            false
        }
    }
}
