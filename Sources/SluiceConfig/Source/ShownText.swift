import SluiceContract
import SluiceRules

/// Texts of settings as an explained configuration has them, without the secrets that their authors put into them.
enum ShownText {
    /// A URL or a path: user and password are redacted, and values of its query whose names sound like credentials.
    /// Another text stays as it is.
    static func url(_ text: String) -> String {
        var text = text
        if URLText.hasUser(text), let start = text.firstRange(of: "://")?.upperBound {
            let end = text[start...].firstIndex { "/?#".contains($0) } ?? text.endIndex
            if let at = text[start..<end].lastIndex(of: "@") {
                text.replaceSubrange(start..<at, with: Explain.redacted)
            }
        }
        guard text.hasPrefix("/") || text.contains("://"), let mark = text.firstIndex(of: "?") else { return text }
        return text[...mark] + query(text[text.index(after: mark)...])
    }

    /// Whether ``url(_:)`` has something to hide, in a text of any kind.
    static func hasSecret(inQueryOf text: String) -> Bool {
        guard let mark = text.firstIndex(of: "?") else { return false }
        let rest = text[text.index(after: mark)...]
        return query(rest) != rest
    }

    /// The words of a command: the program, words such as those of its verb, and the names of options. Any other may be
    /// a secret, whatever the option before it is called.
    static func command(_ words: [String]) -> [String] {
        var hasOptions = false
        return words.enumerated().map { index, word in
            if index == 0 { return word }
            if word.hasPrefix("-") {
                hasOptions = true
                let name = word.prefix { $0 != "=" }
                // A short option may have its value behind it: `-ume:secret`.
                if name.count < word.count { return name + "=" + Explain.redacted }
                return word.hasPrefix("--") || word.count <= 2 ? word : name.prefix(2) + Explain.redacted
            }
            let isWord = word.allSatisfy { $0.isASCII && ($0.isLetter || $0 == "-") }
            return !hasOptions && isWord ? word : Explain.redacted
        }
    }

    private static func query(_ text: Substring) -> String {
        var shown = ""
        var rest = text
        while true {
            let pair = rest.prefix { $0 != "&" && $0 != ";" }
            shown += self.pair(pair)
            rest = rest[pair.endIndex...]
            guard let separator = rest.popFirst() else { return shown }
            shown.append(separator)
        }
    }

    /// `NAME=VALUE`, but for the value of a name that sounds like a credential; a placeholder is none.
    private static func pair(_ text: Substring) -> String {
        guard let equals = text.firstIndex(of: "=") else { return String(text) }
        let value = text[text.index(after: equals)...]
        guard !value.isEmpty, !(value.hasPrefix("{") && value.hasSuffix("}")), isSensitive(text[..<equals]) else {
            return String(text)
        }
        return text[...equals] + Explain.redacted
    }

    private static func isSensitive(_ name: Substring) -> Bool {
        let name = name.drop { $0 == "-" }
        return SensitiveName.matches(PercentText.decoded(name) ?? String(name))
    }
}
