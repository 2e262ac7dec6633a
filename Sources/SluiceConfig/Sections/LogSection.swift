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
                "One line per request: off, - for standard output, journal, or a file that is appended to"),
            LogSettings.key("access-format"),
            .init(
                "audit", .text(), default: "off",
                "One line per request that showed a credential, and per sign-in and renewal: off, - or a file"),
            LogSettings.key("query"),
        ], bareKey: "level")
}

extension LogSettings: SettingNotation {
    static var shape: Shape { .section(LogSection.section) }

    static func saying(_ node: SourceNode, _ context: ReadingContext) -> Saying<LogSettings>? {
        var layer = Layer<LogSettings>()
        Fields.read(node, LogSection.section, context) { fields in
            fields.read(LogSettings.settings, into: &layer)
            if let node = fields.node("access"), let text = context.text(node, what: "off, -, journal or a file") {
                layer.say("access", \.access, LogSettings.AccessPlace(text, context))
            }
            if let node = fields.node("audit"), let text = context.text(node, what: "off, - or a file") {
                let file: String? =
                    switch LogWord(text) {
                    case .off?: nil
                    case .output?: "-"
                    case nil: context.beside(text)
                    }
                layer.say("audit", \.audit, file)
            }
        }
        return .layer(layer)
    }

    func write(_ name: String, _ writer: inout YAMLWriter) {
        writer.mapping(name) { writer in
            writer.settings(of: self)
            writer.key("access", access?.text ?? "off")
            writer.key("audit", audit ?? "off")
        }
    }
}

/// Words in the place of a file name; `off` and `on` are also truth values of YAML 1.1.
private enum LogWord {
    case off, output

    init?(_ text: String) {
        switch text {
        case "off", "false", "no": self = .off
        case "-", "on", "true", "yes": self = .output
        default: return nil
        }
    }
}

extension LogSettings.AccessPlace {
    private static let journalName = "journal"

    /// Nil means off.
    fileprivate init?(_ text: String, _ context: ReadingContext) {
        switch LogWord(text) {
        case .off?: return nil
        case .output?: self = .output
        case nil where text == Self.journalName: self = .journal
        case nil where text.hasPrefix(Self.journalName + ":/"):
            self = .journal(socket: String(text.dropFirst(Self.journalName.utf8.count + 1)))
        case nil: self = .file(context.beside(text))
        }
    }

    /// As the configuration writes it.
    fileprivate var text: String {
        switch self {
        case .output: "-"
        case .file(let path): path
        case .journal(let socket): self == .journal ? Self.journalName : "\(Self.journalName):\(socket)"
        }
    }
}
