internal import SluiceContract

/// A small JSON text as a tree: what a configuration declares, while it is read.
package enum JSONNode: Sendable {
    case null
    case bool(String)
    /// As it is written.
    case number(String)
    case string(String)
    case array([JSONNode])
    case object([(key: String, value: JSONNode)])

    /// - Returns: nil where the text is no JSON (RFC 8259).
    package init?(_ text: String) {
        // Most are a word.
        if DecimalText.isNumber(text) {
            self = .number(text)
            return
        }
        var text = text
        let isValid = text.withUTF8 { JSONCheck.isValid(UnsafeRawBufferPointer($0)) }
        guard isValid else { return nil }
        var rest = Array(text.utf8)[...]
        self = Self.value(&rest)
    }

    /// The text is known to be JSON.
    private static func value(_ rest: inout ArraySlice<UInt8>) -> JSONNode {
        skipBlanks(&rest)
        switch rest.first {
        case UInt8(ascii: "{"): return .object(object(&rest))
        case UInt8(ascii: "["):
            var items: [JSONNode] = []
            while !ends(with: UInt8(ascii: "]"), &rest) { items.append(value(&rest)) }
            return .array(items)
        case UInt8(ascii: "\""): return .string(string(&rest))
        default:
            let word = rest.prefix { !" \t\n\r,]}".utf8.contains($0) }
            rest = rest[word.endIndex...]
            let text = String(decoding: word, as: UTF8.self)
            return switch text {
            case "null": .null
            case "true", "false": .bool(text)
            default: .number(text)
            }
        }
    }

    private static func object(_ rest: inout ArraySlice<UInt8>) -> [(key: String, value: JSONNode)] {
        var members: [(key: String, value: JSONNode)] = []
        while !ends(with: UInt8(ascii: "}"), &rest) {
            let key = string(&rest)
            skipBlanks(&rest)
            rest = rest.dropFirst()
            members.append((key, value(&rest)))
        }
        return members
    }

    /// Takes the bracket or comma in front, and the closing bracket.
    private static func ends(with bracket: UInt8, _ rest: inout ArraySlice<UInt8>) -> Bool {
        skipBlanks(&rest)
        if rest.first != bracket { rest = rest.dropFirst() }
        skipBlanks(&rest)
        guard rest.first == bracket || rest.isEmpty else { return false }
        rest = rest.dropFirst()
        return true
    }

    private static func string(_ rest: inout ArraySlice<UInt8>) -> String {
        var end = rest.startIndex + 1
        while end < rest.endIndex, rest[end] != UInt8(ascii: "\"") { end += rest[end] == UInt8(ascii: "\\") ? 2 : 1 }
        let text = String(decoding: rest[rest.startIndex...min(end, rest.endIndex - 1)], as: UTF8.self)
        rest = rest[min(end + 1, rest.endIndex)...]
        return JSONText.unquote(text) ?? text
    }

    private static func skipBlanks(_ rest: inout ArraySlice<UInt8>) {
        rest = rest.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    }

    /// Of a number or a truth value, as it is written.
    var plainText: String? {
        switch self {
        case .bool(let text), .number(let text): text
        case .null, .string, .array, .object: nil
        }
    }

    /// Of a string, a number or a truth value.
    package var text: String? {
        if case .string(let text) = self { text } else { plainText }
    }

    /// As JSON, without blanks.
    var json: String {
        switch self {
        case .null: "null"
        case .bool(let text), .number(let text): text
        case .string(let text): JSONText.quote(text)
        case .array(let items): "[" + items.map(\.json).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { JSONText.quote($0.key) + ":" + $0.value.json }.joined(separator: ",") + "}"
        }
    }

    /// What a person calls it.
    package var kind: String {
        switch self {
        case .null: "nothing"
        case .bool(let text), .number(let text), .string(let text): "the text '\(Shown.line(of: text))'"
        case .array: "a list"
        case .object: "a mapping"
        }
    }
}
