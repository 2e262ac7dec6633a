internal import SluiceJSON

/// A watched value as it is shown: whole at first, and what has changed of it from then on.
struct ShownValue {
    private var lines: [String] = []
    private let style: Style

    /// With more lines, comparing takes longer than reading.
    private static let linesMax = 4000

    init(_ style: Style) {
        self.style = style
    }

    /// The text to print for an event, without a line end; nil for none.
    mutating func text(of event: EventReader.Event) -> String? {
        let style = style
        switch event.name {
        case "data": return whole(event.data)
        case "json-patch":
            return Self.operations(event.data)?.map { Self.painted($0, style) }.joined(separator: "\n")
        case "merge-patch":
            return Self.lines(event.data).map { line in
                let isGone = line.hasSuffix(": null") || line.hasSuffix(": null,")
                return isGone ? style.red("- " + line) : style.yellow("~ " + line)
            }.joined(separator: "\n")
        case "problem": return style.red("! " + Self.member("detail", of: event.data))
        case "stale": return style.yellow("! stale since \(Self.member("age", of: event.data)) s")
        case "loading": return style.yellow("… loading")
        default: return nil
        }
    }

    private mutating func whole(_ data: [UInt8]) -> String {
        let new = Self.lines(data)
        defer { lines = new }
        if lines.isEmpty { return new.joined(separator: "\n") }
        guard max(lines.count, new.count) <= Self.linesMax else { return style.green("+ \(new.count) lines") }
        var removed: Set<Int> = []
        var inserted: Set<Int> = []
        for change in new.difference(from: lines) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        var shown: [String] = []
        var (before, after) = (0, 0)
        while before < lines.count || after < new.count {
            if removed.contains(before) {
                shown.append(style.red("- " + lines[before]))
                before += 1
            } else if inserted.contains(after) {
                shown.append(style.green("+ " + new[after]))
                after += 1
            } else {
                before += 1
                after += 1
            }
        }
        return shown.joined(separator: "\n")
    }

    private static func painted(_ operation: (name: String, text: String), _ style: Style) -> String {
        switch operation.name {
        case "add": style.green("+ " + operation.text)
        case "remove": style.red("- " + operation.text)
        default: style.yellow("~ " + operation.text)
        }
    }

    /// `name`, and `path value`, of each operation of a JSON patch.
    private static func operations(_ data: [UInt8]) -> [(name: String, text: String)]? {
        guard case .array(let items) = JSONTree(data) else { return nil }
        return items.map { item in
            guard case .object(let members) = item else { return ("", "") }
            let value = members["value"].map { " " + $0.text } ?? ""
            return (members["op"]?.plainText ?? "", ((members["path"]?.plainText ?? "") + value).printable)
        }
    }

    private static func member(_ name: String, of data: [UInt8]) -> String {
        guard case .object(let members) = JSONTree(data), let value = members[name] else { return "" }
        return (value.plainText ?? value.text).printable
    }

    /// One member or element each; of other texts, their own.
    private static func lines(_ data: [UInt8]) -> [String] {
        let lines =
            PrettyJSON.lines(data)
            ?? String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
        return lines.map(\.printable)
    }
}

extension JSONTree {
    /// On one line, with the keys in their order.
    fileprivate var text: String {
        switch self {
        case .object(let members):
            let texts = members.sorted { $0.key < $1.key }.map { JSONText.quote($0.key) + ": " + $0.value.text }
            return "{" + texts.joined(separator: ", ") + "}"
        case .array(let items): return "[" + items.map(\.text).joined(separator: ", ") + "]"
        case .string(let string): return JSONText.quote(string)
        case .number(let number): return number
        case .bool(let flag): return flag ? "true" : "false"
        case .null: return "null"
        }
    }

    /// Of a string or a number, without quotes.
    fileprivate var plainText: String? {
        switch self {
        case .string(let text), .number(let text): text
        case .object, .array, .bool, .null: nil
        }
    }
}
