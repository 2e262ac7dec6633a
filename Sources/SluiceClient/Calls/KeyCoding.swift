/// How names of properties and names on the wire differ: the same for JSON, forms, queries and path parameters.
public enum KeyCoding: Sendable, Hashable {
    case asWritten
    /// `itemCount` in Swift, `item_count` on the wire, both ways. Acronyms come back as words: `image_url` is
    /// `imageUrl`; a property `imageURL` needs a coding key of its own.
    case snakeCase

    /// The name on the wire of a property.
    package func name(_ property: String) -> String {
        switch self {
        case .asWritten: property
        case .snakeCase: Self.snakeCase(property)
        }
    }

    /// The property for a name on the wire.
    func property(_ name: String) -> String {
        switch self {
        case .asWritten: name
        case .snakeCase: Self.camelCase(name)
        }
    }

    /// A word begins at a capital behind a small letter or digit, and at the last of several capitals before a small
    /// letter: `myURLPath` is `my_url_path`.
    private static func snakeCase(_ property: String) -> String {
        let letters = Array(property)
        var name = ""
        for (index, letter) in letters.enumerated() {
            if letter.isUppercase, index > 0, letters[index - 1] != "_" {
                let isAfterSmall = !letters[index - 1].isUppercase
                let isBeforeSmall = index + 1 < letters.count && letters[index + 1].isLowercase
                if isAfterSmall || isBeforeSmall { name += "_" }
            }
            name += letter.lowercased()
        }
        return name
    }

    /// Underscores at the beginning and the end are part of the name.
    static func camelCase(_ name: String) -> String {
        let front = name.prefix { $0 == "_" }
        guard front.count < name.count else { return name }
        let back = String(name.reversed().prefix { $0 == "_" })
        let words = name.dropFirst(front.count).dropLast(back.count).split(separator: "_")
        guard words.count > 1 else { return name }
        let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() }
        return front + words[0].lowercased() + rest.joined() + back
    }
}
