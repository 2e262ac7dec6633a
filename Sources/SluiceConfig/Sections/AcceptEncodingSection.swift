import SluiceContract
import SluiceRules

/// `accept-encoding:` of an upstream: codings by name, in order of preference, or `identity`.
enum AcceptEncodingSection {
    static let identity = "identity"
    static let shape = Shape.oneOrMany(.choice(ContentCoding.allCases.map(\.rawValue) + [identity]))

    static func read(_ node: SourceNode, _ context: ReadingContext) -> [ContentCoding]? {
        let items = context.items(node)
        if items.count == 1, items[0].text == identity { return [] }
        for item in items where item.text == identity {
            context.findings.mistake(
                at: item.place, "'identity' beside codings says nothing: an answer may always come without one",
                expected: "identity alone, or codings alone")
            return nil
        }
        guard !items.isEmpty else {
            context.findings.mistake(
                at: node.place, "no coding at all", expected: "one or more of \(ContentCoding.list)")
            return nil
        }
        return context.all(node) { context.choice($0) }
    }
}

/// Lists with a notation of their own.
protocol ListNotation: Sendable {
    static var listShape: Shape { get }
    static func saying(list node: SourceNode, _ context: ReadingContext) -> Saying<[Self]>?
    static func write(_ list: [Self], _ name: String, _ writer: inout YAMLWriter)
}

extension Array: SettingNotation where Element: ListNotation {
    static var shape: Shape { Element.listShape }

    static func saying(_ node: SourceNode, _ context: ReadingContext) -> Saying<[Element]>? {
        Element.saying(list: node, context)
    }

    func write(_ name: String, _ writer: inout YAMLWriter) {
        Element.write(self, name, &writer)
    }
}

extension ContentCoding: ListNotation {
    static var listShape: Shape { AcceptEncodingSection.shape }

    static func saying(list node: SourceNode, _ context: ReadingContext) -> Saying<[ContentCoding]>? {
        AcceptEncodingSection.read(node, context).map { .value($0) }
    }

    static func write(_ list: [ContentCoding], _ name: String, _ writer: inout YAMLWriter) {
        writer.list(name, list.isEmpty ? [AcceptEncodingSection.identity] : list.map(\.rawValue))
    }
}
