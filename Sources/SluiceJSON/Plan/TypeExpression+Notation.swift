import SluiceContract

extension TypeExpression {
    /// As the configuration writes it, for faults; an object written in place is just `object`.
    var notation: String {
        switch self {
        case .scalar(let scalar): scalar.name
        case .literals(let literals): literals.map(Self.word).joined(separator: " | ")
        case .open(let literals): literals.map(Self.word).joined(separator: " | ") + " | …"
        case .constant(let json): json
        case .converted(let from, let to): "\(from.name) -> \(to.name)"
        case .constrained(let inner, let constraint): "\(inner.notation)(\(constraint))"
        case .array(let element): "[\(element.notation)]"
        case .dictionary(let value): "[String: \(value.notation)]"
        case .optional(let wrapped): wrapped.isSum ? "(\(wrapped.notation))?" : wrapped.notation + "?"
        case .union(let alternatives): alternatives.map(\.notation).joined(separator: " | ")
        case .null: "null"
        case .object, .choice: "object"
        case .named(let name): name
        }
    }

    /// A string of a set: in quotes where it would be read as something else, be it as one of the kinds above.
    static func word(_ string: String) -> String {
        ["object", "array"].contains(string) ? "\"\(string)\"" : literal(string)
    }

    private var isSum: Bool {
        switch self {
        case .union, .open: true
        case .literals(let literals): literals.count > 1
        default: false
        }
    }
}
