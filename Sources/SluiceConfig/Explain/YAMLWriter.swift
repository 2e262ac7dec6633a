/// Writes block YAML, two spaces to a level.
struct YAMLWriter {
    private(set) var text = ""
    private var depth = 0

    /// A key with a scalar, quoted where YAML or the reader would take it for something else.
    mutating func key(_ name: String, _ value: String) {
        raw(name, Self.scalar(value))
    }

    /// A key with a value that is YAML already, such as JSON.
    mutating func raw(_ name: String, _ value: String) {
        text += indent + Self.scalar(name) + ": " + value + "\n"
    }

    mutating func list(_ name: String, _ values: [String]) {
        raw(name, "[" + values.map(Self.scalar).joined(separator: ", ") + "]")
    }

    /// A key with a mapping below it.
    mutating func mapping(_ name: String, _ body: (inout YAMLWriter) -> Void) {
        let before = text
        text += indent + Self.scalar(name) + ":\n"
        let start = text.utf8.count
        depth += 1
        body(&self)
        depth -= 1
        if text.utf8.count == start { text = before + indent + Self.scalar(name) + ": {}\n" }
    }

    private var indent: String { String(repeating: "  ", count: depth) }

    /// Plain where it is safe in block and flow context, and no word that YAML 1.1 has plans for.
    static func scalar(_ text: String) -> String {
        let words: Set<String> = ["true", "false", "yes", "no", "on", "off", "null", "y", "n", "~"]
        let isSafe =
            !text.isEmpty && !words.contains(text.lowercased())
            && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "_./-".utf8.contains($0) }
            && text.utf8.first.map { $0.isLetter || $0 == UInt8(ascii: "/") || $0.isDigit } ?? false
        return isSafe && (!text.utf8.allSatisfy { $0.isDigit || ".-".utf8.contains($0) } || PlainJSON.isNumber(text))
            ? text : PlainJSON.string(text)
    }
}
