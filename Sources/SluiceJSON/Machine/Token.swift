/// A token that is being read: what is known of it when a chunk's end cuts it.
struct Token {
    enum Kind: UInt8 {
        case none, key, string, number, word
    }

    /// Where an escape of a string stands (RFC 8259 §7).
    enum Escape: UInt8 {
        case none
        /// After the backslash.
        case begun
        /// Before the first to fourth hexadecimal digit.
        case digit1, digit2, digit3, digit4
        /// A high surrogate has been read: before the backslash and the `u` that have to follow.
        case low, lowBegun
    }

    /// Words that are values, by their first letter.
    enum Word: UInt8 {
        case `true`, `false`, null
    }

    var kind = Kind.none
    /// Whether it stands in a part that nobody looks at.
    var isSkipped = false
    /// Whether its bytes are carried over and are shown only when it is whole.
    var isCarried = false
    var hasEscapes = false
    var escape = Escape.none
    var isAfterHigh = false
    var unit: UInt16 = 0
    var word = Word.null
    /// Letters of the word that have been read.
    var matched = 0
    /// Offset in the document of its first byte.
    var offset = 0
    /// Its first byte where it begins in this chunk.
    var start: UnsafePointer<UInt8>?

    @inline(__always)
    mutating func begin(_ kind: Kind, at place: UnsafePointer<UInt8>, offset: Int, isSkipped: Bool = false) {
        self = Token(kind: kind, isSkipped: isSkipped, offset: offset, start: place)
    }
}

extension Token.Kind {
    var isString: Bool { self == .key || self == .string }
}

extension Token.Word {
    var text: StaticString {
        switch self {
        case .true: "true"
        case .false: "false"
        case .null: "null"
        }
    }
}
