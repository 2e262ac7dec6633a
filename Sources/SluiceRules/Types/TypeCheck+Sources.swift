internal import SluiceContract

/// Objects that are put together: fields whose values stand deeper in the document, or in the answer's head.
extension TypeCheck {
    func checkSources(_ object: ObjectType, _ scope: Scope) {
        if let unknown = object.unknown, unknown != .drop {
            (scope / "*").mistake(
                "an object that is put together has its fields alone", at: .value, expected: "no '\"*\"', or drop",
                suggestion: .advice("for all other keys as well, leave 'from' with a path out"))
        }
        for field in object.fields {
            switch field.source {
            case nil: break
            case .path(let path): check(path, of: field, scope / field.name)
            case .header(let name, let relation): checkHead(field, name, relation, scope / field.name)
            case .status: checkHead(field, nil, nil, scope / field.name)
            }
        }
        guard let (one, other) = object.overlap, let path = other.path, let before = one.path else { return }
        (scope / other.name).mistake(
            path == before
                ? "two fields are read from '\(path)'"
                : "'\(path)' of '\(other.name)' and '\(before)' of '\(one.name)' stand inside each other",
            at: .innerType,
            expected: "fields of which none is a part of what another one reads")
    }

    private func check(_ path: FieldPath, of field: ObjectType.Field, _ scope: Scope) {
        if case .key? = path.components.first?.step {
        } else {
            scope.mistake(
                "'\(path)' begins with no key, and stands in an object", at: .innerType, expected: "a key of the object"
            )
        }
        if let first = path.components.firstIndex(where: \.isOptional),
            first < path.components.firstIndex(where: { $0.step == .wildcard }) ?? .max
        {
            scope.mistake(
                "'?' in '\(path)' says nothing in front of a '*'", at: .innerType,
                expected: "'?' behind the field's name or its type, where the value may be absent")
        }
        if path.hasWildcard, !types.canBeArray(field.type) {
            scope.mistake(
                "path '\(path)' yields an array, and '\(field.name)' is \(field.type)", at: .innerType,
                expected: "an array", suggestion: .didYouMean("[\(field.type)]"))
        }
    }

    private func checkHead(_ field: ObjectType.Field, _ name: String?, _ relation: String?, _ scope: Scope) {
        var type = field.type
        if case .optional(let wrapped)? = types.resolved(type) { type = wrapped }
        if !types.isScalar(type) {
            scope.mistake(
                "'\(field.name)' is \(field.type), and what a head has is text", at: .innerType,
                expected: "a scalar, a set of strings, or an optional one of those")
        }
        guard let name else { return }
        if !Name.isToken(name) {
            scope.mistake(
                "'\(name)' is no field name", at: .innerType,
                expected: "letters, digits and '-' (RFC 9110 §5.6.2 token)")
        } else if name.lowercased() == "set-cookie" {
            scope.mistake("cookies are no part of a value", at: .innerType, expected: "'set-cookie:' of the binding")
        } else if relation != nil, name.lowercased() != "link" {
            scope.mistake("a field '\(name)' has no relations", at: .innerType, expected: "header Link rel=next")
        }
    }

    // MARK: - Where such objects may stand

    /// What comes of the head belongs to the whole value.
    func checkHeads(of value: TypeExpression, _ scope: Scope) {
        var root = types.resolved(value)
        if case .optional(let wrapped)? = root { root = types.resolved(wrapped) }
        var inside = value
        if case .object(let object)? = root { inside = .union(object.fields.map(\.type)) }
        guard let field = first(in: inside, where: { $0.source != nil && $0.path == nil }) else { return }
        scope.mistake(
            "'\(field.name)' is taken from the answer's head, and stands deeper in the value", at: .innerType,
            expected: "such a field in the object that is the value itself")
    }

    /// What is put together cannot be taken apart again.
    func checkRequest(_ type: TypeExpression, _ scope: Scope) {
        guard let field = first(in: type, where: { $0.source != nil }), let source = field.source else { return }
        scope.mistake(
            "'\(field.name)' is taken from '\(source)' of an answer, and cannot be sent", at: .innerType,
            expected: "a type of its own for what is sent")
    }

    /// The first field like that, wherever it stands in the type.
    private func first(
        in type: TypeExpression, where isMeant: (ObjectType.Field) -> Bool
    ) -> ObjectType.Field? {
        if types.isEndless { return nil }
        var seen: Set<TypeExpression> = []
        var left = [type]
        while let next = left.popLast() {
            guard seen.insert(next).inserted, let meaning = types.resolved(next) else { continue }
            switch meaning {
            case .array(let inner), .dictionary(let inner), .optional(let inner), .constrained(let inner, _):
                left.append(inner)
            case .union(let members): left += members.reversed()
            case .choice(let choice): left += choice.alternatives.map(\.type) + [choice.others].compactMap(\.self)
            case .object(let object):
                if let found = object.fields.first(where: isMeant) { return found }
                left += object.fields.map(\.type).reversed()
            case .scalar, .literals, .open, .constant, .converted, .null, .named: break
            }
        }
        return nil
    }
}
