internal import SluiceContract
internal import SluiceJSON

/// Whether a key path can lead anywhere in a declared type.
struct PathCheck {
    let types: TypeMeanings
    /// The rule of the binding for keys that no field names.
    let unknown: UnknownKeys
    let keys: KeyStyle

    struct Fault {
        var text: String
        var suggestion: Suggestion?
    }

    /// Looks at the path of a string from the root of the document, in which the value of this type stands at `parent`.
    func fault(of path: FieldPath, behind parent: FieldPath?, in value: TypeExpression) -> Fault? {
        let lead = parent?.components ?? []
        // A path that leaves the parent's way early leads to a part of the document that is not declared.
        guard zip(path.components, lead).allSatisfy({ $0 == $1 }) else { return nil }
        if path.components.count < lead.count {
            return Fault(text: "'parent' goes on behind it, so an object stands there")
        }
        return fault(of: path.components.dropFirst(lead.count), in: value, way: "")
    }

    /// Paths hold the upstream's keys; under `camelCase`, `access_token` is the field `accessToken`.
    private func isKey(_ key: String, of field: ObjectType.Field) -> Bool {
        if field.source != nil { return false }
        if let from = field.from { return from == key }
        guard keys == .camelCase else { return field.name == key }
        func bare(_ name: String) -> String { name.lowercased().filter { $0 != "_" } }
        return bare(field.name) == bare(key)
    }

    private func fault(
        of path: ArraySlice<FieldPath.Component>, in type: TypeExpression, way: String
    ) -> Fault? {
        let place = way.isEmpty ? "the value" : "'\(way)'"
        switch types.resolved(type) {
        case .optional(let wrapped):
            return fault(of: path, in: wrapped, way: way)
        case .object(let object):
            guard let first = path.first else { return Fault(text: "\(place) is an object") }
            guard case .key(let key) = first.step else {
                return Fault(text: "\(place) is an object, and '\(FieldPath(components: [first]))' an index")
            }
            let rest = path.dropFirst()
            if let field = object.fields.first(where: { isKey(key, of: $0) }) {
                return fault(of: rest, in: field.type, way: way.isEmpty ? key : "\(way).\(key)")
            }
            guard object.unknown ?? unknown == .reject, !object.isComposed else { return nil }
            return Fault(
                text: "\(place) has no key '\(key)'",
                suggestion: Nearest.suggestion(for: key, among: object.fields.map { $0.from ?? $0.name }))
        case .array(let element):
            guard let first = path.first else { return Fault(text: "\(place) is an array") }
            if case .key = first.step { return Fault(text: "\(place) is an array, which has no keys") }
            return fault(of: path.dropFirst(), in: element, way: "\(way)[]")
        case .dictionary(let value):
            guard let first = path.first else { return Fault(text: "\(place) is a dictionary") }
            guard case .key = first.step else { return Fault(text: "\(place) is a dictionary, which has no indices") }
            return fault(of: path.dropFirst(), in: value, way: "\(way).*")
        case .scalar(.json), .union, .choice, .named, nil:
            return nil
        case .scalar(let scalar):
            if let next = path.first {
                return Fault(text: "\(place) is of type \(scalar.name) and has no '\(FieldPath(components: [next]))'")
            }
            return scalar.isText ? nil : Fault(text: "\(place) is of type \(scalar.name)")
        case .constrained(let inner, _):
            return fault(of: path, in: inner, way: way)
        case .converted(let from, _):
            return fault(of: path, in: .scalar(from), way: way)
        case .constant:
            return Fault(text: "\(place) is no string")
        case .literals, .open, .null:
            return path.isEmpty ? nil : Fault(text: "\(place) is a string")
        }
    }
}
