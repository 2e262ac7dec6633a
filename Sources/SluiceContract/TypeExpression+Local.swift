extension TypeExpression {
    /// The same type as local clients see its values: keys have their own names, conversions are done, and what stood
    /// elsewhere in the upstream's answer stands in its object. Names stay names, to be looked up among ``localForms``.
    public var localForm: TypeExpression {
        switch self {
        case .scalar, .literals, .open, .constant, .null, .named: self
        case .converted(_, let to): .scalar(to)
        case .constrained(let inner, let constraint): .constrained(inner.localForm, constraint)
        case .array(let element): .array(element.localForm)
        case .dictionary(let value): .dictionary(value.localForm)
        case .optional(let wrapped): .optional(wrapped.localForm)
        case .union(let members): .union(members.map(\.localForm))
        case .choice(let choice): .choice(choice.localForm)
        case .object(let object): .object(object.localForm)
        }
    }
}

extension ObjectType {
    /// What is put together has no other keys; nor may some come in that its author has left out.
    fileprivate var localForm: ObjectType {
        var local = self
        local.fields = fields.map(\.localForm)
        if isComposed { local.unknown = .drop }
        return local
    }
}

extension ObjectType.Field {
    fileprivate var localForm: ObjectType.Field {
        var local = self
        (local.from, local.source) = (nil, nil)
        local.type = type.localForm
        return local
    }
}

extension ObjectChoice {
    fileprivate var localForm: ObjectChoice {
        ObjectChoice(
            key: localKey,
            alternatives: alternatives.map { Alternative(value: $0.value, type: $0.type.localForm) },
            others: others?.localForm)
    }

    /// What the alternatives call the field that tells.
    private var localKey: String {
        for case .object(let object) in alternatives.map(\.type) {
            if let field = object.fields.first(where: { ($0.from ?? $0.name) == key }) { return field.name }
        }
        return key
    }
}

extension [TypeDefinition] {
    public var localForms: [TypeDefinition] {
        map { TypeDefinition(name: $0.name, type: $0.type.localForm) }
    }
}
