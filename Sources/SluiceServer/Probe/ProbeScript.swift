/// How a probe answers while a type decodes itself.
struct ProbeScript {
    /// Which values are handed out.
    var palette = 0
    /// Questions, by their number, that are answered by an error, or by "no".
    var refused: Set<Int> = []
    /// Questions for an enum that are answered by another than its first case.
    var choices: [Int: Int] = [:]
    /// Questions whose value is not blank or of the palette, but of the next one.
    var changed: Int?
}

/// What a type asked a decoder, in its order.
struct ProbeQuestion {
    enum Kind: Equatable {
        /// A value that must be there.
        case value
        /// A value that may be absent (`decodeIfPresent`).
        case optional
        /// Whether a key is there.
        case contains
        /// Whether there is null.
        case null
    }

    /// From the type's own root.
    var path: [ProbeStep]
    var kind: Kind
    /// nil for a question that asks for no value.
    var type: (any Decodable.Type)?

    /// Whether both want the same thing.
    func isSame(as other: ProbeQuestion) -> Bool {
        path == other.path && kind == other.kind
            && type.map { ObjectIdentifier($0) } == other.type.map { ObjectIdentifier($0) }
    }
}

enum ProbeStep: Hashable {
    case key(String)
    /// An element of a list: all of them are of one type.
    case element
    /// The value of a key that only the answer knows.
    case anyKey
}
