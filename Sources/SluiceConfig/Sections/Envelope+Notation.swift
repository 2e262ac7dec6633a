import SluiceContract
import SluiceRules

/// `envelope:`: `problem` (RFC 9457), or the user's own shape as a template.
extension Envelope: SettingNotation {
    static var shape: Shape { .either([.choice(["problem"]), .any]) }

    static func saying(_ node: SourceNode, _ context: ReadingContext) -> Saying<Envelope>? {
        switch node.content {
        case .scalar:
            if node.text == "problem" { return .value(.problemDetails) }
            context.findings.mistake(
                at: node.place, "\(node.kind) is no envelope",
                expected: "problem, or a mapping that is the error's shape",
                suggestion: Nearest.suggestion(for: node.text ?? "", among: ["problem"]))
            return nil
        case .sequence:
            context.findings.mistake(at: node.place, "a list is no envelope", expected: "a mapping")
            return nil
        case .mapping:
            return .value(.template(template(node, context)))
        }
    }

    func write(_ name: String, _ writer: inout YAMLWriter) {
        switch self {
        case .problemDetails: writer.key(name, "problem")
        case .template(let template): writer.raw(name, Explain.json(template))
        }
    }

    private static func template(_ node: SourceNode, _ context: ReadingContext) -> Envelope.Template {
        switch node.content {
        case .sequence(let items):
            return .array(items.map { template($0, context) })
        case .mapping(let mapping):
            if let placeholder = unquotedPlaceholder(mapping) {
                return .string("{\(placeholder)}")
            }
            return .object(
                context.named(node, what: "a mapping").map { name, _, value in
                    Envelope.Template.Member(key: name, value: template(value, context))
                })
        case .scalar(let scalar):
            if scalar.style == .plain, let literal = PlainJSON.literal(scalar.text) { return .literal(literal) }
            return .string(scalar.text)
        }
    }

    /// `{status}` without quotes is a mapping with the key `status` and no value to YAML.
    private static func unquotedPlaceholder(_ mapping: SourceNode.Mapping) -> String? {
        guard mapping.isFlow, mapping.entries.count == 1, let entry = mapping.entries.first,
            entry.value.text == "", entry.value.isNull
        else { return nil }
        return entry.key.text
    }
}
