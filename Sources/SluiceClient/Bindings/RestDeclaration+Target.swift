extension RestDeclaration {
    /// Where a call goes: parameters that the path has a place for (`fruits/{id}`) stand there, all others in the
    /// query.
    ///
    /// - Throws: ``CallError/encode(_:)`` where a place has no value, or the path has a query in it.
    func target() throws(CallError) -> (path: String, query: QueryItems) {
        if let mark = path.firstIndex(of: "?") {
            throw .encode(
                "The path '\(path)' has a query in it: write path: \"\(path[..<mark])\" and what follows as params:.")
        }
        var parts = RequestParts(keys: .asWritten)
        parts.path = path
        guard path.contains("{") else { return (PercentText.encodedPath(path), params) }
        let names = Set(path.split(separator: "{").dropFirst().map { String($0.prefix { $0 != "}" }) })
        for name in names.sorted() {
            let texts = params.items.filter { $0.name == name }.map(\.value)
            if !texts.isEmpty { parts.pathParameters.append((name, texts)) }
        }
        return (try parts.filledPath(), QueryItems(params.items.filter { !names.contains($0.name) }))
    }
}
