extension TypeExpression {
    /// The same type as one that knows all there is: no key but its own, and no case but those it lists. What is at
    /// fault with it, and not with the type itself, is new.
    ///
    /// Objects that are alternatives of each other stay as they are, because another key would make them none of them.
    /// Names are looked up among ``noticing(_:)`` of the definitions.
    public func noticing(_ notices: Set<DriftPolicy.Notice>) -> TypeExpression {
        switch self {
        case .open(let cases) where notices.contains(.unknownCases): .literals(cases)
        case .scalar, .literals, .open, .constant, .converted, .null: self
        case .constrained(let inner, let constraint): .constrained(inner.noticing(notices), constraint)
        case .array(let element): .array(element.noticing(notices))
        case .dictionary(let value): .dictionary(value.noticing(notices))
        case .optional(let wrapped): .optional(wrapped.noticing(notices))
        case .union(let members): .union(members.map { $0.noticingInUnion(notices) })
        case .choice: self
        case .object(let object): .object(object.noticing(notices))
        case .named(let name): .named(Self.noticingName(name))
        }
    }

    /// The name of a type that is looked at closely, beside the one that is not. No author can write it.
    static func noticingName(_ name: String) -> String { name + "!" }

    private func noticingInUnion(_ notices: Set<DriftPolicy.Notice>) -> TypeExpression {
        switch self {
        case .open: noticing(notices)
        default: self
        }
    }
}

extension ObjectType {
    fileprivate func noticing(_ notices: Set<DriftPolicy.Notice>) -> ObjectType {
        var object = self
        for index in object.fields.indices {
            object.fields[index].type = object.fields[index].type.noticing(notices)
        }
        // What is put together has keys from everywhere.
        if notices.contains(.newKeys), !isComposed { object.unknown = .reject }
        return object
    }
}

extension [TypeDefinition] {
    /// Each type twice: as it is, and as it is looked at closely.
    public func noticing(_ notices: Set<DriftPolicy.Notice>) -> [TypeDefinition] {
        self
            + map {
                TypeDefinition(
                    name: TypeExpression.noticingName($0.name), type: $0.type.noticing(notices))
            }
    }
}
