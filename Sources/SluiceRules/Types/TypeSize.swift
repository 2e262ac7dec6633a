internal import SluiceContract

/// How large a type is as it is written out: a name is one part, whatever it stands for. Nothing is counted past what
/// is allowed.
struct TypeSize {
    static let countMost = 10_000
    static let depthMost = 256

    private(set) var count = 0
    private(set) var isTooDeep = false

    var isTooLarge: Bool { count > Self.countMost }

    /// - Parameter depth: types around this one.
    mutating func add(_ type: TypeExpression, depth: Int) {
        if isTooLarge || isTooDeep { return }
        count += 1
        guard depth <= Self.depthMost else {
            isTooDeep = true
            return
        }
        switch type {
        case .scalar, .literals, .open, .constant, .null, .converted, .named: break
        case .constrained(let inner, _), .array(let inner), .dictionary(let inner), .optional(let inner):
            add(inner, depth: depth + 1)
        case .union(let members):
            for member in members { add(member, depth: depth + 1) }
        case .object(let object):
            for field in object.fields { add(field.type, depth: depth + 1) }
        case .choice(let choice):
            for alternative in choice.alternatives { add(alternative.type, depth: depth + 1) }
            if let others = choice.others { add(others, depth: depth + 1) }
        }
    }
}
