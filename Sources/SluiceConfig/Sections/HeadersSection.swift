import SluiceContract
import SluiceRules

/// `headers:` of an upstream or binding: fixed fields of outgoing requests.
enum HeadersSection {
    static let shape = Shape.names(pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$", .text())

    static func read(_ node: SourceNode, _ context: ReadingContext) -> [HeaderSetting] {
        var headers: [HeaderSetting] = []
        for (name, _, value) in context.named(node, what: "fields by name") {
            guard let text = value.isNull ? nil : value.text else {
                context.findings.mistake(
                    at: value.place, "this cannot be the value of '\(name)'",
                    expected: "one line of text without spaces around it")
                continue
            }
            guard context.isFilledIn(text, value) else { continue }
            headers.append(HeaderSetting(name: name, value: text))
        }
        return headers
    }
}

extension HeaderSetting: ListNotation {
    static var listShape: Shape { HeadersSection.shape }

    static func saying(list node: SourceNode, _ context: ReadingContext) -> Saying<[HeaderSetting]>? {
        .fields(HeadersSection.read(node, context))
    }

    static func write(_ list: [HeaderSetting], _ name: String, _ writer: inout YAMLWriter) {
        Explain.headers(list, &writer)
    }
}
