import SluiceContract
import SluiceRules

/// `error:` of an upstream or binding: where an API keeps its errors, for all statuses and for particular ones.
enum ErrorSection {
    static let section = Section(
        name: "error", summary: "Where an API keeps its errors; a status such as 404 as a key has paths of its own",
        keys: pathKeys + [
            .init("default", .section(paths), default: "{}", "The same two keys, for reading beside statuses")
        ],
        statuses: .section(paths), bareKey: "message")

    static let paths = Section(
        name: "error.paths", summary: "Paths into the error's JSON", keys: pathKeys, bareKey: "message")

    private static let pathKeys: [Section.Key] = [
        .init("message", .path, "Path of the text that a person reads"),
        .init("code", .path, "Path of the API's own code for the error"),
    ]

    static func read(_ node: SourceNode, _ context: ReadingContext) -> ErrorSettings {
        var errors = ErrorSettings()
        Fields.read(node, section, context) { fields in
            readPaths(fields, into: &errors.all)
            if let node = fields.node("default") {
                Fields.read(node, paths, context) { readPaths($0, into: &errors.all) }
            }
            for (status, _, value) in fields.statuses {
                var own = ErrorPaths()
                Fields.read(value, paths, context) { readPaths($0, into: &own) }
                errors.byStatus[status] = own
            }
        }
        return errors
    }

    private static func readPaths(_ fields: Fields, into error: inout ErrorPaths) {
        fields.set("message", &error.message, fields.context.fieldPath)
        fields.set("code", &error.code, fields.context.fieldPath)
    }
}

extension ErrorSettings: SettingNotation {
    static var shape: Shape { .section(ErrorSection.section) }

    static func saying(_ node: SourceNode, _ context: ReadingContext) -> Saying<ErrorSettings>? {
        .errors(ErrorSection.read(node, context))
    }

    func write(_ name: String, _ writer: inout YAMLWriter) {
        Explain.error(all, byStatus, &writer)
    }
}

extension ReadingContext {
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
