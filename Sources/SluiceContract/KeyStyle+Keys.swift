extension KeyStyle {
    /// The key of a field in the JSON of local clients.
    public func localKey(of field: ObjectType.Field) -> String { localKey(field.name) }

    /// The key that local clients see where a type declares this one.
    public func localKey(_ name: String) -> String {
        switch self {
        case .verbatim: name
        case .camelCase: Self.camelCase(name)
        }
    }

    /// The key of a field in the upstream's JSON and in that of local clients.
    public func keys(of field: ObjectType.Field) -> (upstream: String, local: String) {
        switch self {
        case .verbatim: (field.from ?? field.name, field.name)
        case .camelCase: (field.from ?? Self.snakeCase(field.name), Self.camelCase(field.name))
        }
    }

    /// `fullName` is `full_name`, `htmlURLText` is `html_url_text`: a word begins at a capital behind a small letter or
    /// digit, and at the last of several capitals before a small letter.
    package static func snakeCase(_ name: String) -> String {
        let letters = Array(name)
        var result = ""
        for (index, letter) in letters.enumerated() {
            if letter.isUppercase, index > 0, letters[index - 1] != "_" {
                let followsLower = !letters[index - 1].isUppercase
                let startsWord = index + 1 < letters.count && letters[index + 1].isLowercase
                if followsLower || startsWord { result += "_" }
            }
            result += letter.lowercased()
        }
        return result
    }

    /// `full_name` is `fullName`; underscores at either end stay.
    static func camelCase(_ name: String) -> String {
        let leading = name.prefix { $0 == "_" }
        let body = name.dropFirst(leading.count)
        let trailing = String(body.reversed().prefix { $0 == "_" })
        let words = body.dropLast(trailing.count).split(separator: "_")
        guard words.count > 1, let first = words.first else { return name }
        let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
        return leading + first + rest.joined() + trailing
    }
}
