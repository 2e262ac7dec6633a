/// Names that sound as if a credential stood behind them: its value is left out of logs, listings and messages.
public enum SensitiveName {
    private static let words = [
        "token", "secret", "passw", "passcode", "passphrase", "auth", "signature", "credential",
    ].map { Array($0.utf8) }
    private static let ends = ["key", "pwd", "sig", "sid", "session", "jwt"].map { Array($0.utf8) }
    private static let names = ["code", "pass", "pin", "otp", "sas", "appid"].map { Array($0.utf8) }
    /// Those of which a number is one, too: under the others numbers count and point (`max_tokens`, `foreign_key`).
    private static let wordsOfNumbers = ["secret", "passw", "passcode", "credential"].map { Array($0.utf8) }
    private static let namesOfNumbers = ["code", "pass", "pin", "otp", "pwd"].map { Array($0.utf8) }
    /// An author is none.
    private static let harmless = (word: Array("author".utf8), unless: Array("authori".utf8))

    public static func matches(_ name: String) -> Bool { matches(name.utf8) }

    /// Whether a field of this name is one in which APIs expect keys and sessions.
    public static func matches(field name: String) -> Bool {
        func holdsWord(_ name: String) -> Bool {
            let lower = name.lowercased()
            return ["key", "cookie", "session"].contains { lower.contains($0) }
        }
        if matches(name) { return true }
        return holdsWord(name) && holdsWord(String(decoding: OrdinaryWords.blanked(in: name.utf8), as: UTF8.self))
    }

    /// In any case of letters; `user[pin]` and `pin[]` as well as `pin`.
    public static func matches(_ name: some Collection<UInt8>) -> Bool {
        // Few names come to the second question: each query of an access log is asked the first.
        sounds(name) && sounds(OrdinaryWords.blanked(in: name))
    }

    private static func sounds(_ name: some Collection<UInt8>) -> Bool {
        let lower = name.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
        guard lower.contains(UInt8(ascii: "[")) else { return matches(lower: lower) }
        return lower.split { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") }.contains { matches(lower: Array($0)) }
    }

    private static func matches(lower: [UInt8]) -> Bool {
        if words.contains(where: { lower.holds($0, harmless.word, unless: harmless.unless) }) { return true }
        return ends.contains { lower.suffix($0.count).elementsEqual($0) } || names.contains(lower)
    }

    /// Whether a number of this name is a password, a PIN or a code.
    public static func matches(ofNumber name: some Collection<UInt8>) -> Bool {
        let lower = name.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
        return wordsOfNumbers.contains { lower.holds($0, harmless.word, unless: harmless.unless) }
            || namesOfNumbers.contains(lower)
    }
}

extension [UInt8] {
    /// Whether `part` stands somewhere in it, other than at the beginning of `harmless`, unless that goes on as said.
    fileprivate func holds(_ part: [UInt8], _ harmless: [UInt8], unless: [UInt8]) -> Bool {
        guard count >= part.count else { return false }
        return (0...count - part.count).contains { place in
            let rest = self[place...]
            return rest.starts(with: part) && (!rest.starts(with: harmless) || rest.starts(with: unless))
        }
    }
}
