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

    /// The field that tells, as the first alternative declares it that does; else a text. Each alternative has it.
    package func field(in types: NamedTypes) -> ObjectType.Field {
        for alternative in alternatives {
            guard case .object(let object) = types.resolved(alternative.type),
                let field = object.fields.first(where: { $0.name == key })
            else { continue }
            return field
        }
        return ObjectType.Field(name: key, type: .scalar(.string))
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
    /// For each alternative fields that the others do not have; the one without any is taken where none of them is
    /// there.
    case keys([[ObjectType.Field]])

    /// A value that tells: `"true"` is another one than `true`.
    public struct Value: Hashable, Sendable {
        public var text: String
        public var isString: Bool

        public init(text: String, isString: Bool) {
            (self.text, self.isString) = (text, isString)
        }
    }

    /// Complexity: linear in the fields of all alternatives.
    /// - Parameters:
    ///   - objects: the alternatives; nil is one with free keys.
    ///   - resolve: what is behind a name.
    public init?(_ objects: [ObjectType?], resolve: (TypeExpression) -> TypeExpression?) {
        let holders = Holders(objects)
        let values = Self.byValue(objects, holders, resolve)
        let keys = Self.byKeys(objects, holders, resolve)
        // What is left has the field, too, or some key is everybody's: the other way is surer. A field that only one of
        // two has tells by being there: a value that the API adds to its set makes no other alternative of it.
        if let value = values.first(where: { $0.rest == .lacksIt }) {
            self = value.telling
        } else if let keys, keys.isWhole || values.isEmpty || values.contains(where: { $0.rest == .isTheOther }) {
            self = .keys(keys.fields)
        } else if let value = values.first {
            self = value.telling
        } else {
            return nil
        }
    }

    /// For each key of a document, the objects that have it.
    private struct Holders {
        /// In the order in which the keys stand in the objects.
        private(set) var byKey: [[Place]] = []
        private var numbers: [String: Int] = [:]

        /// The first field that an object reads from a key.
        struct Place {
            var object: Int
            var field: Int
        }

        /// What stands elsewhere tells nothing.
        init(_ objects: [ObjectType?]) {
            for (object, meaning) in objects.enumerated() {
                for (position, field) in (meaning?.fields ?? []).enumerated() where field.source == nil {
                    let place = Place(object: object, field: position)
                    guard let number = numbers[field.key] else {
                        numbers[field.key] = byKey.count
                        byKey.append([place])
                        continue
                    }
                    if byKey[number].last?.object != object { byKey[number].append(place) }
                }
            }
        }

        func isAlone(_ field: ObjectType.Field) -> Bool {
            field.source == nil && numbers[field.key].map { byKey[$0].count == 1 } == true
        }
    }

    /// How the alternative in which a field has no value stands to it.
    private enum Rest {
        /// It lacks the field, or there is no such alternative.
        case lacksIt
        /// It has the field, too.
        case hasIt
        /// It lacks the field, which is in the only other alternative alone.
        case isTheOther
    }

    /// - Returns: ways to tell by a field.
    private static func byValue(
        _ objects: [ObjectType?], _ holders: Holders, _ resolve: (TypeExpression) -> TypeExpression?
    ) -> [(telling: ObjectTelling, rest: Rest)] {
        holders.byKey.compactMap { places in
            // One alternative may be without it.
            guard places.count + 1 >= objects.count else { return nil }
            var declared = objects.map { _ in nil as ObjectType.Field? }
            for place in places { declared[place.object] = objects[place.object]?.fields[place.field] }
            let values = declared.map { $0.flatMap { Self.values(of: $0, resolve) } }
            let all = values.compactMap(\.self).joined()
            guard let field = declared.lazy.compactMap(\.self).first, all.count > 0,
                values.count(where: { $0 == nil }) <= 1, Set(all).count == all.count
            else { return nil }
            let isShared = zip(declared, values).contains { $0 != nil && $1 == nil }
            let isOfOne = places.count == 1 && areTwo(objects)
            return (.value(of: field, values), isShared ? .hasIt : isOfOne ? .isTheOther : .lacksIt)
        }
    }

    /// Whether these are two objects without free keys.
    private static func areTwo(_ objects: [ObjectType?]) -> Bool {
        objects.count == 2 && objects.allSatisfy { $0 != nil }
    }

    private static func byKeys(
        _ objects: [ObjectType?], _ holders: Holders, _ resolve: (TypeExpression) -> TypeExpression?
    ) -> (fields: [[ObjectType.Field]], isWhole: Bool)? {
        let keys = objects.map { object in
            object?.fields.first { holders.isAlone($0) && $0.isRequired(resolve) }
        }
        let missing = keys.count { $0 == nil }
        guard missing <= 1 else { return nil }
        guard missing == 1, areTwo(objects) else { return (keys.map { [$0].compactMap(\.self) }, missing == 0) }
        // Where only one of two has such keys, an object with any of them is none of the other type.
        let all = objects.map { object in
            (object?.fields ?? []).filter { holders.isAlone($0) && $0.isRequired(resolve) }
        }
        return (all, false)
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
    /// What it is read from, where it has no other source.
    fileprivate var key: String { from ?? name }

    fileprivate func isRequired(_ resolve: (TypeExpression) -> TypeExpression?) -> Bool {
        if case .optional? = resolve(type) { return false }
        return defaultJSON == nil && !mayBeAbsent && source == nil
    }
}
