internal import SluiceContract

/// The shape of a value that has drifted: `"0000-00-00"` for a date, `"a0a@aaa.aa"` for an address. Values are private
/// data; the author of a type only needs to know how they are written.
enum DriftExample {
    /// Longer shapes are cut.
    private static let charactersMax = 40

    /// - Parameters:
    ///   - found: kind and text, as in a fault.
    ///   - path: where the value was; where the path may lead to a credential, not even the shape is told.
    /// - Returns: nil where nothing can be told but the kind.
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

    /// Whether the value, or an object around it, has a name typical of credentials.
    static func isSensitive(_ path: String) -> Bool {
        path.split { "$.[]\"".contains($0) }.contains { SensitiveName.matches(String($0)) }
    }

    private static func masked(_ character: Character) -> Character {
        if character.isNumber { return "0" }
        if character.isLetter { return character.isUppercase ? "A" : "a" }
        return character.isASCII ? character : "?"
    }
}
