/// The ways in which a document can break RFC 8259 or exceed a limit.
enum SyntaxFault: Equatable {
    case valueExpected, keyExpected, colonExpected, objectGoesOn, arrayGoesOn, digitExpected
    case word(Token.Word)
    case controlCharacter, escape, loneSurrogate, invalidUTF8
    case trailing, truncated, empty, byteOrderMark
    case tooDeep, stringTooLong, tooManyKeys, documentTooLarge

    /// What the fault says was expected.
    func expected(_ limits: JSONLimits) -> String {
        switch self {
        case .valueExpected, .empty, .byteOrderMark: "a JSON value"
        case .keyExpected: "a key in quotes"
        case .colonExpected: "\":\""
        case .objectGoesOn: "\",\" or \"}\""
        case .arrayGoesOn: "\",\" or \"]\""
        case .digitExpected: "a digit"
        case .word(let word): "\(word.text)"
        case .controlCharacter: "control characters in strings as escapes"
        case .escape: "one of the escapes \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX"
        case .loneSurrogate: "surrogates in pairs"
        case .invalidUTF8: "UTF-8"
        case .trailing: "nothing after the value"
        case .truncated: "more of the document"
        case .tooDeep: "at most \(limits.depth) levels of nesting"
        case .stringTooLong: "strings and numbers of at most \(limits.stringBytes) bytes"
        case .tooManyKeys: "objects of at most \(limits.keys) keys"
        case .documentTooLarge: "a document of at most \(limits.documentBytes) bytes"
        }
    }

    /// What the fault says was found instead.
    func found(_ byte: UInt8?) -> String {
        switch self {
        case .tooDeep: return "more levels"
        case .stringTooLong: return "a longer one"
        case .tooManyKeys: return "more keys"
        case .documentTooLarge: return "a larger one"
        case .invalidUTF8: return "ill-formed bytes"
        case .empty: return "nothing at all"
        // Only the first byte of the mark is sure to be in the chunk.
        case .byteOrderMark: return "byte 0xEF, as of a byte order mark, which JSON must not have (RFC 8259 §8.1)"
        default: break
        }
        guard let byte else { return "the document's end" }
        if byte > 0x20 && byte < 0x7F { return "\"\(Character(UnicodeScalar(byte)))\"" }
        return "byte 0x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }

    /// The name of the limit that the document exceeds; nil if the fault is that it is not JSON.
    var limit: String? {
        switch self {
        case .tooDeep: "json-depth"
        case .stringTooLong: "json-string"
        case .tooManyKeys: "json-keys"
        case .documentTooLarge: "json-document"
        default: nil
        }
    }

    /// Whether the fault is reported with the path of the innermost container, not with that of its last member.
    var standsBetweenMembers: Bool {
        switch self {
        case .keyExpected, .objectGoesOn, .arrayGoesOn, .tooManyKeys: true
        default: false
        }
    }
}
