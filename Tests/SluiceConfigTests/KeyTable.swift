@testable import SluiceConfig

/// A section's keys as a table of the documentation.
enum KeyTable {
    static func markdown(_ section: Section) -> String {
        var lines = ["<a id=\"\(section.name)\"></a>", "", "| Key | Value | Default | Meaning |", "|---|---|---|---|"]
        for key in section.keys {
            lines.append("| `\(key.name)` | \(value(key.shape)) | \(fallback(key)) | \(escaped(key.summary)). |")
        }
        if let statuses = section.statuses {
            lines.append("| a status such as `404` | \(value(statuses)) | none | The same for this status alone. |")
        }
        if section.takesExtensions {
            lines.append(
                "| a name that begins with `x-` | any value | none | Left alone: a place for anchors of YAML. |")
        }
        return lines.joined(separator: "\n")
    }

    private static func fallback(_ key: Section.Key) -> String {
        let words = ["required", "none"]
        let isText = words.contains(key.fallback) || key.fallback.contains(" ") && !key.fallback.hasPrefix("[")
        return isText ? key.fallback : "`\(escaped(key.fallback))`"
    }

    private static func value(_ shape: Shape) -> String {
        switch shape {
        case .text: "text"
        case .duration: "duration"
        case .size: "size"
        case .flag: "`true` or `false`"
        case .integer(let range): "\(range.lowerBound) to \(range.upperBound)"
        case .within(let shape, let least, let most): "\(value(shape)), \(least) to \(most)"
        case .choice(let words): words.map { "`\($0)`" }.joined(separator: ", ")
        case .path: "key path"
        case .list(let item): "list of \(value(item))"
        case .oneOrMany(let item): "\(value(item)); one or a list"
        case .names(_, let item): "names, each with \(value(item))"
        case .section(let section): "[mapping](#\(section.name))"
        case .either(let shapes): shapes.map(value).joined(separator: ", or ")
        case .type: "[type](#types)"
        case .field(let section): "[type](#types), default or [mapping](#\(section.name))"
        case .any: "any value"
        }
    }

    private static func escaped(_ text: String) -> String {
        text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
    }
}
