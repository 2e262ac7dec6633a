import SluiceContract
import SluiceRules

/// `value:`, `parent:`, `wrap:` and `default:` of a binding.
enum ValueReader {
    static let byStatus = Section(
        name: "binding.value", summary: "Types by status",
        keys: [.init("default", .type, default: "passed through", "The type for every other 2xx")], statuses: .type)

    static let shape = Shape.either([.type, .section(byStatus)])

    /// Whether a mapping has a status among its keys; `{default: Int}` alone is an object.
    static func isByStatus(_ node: SourceNode) -> Bool {
        node.entries?.contains { $0.key.text.map { $0.utf8.count == 3 && $0.utf8.allSatisfy(\.isDigit) } ?? false }
            ?? false
    }
}

extension BindingReader {
    mutating func readValue() {
        let value = fields.node("value").map { ValueReader.isByStatus($0) ? readValues($0) : readValue($0) } ?? nil
        valueTypes.usual = value
        fields.say("parent", \.parent, in: &binding.settings, context.fieldPath)
        readWrap()
        guard let node = fields.node("default") else { return }
        if let value {
            binding.settings.say("default", \.defaultJSON, types.json(node, as: value))
        } else {
            binding.settings.sayUnread("default")
        }
    }

    /// - Returns: the type of the value, which a `default:` has to have.
    private mutating func readValue(_ node: SourceNode) -> TypeExpression? {
        let value = types.type(node)
        if let value { types.refuseConstant(value, node) }
        if let value { binding.settings.say("value", \.value, value) } else { binding.settings.sayUnread("value") }
        return value
    }

    private mutating func readValues(_ node: SourceNode) -> TypeExpression? {
        let types = types
        var value: TypeExpression?
        var byStatus: [Int: TypeExpression] = [:]
        Fields.read(node, ValueReader.byStatus, context) { fields in
            value = fields.node("default").flatMap { types.type($0) }
            for (status, _, node) in fields.statuses { byStatus[status] = types.type(node) }
        }
        valueTypes.byStatus = byStatus
        binding.settings.say("value") { [value, byStatus] model, _ in
            model.value = value
            model.valueByStatus = byStatus
        }
        return value
    }

    private mutating func readWrap() {
        let context = context
        fields.say("wrap", \.wrap, in: &binding.settings) { node in
            if node.isOff { return [] }
            guard let path = context.fieldPath(node) else { return nil }
            if path.keys == nil {
                context.findings.mistake(
                    at: node.place, "a body cannot be wrapped in '\(path)'",
                    expected: "keys alone, without '?', or false")
            }
            return path.keys
        }
    }
}
