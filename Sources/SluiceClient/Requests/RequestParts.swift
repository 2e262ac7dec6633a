/// What the wrapped properties of a request say, gathered.
struct RequestParts {
    var method: HTTPMethod = .get
    var path = "/"
    var pathParameters: [(name: String, texts: [String])] = []
    var query = QueryItems()
    var fields: [CallField] = []
    let keys: KeyCoding

    /// The path with its parameters in place.
    ///
    /// A value is one segment or a part of one: what is absent, empty or a dot segment (RFC 3986 §3.3) would be another
    /// path, and is refused.
    func filledPath() throws(CallError) -> String {
        var filled = ""
        var rest = path[...]
        var used: Set<String> = []
        while let open = rest.firstIndex(of: "{") {
            filled += PercentText.encodedPath(String(rest[..<open]))
            guard let close = rest[open...].firstIndex(of: "}") else {
                throw .encode("The path '\(path)' has a '{' without its '}'.")
            }
            let name = String(rest[open...].dropFirst().prefix { $0 != "}" })
            filled += PercentText.encoded(try value(of: name))
            used.insert(name)
            rest = rest[close...].dropFirst()
        }
        if let idle = pathParameters.first(where: { used.isDisjoint(with: spellings(of: $0.name)) }) {
            throw .encode("The path '\(path)' has no place for '{\(idle.name)}'.")
        }
        return filled + PercentText.encodedPath(String(rest))
    }

    /// How the path may write a parameter's name: a place that is in snake case means `userId` by `{user_id}`.
    private func spellings(of name: String) -> [String] { [name, keys.name(name), KeyCoding.snakeCase.name(name)] }

    private func value(of name: String) throws(CallError) -> String {
        guard let found = pathParameters.last(where: { spellings(of: $0.name).contains(name) }) else {
            throw .encode("The request has no path parameter for '{\(name)}' of '\(path)'.")
        }
        guard found.texts.count == 1, let text = found.texts.first, !["", ".", ".."].contains(text) else {
            throw .encode("The path parameter '\(name)' must be one value that is not empty, '.' or '..'.")
        }
        return text
    }
}

/// A wrapped property of a request.
protocol RequestPart {
    /// Adds what the property says, under its name in the program.
    func contribute(as property: String, to parts: inout RequestParts) throws(CallError)
}
