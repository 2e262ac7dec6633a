public import SluiceRules

/// One mistake in a configuration file, and its place.
public struct Mistake: Hashable, Sendable {
    /// The file's path as it was given to the reader.
    public var file: String
    /// Counted from 1.
    public var line: Int
    /// Counted from 1, in characters.
    public var column: Int
    /// What is wrong.
    public var message: String
    /// What would be right.
    public var expected: String?
    /// The nearest known name, or what to do.
    public var suggestion: Suggestion?
    /// The line of the file, for showing the place.
    public var sourceLine: String?

    public init(
        file: String, line: Int, column: Int, message: String, expected: String? = nil,
        suggestion: Suggestion? = nil, sourceLine: String? = nil
    ) {
        self.file = file
        self.line = line
        self.column = column
        self.message = message
        self.expected = expected
        self.suggestion = suggestion
        self.sourceLine = sourceLine
    }

    /// How to correct the mistake: `expected …; did you mean …?`
    public var hint: String? { Suggestion.hint(expected: expected, suggestion) }

    /// Two lines: the line of the file and a caret under the place; nil where the file has no such line.
    public var excerpt: String? {
        guard let sourceLine else { return nil }
        let lead = sourceLine.prefix(column - 1).map { $0 == "\t" ? "\t" : " " }.joined()
        return "    \(sourceLine)\n    \(lead)^"
    }
}

extension Mistake: CustomStringConvertible {
    /// `file:line:column: message; expected …; did you mean …?`
    public var description: String {
        "\(file):\(line):\(column): \(message)" + (hint.map { "; \($0)" } ?? "")
    }
}

extension Mistake: Comparable {
    /// In the order of lines and columns; several files one after the other.
    public static func < (left: Mistake, right: Mistake) -> Bool {
        if left.file != right.file { return left.file < right.file }
        return (left.line, left.column, left.message) < (right.line, right.column, right.message)
    }
}
