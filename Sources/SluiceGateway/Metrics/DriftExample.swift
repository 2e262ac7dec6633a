internal import SluiceContract

/// The shape of a value that has drifted: `"0000-00-00"` of a date, `"a0a@aaa.aa"` of an address. Values are private
/// data; the author of a type only needs to know how they are written.
enum DriftExample {
    /// A longer one is cut.
    private static let charactersMax = 40

    /// - Parameters:
    ///   - found: kind and text, as a fault says them.
    ///   - path: where it was; of what sounds like a credential not even the shape is told.
    /// - Returns: nil where the kind is all there is to say.
    static func text(of found: String, at path: String) -> String? {
        guard let blank = found.firstIndex(of: " "), !isSensitive(path) else { return nil }
        let text = found[found.index(after: blank)...]
        switch found[..<blank] {
        case "bool": return String(text)
        case "string", "number":
            let shape = String(text.prefix(charactersMax).map(masked))
            return text.count > charactersMax ? shape + "…" : shape
        default: return nil
        }
    }

    /// Whether the value, or an object around it, has a name under which credentials are kept.
    static func isSensitive(_ path: String) -> Bool {
        path.split { "$.[]\"".contains($0) }.contains { SensitiveName.matches(String($0)) }
    }

    private static func masked(_ character: Character) -> Character {
        if character.isNumber { return "0" }
        if character.isLetter { return character.isUppercase ? "A" : "a" }
        return character.isASCII ? character : "?"
    }
}
