/// Words that hold or end like a name of a credential and are none: a `monkey` is no key.
///
/// They are listed, and not found by a rule: `accesskey` is written like `monkey`, and what may be a credential stays
/// one.
enum OrdinaryWords {
    /// In small letters and the singular.
    private static let all = [
        "monkey", "donkey", "turkey", "hockey", "jockey", "whiskey", "keyboard", "keyword", "possession", "obsession",
        "secretary", "secretariat",
    ].map { Array($0.utf8) }

    /// `name` with blanks in the place of the letters of such words. A word begins behind whatever is no letter, and
    /// with a capital behind a small letter (`bigMonkey`) or before one (`APIMonkey`).
    static func blanked(in name: some Collection<UInt8>) -> [UInt8] {
        var shown = Array(name)
        var start = 0
        while start < shown.count {
            var end = start + 1
            while end < shown.count, isLetter(shown[end - 1]), isLetter(shown[end]), !isBeginning(end, of: shown) {
                end += 1
            }
            let word = shown[start..<end].map { isCapital($0) ? $0 | 0x20 : $0 }
            if all.contains(word) || word.last == UInt8(ascii: "s") && all.contains(Array(word.dropLast())) {
                for index in start..<end { shown[index] = UInt8(ascii: " ") }
            }
            start = end
        }
        return shown
    }

    private static func isBeginning(_ index: Int, of name: [UInt8]) -> Bool {
        guard isCapital(name[index]) else { return false }
        if !isCapital(name[index - 1]) { return true }
        return index + 1 < name.count && isLetter(name[index + 1]) && !isCapital(name[index + 1])
    }

    private static func isCapital(_ byte: UInt8) -> Bool { byte &- 0x41 < 26 }

    /// Those beyond ASCII are taken for parts of letters.
    private static func isLetter(_ byte: UInt8) -> Bool { byte >= 0x80 || (byte | 0x20) &- 0x61 < 26 }
}
