import SluiceContract

/// Texts of settings as an explained configuration has them, without the secrets that their authors put into them.
enum ShownText {
    /// A URL or a path: values of its query whose names sound like credentials are redacted. Another text stays as it
    /// is.
    static func url(_ text: String) -> String {
        guard text.hasPrefix("/") || text.contains("://"), let mark = text.firstIndex(of: "?") else { return text }
        return text[...mark] + query(text[text.index(after: mark)...])
    }

    /// Whether ``url(_:)`` has something to hide, in a text of any kind.
    static func hasSecret(inQueryOf text: String) -> Bool {
        guard let mark = text.firstIndex(of: "?") else { return false }
        let rest = text[text.index(after: mark)...]
        return query(rest) != rest
    }

    /// The words of a command: what an option or a variable with such a name is set to is redacted.
    static func command(_ words: [String]) -> [String] {
        var shown: [String] = []
        var isValue = false
        for word in words {
            let isOption = word.hasPrefix("-")
            shown.append(isValue && !isOption ? Explain.redacted : pair(url(word)[...]))
            isValue = isOption && !word.contains("=") && isSensitive(word[...])
        }
        return shown
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
