/// Objects told apart by the value of one key: `{union: type, card: Card, bank: Bank, default: JSON}`.
public struct ObjectChoice: Hashable, Sendable {
    /// The field that tells; it belongs to each alternative.
    public var key: String
    public var alternatives: [Alternative]
    /// What any other object is; nil means that there is none.
    public var others: TypeExpression?

    public init(key: String, alternatives: [Alternative], others: TypeExpression? = nil) {
        self.key = key
        self.alternatives = alternatives
        self.others = others
    }

    public struct Alternative: Hashable, Sendable {
        /// The text of the field: a string, a number or a truth value.
        public var value: String
        public var type: TypeExpression

        public init(value: String, type: TypeExpression) {
            self.value = value
            self.type = type
        }
    }
}

/// How objects that are alternatives are told apart without being named: by a field with a value of its own in each, or
/// by a key that only one of them requires.
public enum ObjectTelling: Hashable, Sendable {
    /// The field, and its values in each alternative; the one without any is taken where no value fits.
    case value(of: ObjectType.Field, [[Value]?])
    /// For each alternative a field that the others do not have; the one without any is taken where none of them is
    /// there.
    case keys([ObjectType.Field?])

    /// A value that tells: `"true"` is another one than `true`.
    public struct Value: Hashable, Sendable {
        public var text: String
        public var isString: Bool
    }

    /// - Parameters:
    ///   - objects: the alternatives; nil is one with free keys.
    ///   - resolve: what is behind a name.
    public init?(_ objects: [ObjectType?], resolve: (TypeExpression) -> TypeExpression?) {
        let values = Self.byValue(objects, resolve)
        let keys = Self.byKeys(objects, resolve)
        // What is left has the field, too, or some key is everybody's: the other way is surer.
        if let value = values.first(where: { !$0.isShared }) {
            self = value.telling
        } else if let keys, keys.isWhole || values.isEmpty {
            self = .keys(keys.fields)
        } else if let value = values.first {
            self = value.telling
        } else {
            return nil
        }
    }

    /// - Returns: ways to tell by a field, and whether the alternative that is left has it, too.
    private static func byValue(
        _ objects: [ObjectType?], _ resolve: (TypeExpression) -> TypeExpression?
    ) -> [(telling: ObjectTelling, isShared: Bool)] {
        let fields = objects.lazy.compactMap(\.self).flatMap(\.fields)
        // What stands elsewhere tells nothing.
        return fields.filter { $0.source == nil }.compactMap { field in
            let declared = objects.map { object in object?.fields.first { $0.isSame(as: field) } }
            let values = declared.map { $0.flatMap { Self.values(of: $0, resolve) } }
            let all = values.compactMap(\.self).joined()
            guard all.count > 0, values.count(where: { $0 == nil }) <= 1, Set(all).count == all.count else {
                return nil
            }
            return (.value(of: field, values), zip(declared, values).contains { $0 != nil && $1 == nil })
        }
    }

    private static func byKeys(
        _ objects: [ObjectType?], _ resolve: (TypeExpression) -> TypeExpression?
    ) -> (fields: [ObjectType.Field?], isWhole: Bool)? {
        let keys = objects.indices.map { number in
            objects[number]?.fields.first { field in
                field.isRequired(resolve)
                    && !objects.indices.contains { other in
                        other != number && objects[other]?.fields.contains { $0.isSame(as: field) } == true
                    }
            }
        }
        let missing = keys.count { $0 == nil }
        return missing <= 1 ? (keys, missing == 0) : nil
    }

    /// The values of a field that nothing else may be, and that is never missing; nil where it tells nothing.
    private static func values(
        of field: ObjectType.Field, _ resolve: (TypeExpression) -> TypeExpression?
    ) -> [Value]? {
        field.defaultJSON == nil && !field.mayBeAbsent ? values(of: field.type, resolve) : nil
    }

    private static func values(
        of type: TypeExpression, _ resolve: (TypeExpression) -> TypeExpression?
    ) -> [Value]? {
        guard let meaning = resolve(type) else { return nil }
        switch meaning {
        case .literals(let strings): return strings.map { Value(text: $0, isString: true) }
        case .constant(let json): return [Value(text: json, isString: false)]
        case .union(let members):
            let all = members.map { values(of: $0, resolve) }
            return all.contains { $0 == nil } ? nil : all.flatMap { $0 ?? [] }
        default: return nil
        }
    }
}

extension ObjectType.Field {
    fileprivate func isSame(as other: ObjectType.Field) -> Bool {
        source == nil && other.source == nil && (from ?? name) == (other.from ?? other.name)
    }

    fileprivate func isRequired(_ resolve: (TypeExpression) -> TypeExpression?) -> Bool {
        if case .optional? = resolve(type) { return false }
        return defaultJSON == nil && !mayBeAbsent && source == nil
    }
}
