/// Names that other languages have for the built-in types, as JSON Schema, OpenAPI and SQL write them.
enum ForeignType {
    /// The type that an author means by `word`, whatever its case; nil where there is no telling.
    static func name(for word: String) -> String? {
        switch word.lowercased() {
        case "integer", "long", "bigint": return "Int"
        case "number", "float", "real": return "Double"
        case "boolean": return "Bool"
        case "datetime", "timestamp": return "Date"
        case "object", "any": return "JSON"
        default: return nil
        }
    }
}
