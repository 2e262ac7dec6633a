import SluiceContract
import SluiceRules

/// `watch:` of a binding.
enum WatchSection {
    static let section = Section(
        name: "watch", summary: "How clients that ask for an event stream are told of changes", keys: WatchPolicy.keys)
}

extension WatchPolicy: SettingNotation {
    static var shape: Shape { .either([.section(WatchSection.section), .flag]) }

    static func saying(_ node: SourceNode, _ context: ReadingContext) -> Saying<WatchPolicy>? {
        if node.isOff { return .off }
        if ["true", "yes", "on"].contains(node.text) { return .layer(Layer()) }
        guard node.entries != nil else {
            context.findings.mistake(
                at: node.place, "\(node.kind) does not say how it is watched",
                expected: "true, false, or a mapping such as {every: 10s, send: merge-patch}",
                suggestion: node.text.flatMap { Quantity.duration($0) == nil ? nil : .didYouMean("{every: \($0)}") })
            return nil
        }
        return Fields.layer(node, WatchSection.section, context)
    }

    func write(_ name: String, _ writer: inout YAMLWriter) {
        writer.mapping(name) { $0.settings(of: self) }
    }
}
