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
            LogSettings.key("query"),
        ], bareKey: "level")
}

extension LogSettings: SettingNotation {
    static var shape: Shape { .section(LogSection.section) }

    static func saying(_ node: SourceNode, _ context: ReadingContext) -> Saying<LogSettings>? {
        var layer = Layer<LogSettings>()
        Fields.read(node, LogSection.section, context) { fields in
            fields.read(LogSettings.settings, into: &layer)
            guard let node = fields.node("access"), let text = context.text(node, what: "off, - or a file") else {
                return
            }
            let access: String? =
                switch text {
                case "off", "false", "no": nil
                case "-", "on", "true", "yes": "-"
                default: context.beside(text)
                }
            layer.say("access", \.access, access)
        }
        return .layer(layer)
    }

    func write(_ name: String, _ writer: inout YAMLWriter) {
        writer.mapping(name) { writer in
            writer.settings(of: self)
            writer.key("access", access ?? "off")
        }
    }
}
