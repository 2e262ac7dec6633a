import SluiceContract
import SluiceRules

/// `compress:` of a binding.
enum CompressSection {
    static let section = Section(
        name: "compress", summary: "When a checked answer goes to its client compressed", keys: Compression.keys)
}

extension Compression: SettingNotation {
    static var shape: Shape { .either([.section(CompressSection.section), .flag]) }
    static var absent: String? { "false" }

    static func saying(_ node: SourceNode, _ context: ReadingContext) -> Saying<Compression>? {
        if node.isOff { return .off }
        if ["true", "yes", "on"].contains(node.text) { return .layer(Layer()) }
        guard node.entries != nil else {
            context.findings.mistake(
                at: node.place, "\(node.kind) does not say what is compressed",
                expected: "true, false, or a mapping such as {min: 4KiB, codings: [gzip]}",
                suggestion: node.text.flatMap { text in
                    if ContentCoding(rawValue: text) != nil { return .didYouMean("{codings: [\(text)]}") }
                    return Quantity.bytes(text) == nil ? nil : .didYouMean("{min: \(text)}")
                })
            return nil
        }
        return Fields.layer(node, CompressSection.section, context)
    }

    func write(_ name: String, _ writer: inout YAMLWriter) {
        writer.mapping(name) { $0.settings(of: self) }
    }
}
