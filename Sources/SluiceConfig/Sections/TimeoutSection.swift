import SluiceContract
import SluiceRules

/// `timeout:` of an upstream or binding.
enum TimeoutSection {
    static let section = Section(
        name: "timeout", summary: "How long an upstream is waited for", keys: UpstreamTimeouts.keys, bareKey: "total")
}

extension UpstreamTimeouts: SettingNotation {
    static var shape: Shape { .section(TimeoutSection.section) }

    static func saying(_ node: SourceNode, _ context: ReadingContext) -> Saying<UpstreamTimeouts>? {
        Fields.layer(node, TimeoutSection.section, context)
    }

    func write(_ name: String, _ writer: inout YAMLWriter) {
        writer.mapping(name) { $0.settings(of: self) }
    }
}
