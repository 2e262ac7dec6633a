extension TypeExpression {
    /// The same type as local clients see its values: keys have their own names, conversions are done, and what stood
    /// elsewhere in the upstream's answer stands in its object. Names stay names, to be looked up among local forms.
    /// - Parameter keys: how the binding that has the type renames keys.
    public func localForm(_ keys: KeyStyle) -> TypeExpression {
        switch self {
        case .scalar, .literals, .open, .constant, .null, .named: self
        case .converted(_, let to): .scalar(to)
        case .constrained(let inner, let constraint): .constrained(inner.localForm(keys), constraint)
        case .array(let element): .array(element.localForm(keys))
        case .dictionary(let value): .dictionary(value.localForm(keys))
        case .optional(let wrapped): .optional(wrapped.localForm(keys))
        case .union(let members): .union(members.map { $0.localForm(keys) })
        case .choice(let choice): .choice(choice.localForm(keys))
        case .object(let object): .object(object.localForm(keys))
        }
    }
}

extension ObjectType {
    /// What is put together has no other keys; nor may some come in that its author has left out.
    fileprivate func localForm(_ keys: KeyStyle) -> ObjectType {
        var local = self
        local.fields = fields.map { field in
            var own = field
            (own.name, own.from, own.source) = (keys.localKey(of: field), nil, nil)
            own.type = field.type.localForm(keys)
            return own
        }
        if isComposed { local.unknown = .drop }
        return local
    }
}

extension ObjectChoice {
    fileprivate func localForm(_ keys: KeyStyle) -> ObjectChoice {
        ObjectChoice(
            key: keys.localKey(key),
            alternatives: alternatives.map { Alternative(value: $0.value, type: $0.type.localForm(keys)) },
            others: others?.localForm(keys))
    }
}

extension [TypeDefinition] {
    /// What names mean to clients of a binding that renames keys so.
    public func localForms(_ keys: KeyStyle) -> [TypeDefinition] {
        map { TypeDefinition(name: $0.name, type: $0.type.localForm(keys)) }
    }
}
