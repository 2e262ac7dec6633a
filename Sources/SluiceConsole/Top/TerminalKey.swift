/// A key that a person has pressed.
public enum TerminalKey: Equatable, Sendable {
    case up, down, left, right, pageUp, pageDown, home, end, enter, backspace, escape
    case character(Character)
}

/// Reads keys from what a terminal sends, however it is split: ECMA-48 §5.4 control sequences, SS3 of cursor keys in
/// application mode, and UTF-8.
public struct TerminalKeys: Sendable {
    /// The beginning of an incomplete key.
    private var rest: [UInt8] = []
    /// Longer sequences are no keys.
    private static let sequenceMax = 16

    public init() {}

    public mutating func read(_ bytes: [UInt8]) -> [TerminalKey] {
        rest += bytes
        var keys: [TerminalKey] = []
        while let first = rest.first {
            guard let count = Self.length(of: rest) else { break }
            let token = Array(rest.prefix(count))
            rest.removeFirst(count)
            if first == 0x1b {
                if let key = Self.sequence(token) { keys.append(key) }
            } else if let key = Self.plain(token) {
                keys.append(key)
            }
        }
        // An escape alone is the Escape key; the rest of a sequence would have come with it.
        if rest == [0x1b] {
            rest = []
            keys.append(.escape)
        }
        return keys
    }

    /// The length of the first token; nil where it is not complete.
    private static func length(of bytes: [UInt8]) -> Int? {
        guard bytes[0] == 0x1b else {
            let wanted = bytes[0] < 0xc0 ? 1 : bytes[0] < 0xe0 ? 2 : bytes[0] < 0xf0 ? 3 : 4
            return bytes.count >= wanted ? wanted : nil
        }
        guard bytes.count > 1 else { return nil }
        if bytes[1] == UInt8(ascii: "O") { return bytes.count > 2 ? 3 : nil }
        // The Escape key, followed by another key.
        guard bytes[1] == UInt8(ascii: "[") else { return 1 }
        if let end = bytes.dropFirst(2).firstIndex(where: { (0x40...0x7e).contains($0) }) { return end + 1 }
        return bytes.count >= sequenceMax ? bytes.count : nil
    }

    private static func sequence(_ token: [UInt8]) -> TerminalKey? {
        if token.count == 1 { return .escape }
        switch String(decoding: token.dropFirst(2), as: UTF8.self) {
        case "A": return .up
        case "B": return .down
        case "C": return .right
        case "D": return .left
        case "H", "1~", "7~": return .home
        case "F", "4~", "8~": return .end
        case "5~": return .pageUp
        case "6~": return .pageDown
        default: return nil
        }
    }

    private static func plain(_ token: [UInt8]) -> TerminalKey? {
        switch token[0] {
        case 0x0d, 0x0a: return .enter
        case 0x7f, 0x08: return .backspace
        // Ctrl-C and Ctrl-D, where the terminal does not turn them into signals.
        case 0x03, 0x04: return .character("q")
        case 0..<0x20: return nil
        default: return String(validating: token, as: UTF8.self)?.first.map { .character($0) }
        }
    }
}
