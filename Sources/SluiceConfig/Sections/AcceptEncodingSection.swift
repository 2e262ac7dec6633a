import SluiceContract

/// `accept-encoding:` of an upstream: codings by name, in the order in which they are asked for, or `identity`.
enum AcceptEncodingSection {
    static let shape = Shape.oneOrMany(.choice(ContentCoding.allCases.map(\.rawValue) + [identity]))
    private static let identity = "identity"

    static func read(_ node: SourceNode, _ desk: Desk) -> [ContentCoding]? {
        let items = desk.items(node)
        if items.count == 1, items[0].text == identity { return [] }
        for item in items where item.text == identity {
            desk.findings.mistake(
                at: item.place, "'identity' beside codings says nothing: an answer may always come without one",
                expected: "identity alone, or codings alone")
            return nil
        }
        return codings(node, desk)
    }

    /// Codings by name, at least one and each once.
    static func codings(_ node: SourceNode, _ desk: Desk) -> [ContentCoding]? {
        let items = desk.items(node)
        guard !items.isEmpty else {
            desk.findings.mistake(at: node.place, "no coding at all", expected: "one or more of \(ContentCoding.list)")
            return nil
        }
        var codings: [ContentCoding] = []
        for item in items {
            guard let coding = desk.choice(item, of: ContentCoding.self) else { return nil }
            if codings.contains(coding) {
                desk.findings.mistake(
                    at: item.place, "'\(coding.rawValue)' stands twice", expected: "each coding once")
                return nil
            }
            codings.append(coding)
        }
        return codings
    }
}
