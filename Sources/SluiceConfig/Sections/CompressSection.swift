import SluiceContract

/// `compress:` of a binding.
enum CompressSection {
    private static let model = Compression()

    static let section = Section(
        name: "compress", summary: "When a checked answer goes to its client compressed",
        keys: [
            .init("min", .size, default: Quantity.text(bytes: model.minBytes), "Shorter answers go out as they are"),
            .init(
                "codings", .oneOrMany(.choice(ContentCoding.allCases.map(\.rawValue))),
                default: "[\(model.codings.map(\.rawValue).joined(separator: ", "))]",
                "What is offered, the best first"),
        ])

    static let shape = Shape.either([.section(section), .flag])

    /// - Returns: nil where the node is wrong; `.some(nil)` where `compress: false` switches an inherited one off.
    static func read(_ node: SourceNode, _ desk: Desk, base: Compression?) -> Compression?? {
        switch node.text {
        case "false", "no", "off": return .some(nil)
        case "true", "yes", "on": return .some(base ?? Compression())
        default: break
        }
        guard node.entries != nil else {
            desk.findings.mistake(
                at: node.place, "\(node.kind) does not say what is compressed",
                expected: "true, false, or a mapping such as {min: 4KiB, codings: [gzip]}",
                suggestion: node.text.flatMap { text in
                    if ContentCoding(rawValue: text) != nil { return .didYouMean("{codings: [\(text)]}") }
                    return Quantity.bytes(text) == nil ? nil : .didYouMean("{min: \(text)}")
                })
            return nil
        }
        var compression = base ?? Compression()
        Fields.read(node, section, desk) { fields in
            fields.set("min", &compression.minBytes, desk.size)
            fields.set("codings", &compression.codings) { AcceptEncodingSection.codings($0, desk) }
        }
        return .some(compression)
    }
}
