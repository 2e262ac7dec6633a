import SluiceContract

/// Turns a default as written in YAML into JSON text of its type.
struct DefaultValue {
    let types: TypeTable

    /// Why a value is not of its type.
    struct Fault: Error {
        var place: SourceNode.Place
        var found: String
        var expected: String
        var suggestion: Mistake.Suggestion?
    }

    func json(_ node: SourceNode, as type: TypeExpression) throws(Fault) -> String {
        switch type {
        case .scalar(let scalar): return try json(node, as: scalar)
        case .literals(let strings):
            guard let text = node.text, strings.contains(text) else {
                throw fault(
                    node, type, suggestion: node.text.flatMap { Nearest.suggestion(for: $0, among: strings) })
            }
            return PlainJSON.string(text)
        case .array(let element):
            guard let items = node.items else { throw fault(node, type) }
            var texts: [String] = []
            for item in items { texts.append(try json(item, as: element)) }
            return "[\(texts.joined(separator: ","))]"
        case .dictionary(let value):
            guard let entries = node.entries else { throw fault(node, type) }
            return try object(entries) { _ in value }
        case .optional(let wrapped):
            return node.isNull ? "null" : try json(node, as: wrapped)
        case .null:
            guard node.isNull else { throw fault(node, type) }
            return "null"
        case .union(let members):
            for member in members {
                if let text = try? json(node, as: member) { return text }
            }
            throw fault(node, type)
        case .object(let object):
            return try json(node, as: object)
        case .named(let name):
            // A type that is still being read is checked where it is used, not in its own definition.
            guard let meaning = types.definition(name) else { return free(node) }
            return try json(node, as: meaning)
        }
    }

    /// Any JSON: YAML's plain scalars as JSON has them.
    func free(_ node: SourceNode) -> String {
        switch node.content {
        case .scalar(let scalar):
            return (scalar.style == .plain ? PlainJSON.literal(scalar.text) : nil) ?? PlainJSON.string(scalar.text)
        case .sequence(let items):
            return "[\(items.map(free).joined(separator: ","))]"
        case .mapping(let mapping):
            let members = mapping.entries.map { "\(PlainJSON.string($0.key.text ?? "")):\(free($0.value))" }
            return "{\(members.joined(separator: ","))}"
        }
    }

    private func json(_ node: SourceNode, as object: ObjectType) throws(Fault) -> String {
        guard let entries = node.entries else { throw fault(node, .object(object)) }
        for field in object.fields where field.defaultJSON == nil && node.value(field.name) == nil {
            if case .optional = field.type { continue }
            throw Fault(
                place: node.place, found: "it lacks '\(field.name)'", expected: "\(TypeExpression.object(object))")
        }
        return try self.object(entries) { name in object.fields.first { $0.name == name }?.type ?? .scalar(.json) }
    }

    private func object(
        _ entries: [SourceNode.Mapping.Entry], _ type: (String) -> TypeExpression
    ) throws(Fault) -> String {
        var members: [String] = []
        for entry in entries {
            let key = entry.key.text ?? ""
            members.append("\(PlainJSON.string(key)):\(try json(entry.value, as: type(key)))")
        }
        return "{\(members.joined(separator: ","))}"
    }

    private func json(_ node: SourceNode, as scalar: Scalar) throws(Fault) -> String {
        if scalar == .json { return free(node) }
        guard case .scalar(let value) = node.content, !node.isNull else { throw fault(node, .scalar(scalar)) }
        let text = value.text
        if scalar.isText {
            guard scalar.takes(text) else { throw fault(node, .scalar(scalar)) }
            return PlainJSON.string(text)
        }
        guard value.style == .plain, scalar.takes(text) else {
            throw fault(node, .scalar(scalar), suggestion: suggestion(text, scalar))
        }
        return text
    }

    private func suggestion(_ text: String, _ scalar: Scalar) -> Mistake.Suggestion? {
        switch (scalar, text) {
        case (.bool, "yes"), (.bool, "on"): .didYouMean("true")
        case (.bool, "no"), (.bool, "off"): .didYouMean("false")
        default: nil
        }
    }

    private func fault(
        _ node: SourceNode, _ type: TypeExpression, suggestion: Mistake.Suggestion? = nil
    ) -> Fault {
        Fault(place: node.place, found: node.kind, expected: "a value of type \(type)", suggestion: suggestion)
    }
}
