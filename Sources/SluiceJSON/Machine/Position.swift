import CSIMD

/// What comes next in the document; the first cases are those of `sluice_json_position`.
enum Position: UInt8 {
    case value, firstElement, firstKey, key, colon, afterValue
    /// Inside a skipped part.
    case skipping
    /// Inside a token that a chunk's end has cut.
    case token
    /// After the document: only whitespace may follow.
    case end
    /// Before an object whose alternative is not known until more of it has come.
    case held
    /// A syntax fault has ended the run.
    case halted
}

extension Position {
    /// Whether the next token begins here, outside of any other.
    var isBetweenTokens: Bool {
        switch self {
        case .value, .firstElement, .firstKey, .key, .colon, .afterValue, .skipping: true
        case .token, .end, .held, .halted: false
        }
    }

    /// The position that has this number in `sluice_json_position`.
    init(walked number: Int32) {
        switch number {
        case Int32(SLUICE_JSON_AT_VALUE.rawValue): self = .value
        case Int32(SLUICE_JSON_AT_FIRST_ELEMENT.rawValue): self = .firstElement
        case Int32(SLUICE_JSON_AT_FIRST_KEY.rawValue): self = .firstKey
        case Int32(SLUICE_JSON_AT_KEY.rawValue): self = .key
        case Int32(SLUICE_JSON_AT_COLON.rawValue): self = .colon
        case Int32(SLUICE_JSON_AT_AFTER_VALUE.rawValue): self = .afterValue
        default: self = .skipping
        }
    }
}
