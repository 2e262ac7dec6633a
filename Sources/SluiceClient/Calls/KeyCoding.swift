internal import SluiceContract

/// How names of properties and names on the wire differ: the same for JSON, forms, queries and path parameters.
public enum KeyCoding: Sendable, Hashable {
    /// The same name on both sides.
    case asWritten
    /// `itemCount` in Swift, `item_count` on the wire, both ways. Acronyms come back as words: `image_url` is
    /// `imageUrl`; a property `imageURL` needs a coding key of its own.
    case snakeCase

    /// The name on the wire of a property.
    package func name(_ property: String) -> String {
        switch self {
        case .asWritten: property
        case .snakeCase: KeyStyle.snakeCase(property)
        }
    }

    /// The property for a name on the wire.
    func property(_ name: String) -> String {
        switch self {
        case .asWritten: name
        case .snakeCase: Self.camelCase(name)
        }
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
