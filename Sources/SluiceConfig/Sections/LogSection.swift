import SluiceContract

/// `log:`.
enum LogSection {
    static let section = Section(
        name: "log", summary: "The log and the access log",
        keys: [
            .init(
                "level", .choice(LogSettings.Level.allCases.map(\.rawValue)), default: LogSettings().level.rawValue,
                "The least important message that is written"),
            .init(
                "format", .choice(LogSettings.Format.allCases.map(\.rawValue)),
                default: LogSettings().format.rawValue, "auto is text on a terminal and JSON lines otherwise"),
            .init(
                "access", .text(), default: "off",
                "One line per request: off, - for standard output, or a file that is appended to"),
            .init(
                "query", .choice(LogSettings.Query.allCases.map(\.rawValue)), default: LogSettings().query.rawValue,
                "What the access log tells of a query: masked leaves out values that sound like credentials"),
        ], bareKey: "level")

    static func read(_ node: SourceNode, _ desk: Desk, into log: inout LogSettings) {
        Fields.read(node, section, desk) { fields in
            fields.set("level", &log.level) { desk.choice($0) }
            fields.set("format", &log.format) { desk.choice($0) }
            fields.set("query", &log.query) { desk.choice($0) }
            if let node = fields.node("access"), let text = desk.text(node, what: "off, - or a file") {
                switch text {
                case "off", "false", "no": log.access = nil
                case "-", "on", "true", "yes": log.access = "-"
                default: log.access = desk.beside(text)
                }
            }
        }
    }
}
