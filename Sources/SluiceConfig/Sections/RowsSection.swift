import SluiceContract
import SluiceRules

/// `rows:` of a binding: the format of rows in an answer that is not a JSON document.
enum RowsSection {
    private static let formats = ["ndjson", "csv", "events"]

    static let section = Section(
        name: "binding.rows", summary: "A text of rows that become one JSON array, or go out line by line",
        keys: [
            .required(
                "format", .choice(formats),
                "What the API writes: a JSON value in each line, a table (RFC 4180), or server-sent events"),
            .init(
                "columns", .oneOrMany(.text()), default: "the first record has them",
                "Names of a table's columns, in their order"),
            .init(
                "separator", .choice(RowPolicy.Separator.allCases.map(\.rawValue)),
                default: RowPolicy.Separator.comma.rawValue, "What stands between the fields of a table"),
            .init("end", .text(), "Data of an event that ends the rows, such as [DONE]"),
            .init(
                "as", .choice(RowPolicy.Delivery.allCases.map(\.rawValue)), default: "array; lines for events",
                "One JSON array, or NDJSON whose rows go out as they arrive"),
        ], bareKey: "format")

    static let shape = Shape.either([.choice(formats), .section(section)])

    static func read(_ node: SourceNode, _ context: ReadingContext) -> RowPolicy? {
        if node.entries == nil { return format(node, context).map { RowPolicy($0) } }
        var policy: RowPolicy?
        Fields.read(node, section, context) { fields in
            let table = table(fields, context)
            var end: String?
            var delivery: RowPolicy.Delivery?
            fields.set("end", &end) { context.text($0, what: "the data of an event") }
            fields.set("as", &delivery) { context.choice($0) }
            guard var format = fields.required("format").flatMap({ format($0, context) }) else { return }
            func misplaced(_ key: String, _ owner: String) {
                guard fields.has(key), format.name != owner else { return }
                context.findings.mistake(
                    at: fields.keyPlace(key), "'\(key)' belongs to 'format: \(owner)'", expected: "no '\(key)'")
            }
            misplaced("columns", "csv")
            misplaced("separator", "csv")
            misplaced("end", "events")
            switch format {
            case .ndjson: break
            case .csv: format = .csv(table)
            case .events: format = .events(end: end)
            }
            policy = RowPolicy(format, delivery: delivery)
        }
        return policy
    }

    private static func table(_ fields: Fields, _ context: ReadingContext) -> RowPolicy.Table {
        var table = RowPolicy.Table()
        fields.set("separator", &table.separator) { context.choice($0) }
        fields.set("columns", &table.columns) { node in
            context.items(node).compactMap { context.text($0, what: "a column's name") }
        }
        return table
    }

    private static func format(_ node: SourceNode, _ context: ReadingContext) -> RowPolicy.Format? {
        guard let name = context.choice(node, among: formats) else { return nil }
        switch name {
        case "csv": return .csv(.init())
        case "events": return .events(end: nil)
        default: return .ndjson
        }
    }
}

extension BindingReader {
    mutating func readRows() {
        guard let node = fields.node("rows") else { return }
        if let rows = RowsSection.read(node, context) {
            binding.settings.say("rows", \.rows, rows)
        } else {
            binding.settings.sayUnread("rows")
        }
    }
}

extension RowPolicy {
    func write(_ name: String, _ writer: inout YAMLWriter) {
        writer.mapping(name) { writer in
            writer.key("format", format.name)
            switch format {
            case .ndjson: break
            case .csv(let table):
                if let columns = table.columns {
                    writer.raw("columns", "[\(columns.map { YAMLWriter.scalar($0) }.joined(separator: ", "))]")
                }
                writer.key("separator", table.separator.rawValue)
            case .events(let end): if let end { writer.key("end", end) }
            }
            writer.key("as", delivery.rawValue)
        }
    }
}
