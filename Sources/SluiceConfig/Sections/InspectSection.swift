import SluiceContract
import SluiceRules

/// `inspect:`.
enum InspectSection {
    static let section = Section(
        name: "inspect", summary: "Exchanges that are kept to be looked into", keys: InspectSettings.keys)
}

extension InspectSettings: SettingNotation {
    static var shape: Shape { .either([.section(InspectSection.section), .choice(["false"])]) }

    static func saying(_ node: SourceNode, _ context: ReadingContext) -> Saying<InspectSettings>? {
        if node.isOff { return .off }
        guard node.entries != nil || node.isNull else {
            context.findings.mistake(
                at: node.place, "\(node.kind) says nothing of what is kept",
                expected: "a mapping such as {last: 200, bodies: 16KiB}, or false")
            return nil
        }
        return Fields.layer(node, InspectSection.section, context)
    }

    func write(_ name: String, _ writer: inout YAMLWriter) {
        writer.comment("Up to \(Quantity.text(bytes: bytesMax)) of memory.")
        writer.mapping(name) { $0.settings(of: self) }
    }
}
