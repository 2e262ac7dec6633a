extension TypeExpression: CustomStringConvertible {
    /// The type in its notation; an object written in place, which the notation leaves to YAML, as `{name: Type}`.
    public var description: String {
        switch self {
        case .scalar(let scalar): return scalar.name
        // A word that stands alone is mostly a type with a slip.
        case .literals(let strings) where strings.count == 1: return "\"\(strings[0])\""
        case .literals(let strings): return strings.map(Self.literal).joined(separator: " | ")
        case .open(let strings): return (strings.map(Self.literal) + ["…"]).joined(separator: " | ")
        case .constant(let json): return json
        case .converted(let from, let to): return "\(from.name) -> \(to.name)"
        case .constrained(let inner, let constraint): return "\(inner)(\(constraint))"
        case .array(let element): return "[\(element)]"
        case .dictionary(let value): return "[String: \(value)]"
        case .optional(let wrapped): return wrapped.isAlternatives ? "(\(wrapped))?" : "\(wrapped)?"
        case .union(let members):
            let isAlone = members.count == 2 && members.contains(.null)
            return members.map { member in
                if case .literals(let strings) = member, !isAlone {
                    return strings.map(Self.literal).joined(separator: " | ")
                }
                return member.description
            }.joined(separator: " | ")
        case .null: return "null"
        case .object(let object):
            let fields = object.fields.map { field in
                "\(field.name)\(field.mayBeAbsent ? "?" : ""): \(field.type)"
                    + (field.source.map { " from \($0)" } ?? "") + (field.defaultJSON.map { " = \($0)" } ?? "")
            }
            return "{\(fields.joined(separator: ", "))}"
        case .choice(let choice):
            let named = choice.alternatives.map { "\($0.value): \($0.type)" }
            let others = choice.others.map { ["default: \($0)"] } ?? []
            return "{\((["union: \(choice.key)"] + named + others).joined(separator: ", "))}"
        case .named(let name): return name
        }
    }

    /// Whether `?` behind the text would bind to the last alternative only.
    private var isAlternatives: Bool {
        switch self {
        case .union, .open: true
        case .literals(let strings): strings.count > 1
        case .scalar, .constant, .constrained, .converted, .array, .dictionary, .optional, .null, .object, .choice,
            .named:
            false
        }
    }

    /// A string of a set: in quotes where it would be read as something else.
    package static func literal(_ string: String) -> String {
        let isWord = string.utf8.allSatisfy { $0 > 0x20 && !"|?=[](),:\"'{}".utf8.contains($0) }
        // What begins with a capital is a type, and a number or a truth value is no string.
        let begins = string.utf8.first.map { !(0x41...0x5a).contains($0) && !(0x30...0x39).contains($0) } ?? false
        let isTaken =
            ["null", "true", "false", "…"].contains(string) || string.hasPrefix("-") || string.hasPrefix(".")
        return isWord && begins && !isTaken ? string : "\"\(string)\""
    }
}
