import SluiceContract
import SluiceRules

/// `error:` of an upstream or binding: where the API's answers hold error texts, for all statuses and for particular
/// ones, and how the API reports an error with a status of success.
enum ErrorSection {
    static let section = Section(
        name: "error", summary: "Where an API keeps its errors; a status such as 404 as a key has paths of its own",
        keys: textKeys + [
            .init("when", .either([condition, .choice(["false"])]), "What says that an answer of 2xx is an error"),
            .init("unless", .either([condition, .choice(["false"])]), "What says that an answer of 2xx is none"),
            .init("status", status, default: "502", "The status that the client gets for such an answer"),
            .init(
                "codes", .names(pattern: nil, status), "Statuses for such answers by the API's own code"),
            .init(
                "keep-data", .flag, default: "false", "Whether a value beside such an error is answered all the same"),
            .init("default", .section(texts), default: "{}", "The keys message and code, for reading beside statuses"),
        ],
        statuses: .either([status, .section(paths)]), bareKey: "message")

    static let texts = Section(
        name: "error.default", summary: "Where texts of an error stand", keys: textKeys, bareKey: "message")

    static let paths = Section(
        name: "error.paths", summary: "What becomes of errors with one status",
        keys: textKeys + [.init("status", status, default: "the upstream's", "The status that the client gets")],
        bareKey: "message")

    private static let status = Shape.integer(400...599)

    /// A path alone, or paths with the values to look for there.
    private static let condition = Shape.either([.path, .names(pattern: nil, .oneOrMany(.any))])

    private static let textKeys: [Section.Key] = [
        .init("message", .path, "Path of the text that a person reads"),
        .init("code", .path, "Path of the API's own code for the error"),
    ]

    static func read(_ node: SourceNode, _ context: ReadingContext) -> ErrorSettings {
        var errors = ErrorSettings()
        Fields.read(node, section, context) { fields in
            readTexts(fields, into: &errors.all)
            if let node = fields.node("default") {
                Fields.read(node, texts, context) { readTexts($0, into: &errors.all) }
            }
            for (status, _, value) in fields.statuses { errors.byStatus[status] = paths(value, context) }
            readReported(fields, into: &errors.reported)
        }
        return errors
    }

    /// A number alone is the status that the client gets.
    private static func paths(_ node: SourceNode, _ context: ReadingContext) -> ErrorPaths {
        var paths = ErrorPaths()
        if let text = node.text, Int(text) != nil {
            paths.status = context.integer(node, 400...599)
            return paths
        }
        Fields.read(node, Self.paths, context) { fields in
            readTexts(fields, into: &paths)
            fields.set("status", &paths.status) { context.integer($0, 400...599) }
        }
        return paths
    }

    private static func readTexts(_ fields: Fields, into error: inout ErrorPaths) {
        fields.set("message", &error.message, fields.context.errorText)
        fields.set("code", &error.code, fields.context.errorText)
    }

    // MARK: - Errors with a status of success

    private static func readReported(_ fields: Fields, into reported: inout ReportedError) {
        let context = fields.context
        fields.set("when", &reported.when) { conditions($0, context) }
        fields.set("unless", &reported.unless) { conditions($0, context) }
        fields.set("status", &reported.status) { context.integer($0, 400...599) }
        fields.set("keep-data", &reported.keepsData, context.flag)
        guard let node = fields.node("codes") else { return }
        let codes = context.named(node, what: "codes of the API, each with a status")
        reported.codes = codes.compactMap { code, _, value in
            context.integer(value, 400...599).map { ReportedError.CodeStatus(code, $0) }
        }
    }

    private static func conditions(_ node: SourceNode, _ context: ReadingContext) -> [ReportedError.Condition]? {
        if node.isOff { return [] }
        guard node.entries != nil else {
            guard node.items == nil else {
                context.findings.mistake(
                    at: node.place, "a list where a condition is wanted",
                    expected: "a key path, or key paths with the values that are looked for: {ok: false}")
                return nil
            }
            if let mistake = comparison(node) {
                context.findings.mistake(
                    at: node.place, "'\(node.text ?? "")' is no key path: nothing is compared in it",
                    expected: "key paths with the values that are looked for", suggestion: mistake)
                return nil
            }
            return context.fieldPath(node).map { [ReportedError.Condition($0)] }
        }
        let entries = context.named(node, what: "key paths, each with the value that is looked for")
        if entries.isEmpty {
            context.findings.mistake(
                at: node.place, "a condition without a path never holds", expected: "such as {ok: false}, or false")
        }
        return entries.compactMap { _, key, value in
            guard let path = context.fieldPath(key) else { return nil }
            return context.all(value) { scalar($0, context) }.map { ReportedError.Condition(path, $0) }
        }
    }

    /// A suggestion for a comparison such as `ok == false`, as in other languages.
    private static func comparison(_ node: SourceNode) -> Suggestion? {
        guard let text = node.text, !text.hasPrefix("\""),
            let sign = ["===", "!==", "==", "!=", "="].first(where: { text.contains($0) }),
            let range = text.firstRange(of: sign)
        else { return nil }
        let path = text[..<range.lowerBound].split(separator: " ").joined(separator: " ")
        let value = text[range.upperBound...].split(separator: " ").joined(separator: " ")
        if sign.hasPrefix("!") { return .advice("write unless: {\(path): \(value)}") }
        return .didYouMean("{\(path): \(value)}")
    }

    private static func scalar(_ node: SourceNode, _ context: ReadingContext) -> String? {
        guard case .scalar(let scalar) = node.content else {
            context.findings.mistake(
                at: node.place, "\(node.kind) where a value is wanted",
                expected: "a text, a number, true, false or null",
                suggestion: .advice("write a path such as error.code in front of the value"))
            return nil
        }
        return (scalar.style == .plain ? PlainJSON.literal(scalar.text) : nil) ?? PlainJSON.string(scalar.text)
    }
}

extension ErrorSettings: SettingNotation {
    static var shape: Shape { .section(ErrorSection.section) }

    static func saying(_ node: SourceNode, _ context: ReadingContext) -> Saying<ErrorSettings>? {
        .errors(ErrorSection.read(node, context), keys: node.entries?.compactMap(\.key.text) ?? [])
    }

    func write(_ name: String, _ writer: inout YAMLWriter) {
        writer.mapping(name) { writer in
            Self.write(all, &writer)
            reported.write(&writer)
            for (status, paths) in byStatus.sorted(by: { $0.key < $1.key }) {
                writer.mapping(String(status)) { writer in
                    Self.write(paths, &writer)
                    if let status = paths.status { writer.raw("status", String(status)) }
                }
            }
        }
    }

    private static func write(_ paths: ErrorPaths, _ writer: inout YAMLWriter) {
        if let message = paths.message { writer.key("message", message.description) }
        if let code = paths.code { writer.key("code", code.description) }
    }
}

extension ReportedError {
    fileprivate func write(_ writer: inout YAMLWriter) {
        Self.write("when", when, &writer)
        Self.write("unless", unless, &writer)
        if let status { writer.raw("status", String(status)) }
        if let codes {
            writer.mapping("codes") { writer in
                for code in codes { writer.raw(code.code, String(code.status)) }
            }
        }
        if let keepsData { writer.raw("keep-data", String(keepsData)) }
    }

    private static func write(_ name: String, _ conditions: [Condition]?, _ writer: inout YAMLWriter) {
        guard let conditions else { return }
        if conditions.isEmpty {
            writer.raw(name, "false")
        } else if conditions.count == 1, conditions[0].values.isEmpty {
            writer.key(name, conditions[0].path.description)
        } else {
            writer.mapping(name) { writer in
                for condition in conditions {
                    writer.raw(condition.path.description, "[\(condition.values.joined(separator: ", "))]")
                }
            }
        }
    }
}

extension ReadingContext {
    /// The place of an error's text: a key path, `header NAME`, `xml NAME` or `first line`.
    func errorText(_ node: SourceNode) -> ErrorText? {
        if let text = node.text, let error = ErrorText(notation: text) { return error }
        return fieldPath(node).map { .path($0) }
    }

    /// A key path such as `data.items[0]`.
    func fieldPath(_ node: SourceNode) -> FieldPath? {
        guard let text = text(node, what: "a key path") else { return nil }
        do {
            return try FieldPath.read(text)
        } catch {
            findings.mistake(
                at: node.place, "'\(text)' is no key path: \(error.message)", expected: error.expected,
                suggestion: error.suggestion.map { .didYouMean($0) })
            return nil
        }
    }
}
