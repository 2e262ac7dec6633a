extension TypeExpression {
    /// Whether it contains an object that has no name, which the notation in one line leaves to structure.
    package var hasObject: Bool {
        switch self {
        case .object, .choice: true
        case .array(let inner), .dictionary(let inner), .optional(let inner), .constrained(let inner, _):
            inner.hasObject
        case .union(let members): members.contains(where: \.hasObject)
        case .scalar, .literals, .open, .constant, .converted, .null, .named: false
        }
    }
}
