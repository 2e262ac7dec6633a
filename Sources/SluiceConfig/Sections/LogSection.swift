import SluiceContract
import SluiceRules

/// `log:`.
enum LogSection {
    static let section = Section(
        name: "log", summary: "The log and the access log",
        keys: [
            LogSettings.key("level"), LogSettings.key("format"),
            .init(
                "access", .text(), default: "off",
                "One line per request: off, - for standard output, or a file that is appended to"),
            .init(
                "audit", .text(), default: "off",
                "One line per request that showed a credential, and per sign-in and renewal: off, - or a file"),
            LogSettings.key("query"),
        ], bareKey: "level")
}

extension LogSettings: SettingNotation {
    static var shape: Shape { .section(LogSection.section) }

    private static var files: [(String, WritableKeyPath<LogSettings, String?> & Sendable)] {
        [("access", \.access), ("audit", \.audit)]
    }

    static func saying(_ node: SourceNode, _ context: ReadingContext) -> Saying<LogSettings>? {
        var layer = Layer<LogSettings>()
        Fields.read(node, LogSection.section, context) { fields in
            fields.read(LogSettings.settings, into: &layer)
            for (name, path) in files {
                guard let node = fields.node(name), let text = context.text(node, what: "off, - or a file") else {
                    continue
                }
                let file: String? =
                    switch text {
                    case "off", "false", "no": nil
                    case "-", "on", "true", "yes": "-"
                    default: context.beside(text)
                    }
                layer.say(name, path, file)
            }
        }
        return .layer(layer)
    }

    func write(_ name: String, _ writer: inout YAMLWriter) {
        writer.mapping(name) { writer in
            writer.settings(of: self)
            writer.key("access", access ?? "off")
            writer.key("audit", audit ?? "off")
        }
    }
}
