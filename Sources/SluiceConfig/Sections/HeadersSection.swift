import SluiceContract
import SluiceRules

/// `headers:` of an upstream or binding: fixed fields of outgoing requests.
enum HeadersSection {
    static let shape = Shape.names(pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$", .text())

    static func read(_ node: SourceNode, _ desk: Desk) -> [HeaderSetting] {
        var headers: [HeaderSetting] = []
        for (name, _, value) in desk.named(node, what: "fields by name") {
            guard let text = value.isNull ? nil : value.text else {
                desk.findings.mistake(
                    at: value.place, "this cannot be the value of '\(name)'",
                    expected: "one line of text without spaces around it")
                continue
            }
            guard desk.isFilledIn(text, value) else { continue }
            headers.append(HeaderSetting(name: name, value: text))
        }
        return headers
    }
}

extension HeaderSetting: ListNotation {
    static var listShape: Shape { HeadersSection.shape }

    static func saying(list node: SourceNode, _ desk: Desk) -> Saying<[HeaderSetting]>? {
        .fields(HeadersSection.read(node, desk))
    }

    static func write(_ list: [HeaderSetting], _ name: String, _ writer: inout YAMLWriter) {
        Explain.headers(list, &writer)
    }
}
