/// Splits a command as a shell would: quotes, backslashes and continued lines; it ends where another command begins.
/// Nothing is expanded: where a shell would expand, ``expansion`` stands in front.
struct ShellWords {
    struct Unclosed: Error {}

    let words: [String]

    /// Stands in the place of a `$` that a shell would fill in. No command has it (Unicode: private use).
    static let expansion: Character = "\u{E000}"

    private enum Quote {
        case single, double
        /// `$'…'`, in which backslashes mean what they mean in C.
        case dollar
    }

    init(_ text: String) throws(Unclosed) {
        var words: [String] = []
        var word: String?
        var quote: Quote?
        var rest = text[...]
        reading: while let character = rest.popFirst() {
            switch (character, quote) {
            case ("'", .single?), ("'", .dollar?), ("\"", .double?): quote = nil
            case (_, .single?): word?.append(character)
            case ("\\", .dollar?): word?.append(try Self.escape(&rest))
            case (_, .dollar?): word?.append(character)
            case ("\\", _):
                guard let next = rest.popFirst() else { throw Unclosed() }
                // A line goes on (POSIX, Shell Command Language §2.2.1); in double quotes \ stays before the others.
                if next == "\n" || next == "\r\n" { continue }
                let isKept = quote == .double && !"\"\\$`".contains(next)
                word = (word ?? "") + (isKept ? "\\" : "") + String(next)
            case ("$", nil) where rest.first == "'":
                rest.removeFirst()
                (quote, word) = (.dollar, word ?? "")
            case ("$", _) where rest.first.map { $0.isLetter || "_{(".contains($0) } ?? false:
                word = (word ?? "") + String(Self.expansion)
            case ("`", _): word = (word ?? "") + String(Self.expansion)
            case ("'", nil): (quote, word) = (.single, word ?? "")
            case ("\"", nil): (quote, word) = (.double, word ?? "")
            // Another command or a redirection follows.
            case ("|", nil), (";", nil), ("<", nil), (">", nil): break reading
            case ("&", nil) where rest.first.map { $0 == "&" || $0.isWhitespace } ?? true: break reading
            case (_, nil) where character.isWhitespace:
                if let done = word { words.append(done) }
                word = nil
            default: word = (word ?? "") + String(character)
            }
        }
        if quote != nil { throw Unclosed() }
        if let word { words.append(word) }
        self.words = words
    }

    private static func escape(_ rest: inout Substring) throws(Unclosed) -> Character {
        guard let next = rest.popFirst() else { throw Unclosed() }
        let plain: [Character: Character] = ["n": "\n", "r": "\r", "t": "\t"]
        guard next == "u" || next == "x" else { return plain[next] ?? next }
        let digits = rest.prefix { $0.isHexDigit }.prefix(next == "u" ? 4 : 2)
        rest = rest.dropFirst(digits.count)
        return UInt32(digits, radix: 16).flatMap(UnicodeScalar.init).map { Character($0) } ?? "?"
    }
}
