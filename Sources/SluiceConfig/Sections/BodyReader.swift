import SluiceContract
import SluiceRules

/// `body:` of a binding: a kind of body, or a type (JSON).
enum BodyReader {
    static let kinds = ["json", "text", "raw", "multipart", "none"]

    /// The kinds of bodies that take an argument, written as a mapping of one key.
    static let section = Section(
        name: "binding.body", summary: "A body that is not JSON, with what it takes",
        keys: [
            .init(
                "form", .names(pattern: nil, .field(FieldSection.section)), "Fields of an HTML form, with their types"),
            .init("text", .text(), "Text of this charset, in lower case"),
            .init("raw", .text(pattern: "/"), "Any bytes of this media type"),
        ])

    static let shape = Shape.either([.choice(kinds), .section(section), .type])

    static func read(_ node: SourceNode, _ context: ReadingContext, _ types: TypeTable) -> Binding.Body? {
        switch node.text {
        case "json": return .json(.scalar(.json))
        case "text": return .text(charset: nil)
        case "raw": return .raw(mediaType: nil)
        case "multipart": return .multipart
        case "none": return Binding.Body.none
        case "form":
            context.findings.mistake(
                at: node.place, "a form needs its fields", expected: "{form: {name: String, …}}")
            return nil
        case .some(let text) where !text.isEmpty && text == text.lowercased() && !text.contains("|"):
            context.findings.mistake(
                at: node.place, "'\(text)' is no kind of body",
                expected: "a type, form, \(kinds.joined(separator: ", "))",
                suggestion: text.contains("/")
                    ? .didYouMean(text.hasSuffix("json") ? "json" : "{raw: \(text)}")
                    : Nearest.suggestion(for: text, among: kinds + types.knownNames))
            return nil
        default: break
        }
        if let kind = special(node) {
            var body: Binding.Body?
            Fields.read(node, section, context) { fields in
                let nodes = Dictionary(
                    uniqueKeysWithValues: section.keys.map { ($0.name, fields.node($0.name)) })
                if let node = nodes[kind] ?? nil { body = special(kind, node, types) }
            }
            return body
        }
        return types.type(node).map { .json($0) }
    }

    /// The kind in `{form: {…}}`, `{text: utf-8}` and `{raw: image/png}`; `{text: String}` is an object with a field
    /// `text`.
    private static func special(_ node: SourceNode) -> String? {
        guard let entries = node.entries, entries.count == 1, let kind = entries[0].key.text else { return nil }
        let value = entries[0].value
        switch kind {
        case "form" where value.entries != nil: return kind
        case "raw" where value.text?.contains("/") == true: return kind
        case "text" where value.text.map({ $0 == $0.lowercased() && !value.isNull }) == true: return kind
        default: return nil
        }
    }

    private static func special(
        _ kind: String, _ node: SourceNode, _ types: TypeTable
    ) -> Binding.Body? {
        switch kind {
        case "form": types.object(node).map { .form($0) }
        case "raw": .raw(mediaType: node.text?.lowercased())
        default: .text(charset: node.text)
        }
    }
}
