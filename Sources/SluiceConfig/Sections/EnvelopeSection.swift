import SluiceContract

/// `envelope:`: `problem` (RFC 9457), or the user's own shape as a template.
enum EnvelopeSection {
    static let shape = Shape.either([.choice(["problem"]), .any])

    /// What may stand in braces in a string of the template.
    static let placeholders = [
        "kind", "title", "status", "detail", "source", "code", "upstream", "retryable", "faults",
    ]

    static func read(_ node: SourceNode, _ desk: Desk) -> Envelope? {
        switch node.content {
        case .scalar:
            if node.text == "problem" { return .problemDetails }
            desk.findings.mistake(
                at: node.place, "\(node.kind) is no envelope",
                expected: "problem, or a mapping that is the error's shape",
                suggestion: Nearest.suggestion(for: node.text ?? "", among: ["problem"]))
            return nil
        case .sequence:
            desk.findings.mistake(at: node.place, "a list is no envelope", expected: "a mapping")
            return nil
        case .mapping:
            return .template(template(node, desk))
        }
    }

    private static func template(_ node: SourceNode, _ desk: Desk) -> Envelope.Template {
        switch node.content {
        case .sequence(let items):
            return .array(items.map { template($0, desk) })
        case .mapping(let mapping):
            if let placeholder = unquotedPlaceholder(mapping) {
                check("{\(placeholder)}", at: node, desk)
                return .string("{\(placeholder)}")
            }
            return .object(
                desk.named(node, what: "a mapping").map { name, _, value in
                    Envelope.Template.Member(key: name, value: template(value, desk))
                })
        case .scalar(let scalar):
            if scalar.style == .plain, let literal = PlainJSON.literal(scalar.text) { return .literal(literal) }
            check(scalar.text, at: node, desk)
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

    private static func check(_ text: String, at node: SourceNode, _ desk: Desk) {
        var rest = Substring(text)
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let name = String(rest[rest.index(after: open)..<close])
            if !placeholders.contains(name) {
                desk.findings.mistake(
                    at: node.place, "unknown placeholder '{\(name)}'",
                    expected: placeholders.map { "{\($0)}" }.joined(separator: ", "),
                    suggestion: Nearest.name(to: name, among: placeholders).map { .didYouMean("{\($0)}") })
            }
            rest = rest[rest.index(after: close)...]
        }
    }
}
