import SluiceContract
import SluiceRules

/// `headers:` and `answer-headers:` of an upstream or binding: fields that are set, renamed or dropped.
enum HeadersSection {
    static let section = Section(
        name: "header", summary: "Where a field's value comes from; exactly one of the keys",
        keys: [
            .init("value", .text(), "The value itself"),
            .init("env", .text(), "Name of the environment variable that holds it; for requests alone"),
            .init(
                "file", .text(),
                "File that holds it; looked up in $CREDENTIALS_DIRECTORY, then beside this file; for requests alone"),
            .init("from", .text(), "Name of the sender's field that goes on by the new name"),
        ], holdsSecrets: true)

    static let shape = Shape.names(
        pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$", .either([.text(), .choice(["null"]), .section(section)]))

    static func read(_ node: SourceNode, _ context: ReadingContext, takesSecrets: Bool = true) -> [HeaderSetting] {
        context.named(node, what: "fields by name").compactMap { name, _, value in
            setting(name, value, context, takesSecrets: takesSecrets)
        }
    }

    private static func setting(
        _ name: String, _ node: SourceNode, _ context: ReadingContext, takesSecrets: Bool
    ) -> HeaderSetting? {
        // Only an explicit null drops the field; an empty value was probably forgotten.
        if node.isNull, node.text?.isEmpty == false { return HeaderSetting(name: name, .nothing) }
        if node.entries != nil { return mapping(name, node, context, takesSecrets: takesSecrets) }
        guard let text = node.isNull ? nil : node.text else {
            context.findings.mistake(
                at: node.place, "this cannot be the value of '\(name)'",
                expected: "one line of text without spaces around it, or null to drop the field")
            return nil
        }
        guard context.isFilledIn(text, node) else { return nil }
        return HeaderSetting(name: name, value: text)
    }

    private static func mapping(
        _ name: String, _ node: SourceNode, _ context: ReadingContext, takesSecrets: Bool
    ) -> HeaderSetting? {
        var setting: HeaderSetting?
        Fields.read(node, section, context) { fields in
            let present = section.keys.map(\.name).filter { fields.has($0) }
            if present.count != 1 {
                context.findings.mistake(
                    at: node.place, present.isEmpty ? "the field has no value" : "the field has several values",
                    expected: "exactly one of \(section.keys.map(\.name).joined(separator: ", "))")
            }
            if let node = fields.node("value") {
                setting = context.text(node, what: "a value").map { HeaderSetting(name: name, value: $0) }
            }
            if let node = fields.node("from") {
                setting = context.text(node, what: "a field's name").map { HeaderSetting(name: name, .field($0)) }
            }
            let source = BearerSection.source(fields, context)
            guard let source else { return }
            if takesSecrets {
                setting = HeaderSetting(name: name, .secret(source))
            } else {
                context.findings.mistake(
                    at: node.place, "a secret has no place in an answer", expected: "a text, null, or {from: NAME}")
            }
        }
        return setting
    }

    static func write(_ headers: [HeaderSetting], _ name: String, _ writer: inout YAMLWriter) {
        guard !headers.isEmpty else { return }
        writer.mapping(name) { writer in
            for header in headers {
                switch header.origin {
                case .constant:
                    let isSecret = SensitiveName.matches(field: header.name)
                    writer.key(header.name, isSecret ? Explain.redacted : header.value)
                case .secret(let source): writer.raw(header.name, Explain.source(source))
                case .field(let from): writer.raw(header.name, "{from: \(YAMLWriter.scalar(from))}")
                case .nothing: writer.raw(header.name, "null")
                }
            }
        }
    }
}

extension HeaderSetting: ListNotation {
    static var listShape: Shape { HeadersSection.shape }

    static func saying(list node: SourceNode, _ context: ReadingContext) -> Saying<[HeaderSetting]>? {
        .fields(HeadersSection.read(node, context))
    }

    static func write(_ list: [HeaderSetting], _ name: String, _ writer: inout YAMLWriter) {
        HeadersSection.write(list, name, &writer)
    }
}

/// `answer-headers:`.
extension AnswerHeaders: SettingNotation {
    static var shape: Shape { HeadersSection.shape }

    static func saying(_ node: SourceNode, _ context: ReadingContext) -> Saying<AnswerHeaders>? {
        .answerFields(HeadersSection.read(node, context, takesSecrets: false))
    }

    func write(_ name: String, _ writer: inout YAMLWriter) {
        HeadersSection.write(fields, name, &writer)
    }
}

extension IdempotencyKey: SettingNotation {
    static var shape: Shape { .either([.text(), .choice(["false"])]) }

    static func saying(_ node: SourceNode, _ context: ReadingContext) -> Saying<IdempotencyKey>? {
        if node.isOff { return .off }
        if ["true", "yes", "on"].contains(node.text) {
            context.findings.mistake(
                at: node.place, "the field has no name", expected: "its name, or false",
                suggestion: .didYouMean("Idempotency-Key"))
            return nil
        }
        return context.text(node, what: "a field's name").map { .value(IdempotencyKey($0)) }
    }

    func write(_ name: String, _ writer: inout YAMLWriter) { writer.key(name, field) }
}
