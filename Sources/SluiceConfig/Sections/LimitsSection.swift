import SluiceContract
import SluiceRules

/// `limits:`: every limit of the edge, in one table.
enum LimitsSection {
    static let section = Section(name: "limits", summary: "Every limit of the edge", keys: Limits.keys)
}

extension Limits: SettingNotation {
    static var shape: Shape { .section(LimitsSection.section) }

    static func saying(_ node: SourceNode, _ context: ReadingContext) -> Saying<Limits>? {
        Fields.layer(node, LimitsSection.section, context)
    }

    func write(_ name: String, _ writer: inout YAMLWriter) {
        writer.mapping(name) { $0.settings(of: self) }
    }
}
