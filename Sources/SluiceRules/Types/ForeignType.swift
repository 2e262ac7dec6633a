internal import SluiceContract

/// Names that other languages have for the built-in types, as JSON Schema, OpenAPI and SQL write them.
package enum ForeignType {
    /// The type that an author means by `word`, whatever its case; nil where there is no telling.
    package static func name(for word: String) -> String? {
        switch word.lowercased() {
        case "integer", "long", "bigint": return "Int"
        case "number", "float", "real": return "Double"
        case "boolean": return "Bool"
        case "str", "text", "varchar": return "String"
        case "datetime", "timestamp": return "Date"
        case "object", "any", "dict", "map": return "JSON"
        case "array", "list": return "[JSON]"
        default: return generic(word)
        }
    }

    /// `Array<Int>`, `list<string>`, `Optional<Int>`.
    private static func generic(_ word: String) -> String? {
        guard let open = word.firstIndex(of: "<"), word.hasSuffix(">") else { return nil }
        return TypeNotation.meaning(of: word[..<open], element: String(word[word.index(after: open)...].dropLast())) {
            name(for: $0)
        }
    }
}
