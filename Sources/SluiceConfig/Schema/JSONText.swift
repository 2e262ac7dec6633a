import SluiceRules

/// JSON as a tree that keeps the order of members.
indirect enum JSONText: Sendable {
    case object([(String, JSONText)])
    case array([JSONText])
    case string(String)
    /// Number, truth value or null.
    case literal(String)

    /// Indented by two spaces; a value that fits on one line stays on it.
    var text: String { text(indent: 0) }

    private static let widthMax = 100

    private func text(indent: Int) -> String {
        let line = flat
        if line.utf8.count + indent <= Self.widthMax { return line }
        let lead = String(repeating: " ", count: indent + 2)
        let close = String(repeating: " ", count: indent)
        switch self {
        case .object(let members):
            let lines = members.map { "\(lead)\(PlainJSON.string($0)): \($1.text(indent: indent + 2))" }
            return "{\n\(lines.joined(separator: ",\n"))\n\(close)}"
        case .array(let items):
            return "[\n\(items.map { lead + $0.text(indent: indent + 2) }.joined(separator: ",\n"))\n\(close)]"
        case .string, .literal:
            return line
        }
    }

    private var flat: String {
        switch self {
        case .object(let members):
            members.isEmpty
                ? "{}" : "{ " + members.map { "\(PlainJSON.string($0)): \($1.flat)" }.joined(separator: ", ") + " }"
        case .array(let items): "[" + items.map(\.flat).joined(separator: ", ") + "]"
        case .string(let string): PlainJSON.string(string)
        case .literal(let literal): literal
        }
    }
}
