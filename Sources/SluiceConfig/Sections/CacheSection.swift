import SluiceContract
import SluiceRules

/// `cache:` of a binding.
enum CacheSection {
    static let section = Section(name: "cache", summary: "What is stored, and for how long", keys: CachePolicy.keys)
}

extension CachePolicy: SettingNotation {
    static var shape: Shape { .either([.section(CacheSection.section), .choice(["false"])]) }

    static func saying(_ node: SourceNode, _ context: ReadingContext) -> Saying<CachePolicy>? {
        if node.isOff { return .off }
        guard node.entries != nil || node.isNull else {
            context.findings.mistake(
                at: node.place, "\(node.kind) is no cache policy", expected: "a mapping such as {fresh: 60s}, or false",
                suggestion: ["true", "yes", "on"].contains(node.text)
                    ? .advice("write {} to do what the upstream's answers say")
                    : node.text.flatMap(Quantity.nearestDuration).map { .didYouMean("{fresh: \($0)}") })
            return nil
        }
        return Fields.layer(node, CacheSection.section, context)
    }

    func write(_ name: String, _ writer: inout YAMLWriter) {
        writer.mapping(name) { $0.settings(of: self) }
    }
}
