internal import SluiceContract

/// Whether every value of one type is one of another: what a part of a composed binding gives, and what is wanted of
/// it. Both are seen in the form that local clients get (``TypeExpression/localForm(_:)``).
///
/// What says nothing of itself (`JSON`) fits everywhere that it is checked when it comes.
struct TypeFit {
    let definitions: [TypeDefinition]
    private let types: NamedTypes
    private let placed: NamedTypes
    /// Whether values are held to the wanted type when they come: then `JSON` may turn out to fit.
    private let isProvenLater: Bool

    struct Fault: Hashable {
        /// The way to the place, as keys and `[]`.
        var way: String
        var text: String
        var suggestion: Suggestion?
    }

    /// - Parameters:
    ///   - definitions: in their local form.
    ///   - placed: with the places that fields are read from.
    ///   - isProvenLater: whether values are held to the wanted type when they come.
    init(_ definitions: [TypeDefinition], placed: [TypeDefinition], isProvenLater: Bool = true) {
        self.isProvenLater = isProvenLater
        self.definitions = definitions
        self.placed = NamedTypes(placed)
        types = NamedTypes(definitions)
    }

    /// Where values of several bindings meet.
    init(_ types: LocalTypes) { self.init(types.definitions, placed: types.placed) }

    func resolved(_ type: TypeExpression) -> TypeExpression { types.resolved(type) }

    /// What the author of a whole value says, with the places that its fields are read from.
    func meaning(of value: TypeExpression) -> TypeExpression {
        if case .optional(let wrapped) = placed.resolved(value) { return .optional(meaning(of: wrapped)) }
        return placed.resolved(value)
    }

    /// Why a value is none of the wanted type; nil where each one is.
    func fault(of given: TypeExpression, as wanted: TypeExpression) -> Fault? {
        var seen: Set<[TypeExpression]> = []
        return fault(given, wanted, "", &seen)
    }

    private func fault(
        _ given: TypeExpression, _ wanted: TypeExpression, _ way: String, _ seen: inout Set<[TypeExpression]>
    ) -> Fault? {
        // Types may mention themselves: what is being looked at is taken for granted.
        if given == wanted || !seen.insert([given, wanted]).inserted { return nil }
        let (own, other) = (resolved(given), resolved(wanted))
        func wrong() -> Fault? { Fault(way: way, text: "is \(given), and \(wanted) is wanted") }
        switch (own, other) {
        case (_, .scalar(.json)): return nil
        case (.scalar(.json), _) where isProvenLater: return nil
        case (.optional(let inner), .optional(let wrapped)): return fault(inner, wrapped, way, &seen)
        case (_, .optional(let wrapped)): return own == .null ? nil : fault(own, wrapped, way, &seen)
        case (.optional, _): return Fault(way: way, text: "may be absent, and \(wanted) is wanted")
        case (_, .converted(let from, _)): return fault(own, .scalar(from), way, &seen)
        case (.union(let members), _):
            for member in members {
                if let fault = fault(member, other, way, &seen) { return fault }
            }
            return nil
        case (_, .union(let members)):
            return members.contains { fault(own, $0, way, &seen) == nil } ? nil : wrong()
        case (.constrained(let inner, let one), .constrained(let wrapped, let another)):
            return one == another ? fault(inner, wrapped, way, &seen) : wrong()
        case (.constrained(let inner, _), _): return fault(inner, other, way, &seen) == nil ? nil : wrong()
        case (.array(let element), .array(let item)): return fault(element, item, way + "[]", &seen)
        case (.dictionary(let value), .dictionary(let item)): return fault(value, item, way + ".*", &seen)
        case (.object(let object), .object(let shape)): return fault(object, shape, way, &seen)
        default: return Self.isKind(own, of: other) ? nil : wrong()
        }
    }

    private func fault(
        _ given: ObjectType, _ wanted: ObjectType, _ way: String, _ seen: inout Set<[TypeExpression]>
    ) -> Fault? {
        for field in wanted.fields {
            let place = way.isEmpty ? field.name : "\(way).\(field.name)"
            guard let path = field.path else {
                return Fault(way: place, text: "is read from a head, which a composed answer has none of")
            }
            switch type(at: path, in: .object(given)) {
            case .failure(let fault): return Fault(way: place, text: fault.text, suggestion: fault.suggestion)
            case .success(let found):
                let mayBeAbsent = field.mayBeAbsent || field.defaultJSON != nil
                let own = mayBeAbsent ? present(found) : found
                if let fault = fault(own, field.type, place, &seen) { return fault }
            }
        }
        return nil
    }

    private func present(_ type: TypeExpression) -> TypeExpression {
        if case .optional(let wrapped) = resolved(type) { wrapped } else { type }
    }

    // MARK: - Simple types

    private static func isKind(_ given: TypeExpression, of wanted: TypeExpression) -> Bool {
        switch (given, wanted) {
        case (.literals(let own), .literals(let known)): return Set(own).isSubset(of: known)
        case (.literals, .open), (.open, .open): return true
        case (.literals, .scalar(.string)), (.open, .scalar(.string)): return true
        case (.constant(let json), .scalar(let scalar)):
            if json == "true" || json == "false" { return scalar == .bool }
            return !json.contains { ".eE".contains($0) } && [.int, .int64, .double, .decimal].contains(scalar)
                || [.double, .decimal].contains(scalar)
        case (.scalar(let one), .scalar(let other)): return one == other || wider(one).contains(other)
        default: return false
        }
    }

    /// Scalars that have all values of this one.
    private static func wider(_ scalar: Scalar) -> [Scalar] {
        switch scalar {
        case .int8: [.int16, .int32, .int64, .int, .double, .decimal]
        case .int16: [.int32, .int64, .int, .double, .decimal]
        case .int32: [.int64, .int, .double, .decimal]
        case .int64, .int: [.int64, .int, .double, .decimal]
        case .uint8: [.uint16, .uint32, .uint64, .uint, .int16, .int32, .int64, .int, .double, .decimal]
        case .uint16: [.uint32, .uint64, .uint, .int32, .int64, .int, .double, .decimal]
        case .uint32: [.uint64, .uint, .int64, .int, .double, .decimal]
        case .uint64, .uint: [.uint64, .uint, .double, .decimal]
        case .double: [.decimal]
        case .decimal: [.double]
        case .date(.iso8601): [.date(.local), .string]
        case .date(.local), .uuid, .url, .data, .quoted: [.string]
        case .date(.seconds), .date(.milliseconds): [.double, .decimal]
        case .string, .bool, .json: []
        }
    }

    // MARK: - Parameters

    /// The same for a value that travels as text: each scalar can be a `String`.
    func fault(ofText given: TypeExpression, as wanted: TypeExpression) -> Fault? {
        var own = resolved(given)
        var other = resolved(wanted)
        if case .optional(let wrapped) = other {
            other = resolved(wrapped)
            // What is absent is left out.
            if case .optional(let inner) = own { own = resolved(inner) }
        }
        if case .array(let item) = other {
            // One value is a list of one.
            if case .array(let element) = own { return fault(ofText: element, as: item) }
            return fault(ofText: own, as: item)
        }
        switch own {
        case .array, .constrained(.array, _), .object, .dictionary, .choice:
            return Fault(way: "", text: "is \(given), and no text")
        case .optional: return Fault(way: "", text: "may be absent, and \(wanted) is wanted")
        default: break
        }
        if other == .scalar(.string) { return nil }
        return fault(of: own, as: other)
    }

    // MARK: - Paths

    struct NoValue: Error {
        var text: String
        var suggestion: Suggestion?
    }

    /// The type of what stands at a path; optional where something on the way may be absent.
    func type(at path: FieldPath, in value: TypeExpression) -> Result<TypeExpression, NoValue> {
        var type = value
        var isOptional = false
        for (position, component) in path.components.enumerated() {
            var own = resolved(type)
            if case .optional(let wrapped) = own {
                isOptional = true
                own = resolved(wrapped)
            }
            if case .constrained(let inner, _) = own { own = inner }
            switch (own, component.step) {
            case (.scalar(.json), _): return .success(.scalar(.json))
            case (.object(let object), .key(let key)):
                guard let field = object.fields.first(where: { $0.name == key }) else {
                    return .failure(
                        NoValue(
                            text: "there is no '\(key)'",
                            suggestion: Nearest.suggestion(for: key, among: object.fields.map(\.name))))
                }
                if field.mayBeAbsent { isOptional = true }
                type = field.type
            case (.dictionary(let inner), .key), (.array(let inner), .index), (.array(let inner), .last),
                (.array(let inner), .first):
                isOptional = true
                type = inner
            case (.array(let element), .wildcard):
                let rest = FieldPath(components: Array(path.components[(position + 1)...]))
                return self.type(at: rest, in: element).map { collected($0, by: rest, mayBeAbsent: isOptional) }
            case (_, .key(let key)): return .failure(NoValue(text: "\(type) has no '\(key)'"))
            case (_, _): return .failure(NoValue(text: "\(type) has no elements"))
            }
        }
        return .success(isOptional ? optional(type) : type)
    }

    /// What a `*` finds is one flat array; elements without what `?` stands behind are left out.
    private func collected(_ found: TypeExpression, by rest: FieldPath, mayBeAbsent: Bool) -> TypeExpression {
        let own = rest.components.contains(where: \.isOptional) ? present(found) : found
        let type = rest.hasWildcard ? own : .array(own)
        return mayBeAbsent ? optional(type) : type
    }

    private func optional(_ type: TypeExpression) -> TypeExpression {
        if case .optional = resolved(type) { type } else { .optional(type) }
    }
}
