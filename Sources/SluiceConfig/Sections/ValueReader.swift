import SluiceContract

/// `value:`, `parent:`, `wrap:` and `default:` of a binding.
enum ValueReader {
    static let byStatus = Section(
        name: "binding.value", summary: "Types by status",
        keys: [.init("default", .type, default: "passed through", "The type for every other 2xx")], statuses: .type)

    static let shape = Shape.either([.type, .section(byStatus)])

    /// Statuses without content (RFC 9110 §15.3.5, §15.3.6, §15.4.5).
    static let emptyStatuses: Set<Int> = [204, 205, 304]

    /// A mapping with a status among its keys; `{default: Int}` alone is an object.
    static func isByStatus(_ node: SourceNode) -> Bool {
        node.entries?.contains { $0.key.text.map { $0.utf8.count == 3 && $0.utf8.allSatisfy(\.isDigit) } ?? false }
            ?? false
    }
}

extension BindingReader {
    mutating func readValue() {
        if let node = fields.node("value") {
            if ValueReader.isByStatus(node) { readValues(node) } else { binding.value = types.type(node) }
        }
        fields.set("parent", &binding.parent, desk.fieldPath)
        readWrap()
        checkParent()
        readDefault()
    }

    private mutating func readValues(_ node: SourceNode) {
        let types = types
        let desk = desk
        var value: TypeExpression?
        var byStatus: [Int: TypeExpression] = [:]
        Fields.read(node, ValueReader.byStatus, desk) { fields in
            value = fields.node("default").flatMap { types.type($0) }
            for (status, key, node) in fields.statuses {
                if ValueReader.emptyStatuses.contains(status) {
                    desk.findings.mistake(at: key.place, "\(status) has no content", expected: "a status with content")
                }
                byStatus[status] = types.type(node)
            }
        }
        binding.value = value
        binding.valueByStatus = byStatus
    }

    private mutating func readWrap() {
        let desk = desk
        guard let node = fields.node("wrap") else {
            // What comes back behind the keys goes out behind them too.
            if sendsJSON { binding.wrap = binding.parent?.keys ?? [] }
            return
        }
        if ["false", "no", "off"].contains(node.text) { return }
        guard let path = desk.fieldPath(node) else { return }
        guard let keys = path.keys else {
            desk.findings.mistake(
                at: node.place, "a body cannot be wrapped in '\(path)'", expected: "keys alone, without '?', or false")
            return
        }
        binding.wrap = keys
        if !sendsJSON {
            desk.findings.mistake(
                at: fields.keyPlace("wrap"), "'wrap' has nothing to wrap",
                expected: "a JSON 'body:', or parameters in a body")
        }
    }

    private func checkParent() {
        guard let parent = binding.parent else { return }
        let place = fields.keyPlace("parent")
        // An error's type is that of the whole answer.
        let values = [binding.value].compactMap(\.self) + binding.valueByStatus.filter { $0.key < 400 }.values
        if values.isEmpty {
            if !fields.has("value") {
                desk.findings.mistake(
                    at: place, "'parent' has no meaning without 'value:'", expected: "a type for what stands there",
                    suggestion: .advice("write 'value: JSON' to take it unchecked"))
            }
            return
        }
        if let first = parent.components.firstIndex(where: \.isOptional),
            first < parent.components.firstIndex(where: { $0.step == .wildcard }) ?? .max
        {
            desk.findings.mistake(
                at: place, "'?' in '\(parent)' says nothing in front of a '*'",
                expected: "'?' from the first '*' on; for a value that may be absent, a type with '?' or a 'default:'")
        }
        guard parent.hasWildcard else { return }
        for value in values where !canBeArray(value) {
            desk.findings.mistake(
                at: place, "path '\(parent)' yields an array, and the value is \(value)",
                expected: "an array as the value", suggestion: .didYouMean("value: [\(value)]"))
        }
    }

    private func canBeArray(_ type: TypeExpression) -> Bool {
        switch types.resolved(type) {
        case .array, .scalar(.json), nil: true
        case .optional(let wrapped): canBeArray(wrapped)
        case .union(let members): members.contains(where: canBeArray)
        case .scalar, .literals, .dictionary, .null, .object, .named: false
        }
    }

    private mutating func readDefault() {
        guard let node = fields.node("default") else {
            if binding.serve.last == .default {
                desk.findings.mistake(
                    at: fields.has("serve") ? fields.keyPlace("serve") : key.place,
                    "'serve' ends with 'default', and the binding has none", expected: "a value as 'default:'")
            }
            return
        }
        guard let value = binding.value else {
            if !fields.has("value") || !binding.valueByStatus.isEmpty {
                desk.findings.mistake(
                    at: fields.keyPlace("default"), "'default' has no meaning without 'value:'",
                    expected: "the type of the value")
            }
            return
        }
        binding.defaultJSON = types.json(node, as: value, at: nil)
        checkDefault()
    }

    /// A default hides no failed change; so it has to stand in for a value that may be absent, or for a failed
    /// question.
    private func checkDefault() {
        let safe: Set = ["GET", "HEAD", "OPTIONS"]
        guard binding.defaultJSON != nil, binding.parent == nil, !binding.methods.isEmpty,
            safe.isDisjoint(with: binding.methods)
        else { return }
        desk.findings.mistake(
            at: fields.keyPlace("default"),
            "a failed \(binding.methods.joined(separator: " or ")) is never answered with a default",
            expected: "'default:' on a binding of GET, HEAD or OPTIONS, or with 'parent:' for answers without the value"
        )
    }
}
