import SluiceContract
import SluiceRules

/// `drift:` of a binding.
enum DriftSection {
    static let section = Section(
        name: "drift", summary: "What is noticed in answers that are of their types", keys: DriftPolicy.keys)
}

extension DriftPolicy: SettingNotation {
    static var shape: Shape { .either([.section(DriftSection.section), .flag]) }
    static var absent: String? { "false" }

    static func saying(_ node: SourceNode, _ context: ReadingContext) -> Saying<DriftPolicy>? {
        if node.isOff { return .off }
        if ["true", "yes", "on"].contains(node.text) { return .layer(Layer()) }
        guard node.entries != nil else {
            context.findings.mistake(
                at: node.place, "\(node.kind) does not say what is noticed",
                expected: "true, false, or a mapping such as {notice: [new-keys, unknown-cases], every: 1m}",
                suggestion: node.text.flatMap { text in
                    if Notice(rawValue: text) != nil { return .didYouMean("{notice: [\(text)]}") }
                    return Quantity.nearestDuration(text).map { .didYouMean("{every: \($0)}") }
                })
            return nil
        }
        return Fields.layer(node, DriftSection.section, context)
    }

    func write(_ name: String, _ writer: inout YAMLWriter) {
        writer.mapping(name) { $0.settings(of: self) }
    }
}
