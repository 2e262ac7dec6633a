/// Names of header fields and of the properties that stand for them.
enum HeaderName {
    /// `If-None-Match` for `ifNoneMatch`.
    static func of(_ property: String) -> String {
        KeyCoding.snakeCase.name(property).split(separator: "_")
            .map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: "-")
    }

    /// What two spellings of a name have in common: `contentType`, `Content-Type` and `content_type` are one.
    static func folded(_ name: String) -> String {
        name.lowercased().filter { $0 != "-" && $0 != "_" }
    }
}
