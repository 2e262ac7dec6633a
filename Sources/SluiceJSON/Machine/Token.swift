import CSIMD

/// The state of a token that is being read; it is kept when a chunk's end cuts the token.
struct Token {
    enum Kind: UInt8 {
        case none, key, string, number, word
    }

    /// The words that are values; the first letter tells which.
    enum Word: UInt8 {
        case `true`, `false`, null
    }

    var kind = Kind.none
    /// Whether the token is in a skipped part.
    var isSkipped = false
    /// Whether its bytes are carried over and are emitted only when it is whole.
    var isCarried = false
    var hasEscapes = false
    var escape = sluice_json_escape()
    var word = Word.null
    /// Letters of the word that have been read.
    var matched = 0
    /// Offset in the document of the token's first byte.
    var offset = 0
    /// The token's first byte if that is in this chunk.
    var start: BytePointer?

    @inline(__always)
    mutating func begin(_ kind: Kind, at start: BytePointer, offset: Int, isSkipped: Bool = false) {
        self = Token(kind: kind, isSkipped: isSkipped, offset: offset, start: start)
    }

    /// Whether an escape has begun and not ended yet.
    var isInEscape: Bool { escape.state != SLUICE_JSON_ESCAPE_NONE }

    mutating func beginEscape() {
        escape = sluice_json_escape(state: SLUICE_JSON_ESCAPE_BEGUN, is_after_high: false, unit: 0)
        hasEscapes = true
    }

    /// Takes one byte of an escape.
    mutating func takeEscape(_ byte: UInt8) -> SyntaxFault? {
        switch sluice_json_take_escape(&escape, byte) {
        case SLUICE_JSON_ESCAPE_RIGHT: nil
        case SLUICE_JSON_ESCAPE_LONE_SURROGATE: .loneSurrogate
        default: .escape
        }
    }
}

extension Token.Kind {
    var isString: Bool { self == .key || self == .string }
}

extension Token.Word {
    init(letter: UInt8) {
        self = letter == UInt8(ascii: "t") ? .true : letter == UInt8(ascii: "f") ? .false : .null
    }

    var text: StaticString {
        switch self {
        case .true: "true"
        case .false: "false"
        case .null: "null"
        }
    }
}
