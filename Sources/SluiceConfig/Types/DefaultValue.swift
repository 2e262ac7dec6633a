import SluiceContract
import SluiceJSON
import SluiceRules

/// Turns a default written in YAML into JSON text; the type decides which kind of value a plain scalar is. Whether the
/// value fits its type is checked later.
struct DefaultValue {
    let types: TypeTable

    private struct Reading {
        var json: String
        /// Whether the notation fits the type.
        var fits = true
    }

    func json(_ node: SourceNode, as type: TypeExpression) -> String {
        read(node, as: type, via: []).json
    }

    /// - Parameter via: names of types that were followed without reading into the node, to stop where a name stands
    ///   for itself.
    private func read(_ node: SourceNode, as type: TypeExpression, via: [String]) -> Reading {
        switch type {
        case .scalar(let scalar): return read(node, as: scalar)
        case .literals(let strings):
            guard let text = node.text, strings.contains(text) else { return free(node, fits: false) }
            return Reading(json: PlainJSON.string(text))
        case .open:
            guard let text = node.text, !node.isNull else { return free(node, fits: false) }
            return Reading(json: PlainJSON.string(text))
        case .constant(let json): return free(node, fits: free(node) == json)
        case .converted(_, let to): return read(node, as: to)
        case .constrained(let inner, _): return read(node, as: inner, via: via)
        case .array(let element):
            guard let items = node.items else { return free(node, fits: false) }
            let readings = items.map { read($0, as: element, via: []) }
            return Reading(
                json: "[\(readings.map(\.json).joined(separator: ","))]", fits: readings.allSatisfy(\.fits))
        case .dictionary(let value): return read(node) { _ in value }
        case .optional(let wrapped): return node.isNull ? Reading(json: "null") : read(node, as: wrapped, via: via)
        case .null: return node.isNull ? Reading(json: "null") : free(node, fits: false)
        case .union(let members):
            let readings = members.lazy.map { read(node, as: $0, via: via) }
            return readings.first(where: \.fits) ?? free(node, fits: false)
        case .object(let object):
            // Whether keys are renamed is not known yet, so both forms of a name are accepted.
            return read(node) { name in
                let field = object.fields.first { $0.name == name || KeyStyle.camelCase.localKey(of: $0) == name }
                return field?.type ?? .scalar(.json)
            }
        case .choice: return free(node, fits: node.entries != nil)
        case .named(let name):
            // In its own definition, a type is not known yet. Types that are nested too deeply are reported elsewhere.
            guard via.count < NamedTypes.levelsMost, !via.contains(name), let meaning = types.definition(name) else {
                return free(node, fits: true)
            }
            return read(node, as: meaning, via: via + [name])
        }
    }

    private func free(_ node: SourceNode, fits: Bool) -> Reading {
        Reading(json: free(node), fits: fits)
    }

    /// The node as JSON of any type; YAML's plain scalars become JSON literals where they are such.
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

    private func read(_ node: SourceNode, _ type: (String) -> TypeExpression) -> Reading {
        guard let entries = node.entries else { return free(node, fits: false) }
        var result = Reading(json: "")
        var members: [String] = []
        for entry in entries {
            let key = entry.key.text ?? ""
            let reading = read(entry.value, as: type(key), via: [])
            members.append("\(PlainJSON.string(key)):\(reading.json)")
            result.fits = result.fits && reading.fits
        }
        result.json = "{\(members.joined(separator: ","))}"
        return result
    }

    private func read(_ node: SourceNode, as scalar: Scalar) -> Reading {
        if scalar == .json { return free(node, fits: true) }
        guard case .scalar(let value) = node.content, !node.isNull, scalar.takes(value.text) else {
            return free(node, fits: false)
        }
        if scalar.isText { return Reading(json: PlainJSON.string(value.text)) }
        return value.style == .plain ? Reading(json: value.text) : free(node, fits: false)
    }
}
