/// A command as a shell would take it apart: quotes, backslashes and lines that go on; nothing is expanded.
struct ShellWords {
    struct Unclosed: Error {}

    let words: [String]

    init(_ text: String) throws(Unclosed) {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var characters = text.makeIterator()
        while let character = characters.next() {
            switch (character, quote) {
            case ("\\", "'"): word = (word ?? "") + "\\"
            case ("\\", _):
                guard let next = characters.next() else { throw Unclosed() }
                // A line goes on (POSIX, Shell Command Language §2.2.1); in double quotes \ stays before the others.
                if next == "\n" || next == "\r\n" { continue }
                let isKept = quote == "\"" && !"\"\\$`".contains(next)
                word = (word ?? "") + (isKept ? "\\" : "") + String(next)
            case (let mark, let open?) where mark == open: quote = nil
            case ("'", nil), ("\"", nil):
                quote = character
                word = word ?? ""
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
}
