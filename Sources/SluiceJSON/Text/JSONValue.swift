/// JSON whose members keep their order: for the gateway's own answers and for the command.
public enum JSONValue: Sendable {
    case object([(String, JSONValue)])
    case array([JSONValue])
    case string(String)
    case number(Int)
    case bool(Bool)
    case null
    /// Text that is JSON already.
    case verbatim(String)

    public var text: String {
        switch self {
        case .object(let members):
            "{" + members.map { "\(JSONText.quote($0.0)):\($0.1.text)" }.joined(separator: ",") + "}"
        case .array(let items): "[" + items.map(\.text).joined(separator: ",") + "]"
        case .string(let string): JSONText.quote(string)
        case .number(let number): String(number)
        case .bool(let bool): bool ? "true" : "false"
        case .null: "null"
        case .verbatim(let text): text
        }
    }
}
