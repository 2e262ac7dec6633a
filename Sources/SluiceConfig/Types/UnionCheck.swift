import SluiceContract

/// The alternatives of a union have to be told apart by their JSON kind, or tried in their order.
enum UnionCheck {
    static func run(_ members: [TypeExpression], at place: SourceNode.Place, _ types: TypeTable) {
        var objects: [TypeExpression] = []
        var arrays: [TypeExpression] = []
        var takesAnyString: TypeExpression?
        func wrong(_ message: String, _ expected: String) {
            types.desk.findings.mistake(at: place, message, expected: expected)
        }
        for member in members {
            guard let resolved = types.resolved(member) else { continue }
            switch resolved {
            case .object, .dictionary: objects.append(member)
            case .array: arrays.append(member)
            case .optional, .union:
                wrong("'\(member)' has alternatives of its own", "alternatives that are no unions or optionals")
            case .scalar(.json):
                wrong("JSON takes every value, so the other alternatives mean nothing", "JSON alone")
            case .scalar(let scalar):
                if let earlier = takesAnyString, scalar.isText {
                    wrong("'\(member)' is never tried behind '\(earlier)'", "'\(member)' first")
                }
                if scalar == .string { takesAnyString = member }
            case .literals(let words):
                warn(of: words, beside: members, at: place, types)
                if let earlier = takesAnyString {
                    let set = words.joined(separator: " | ")
                    wrong("'\(set)' is never tried behind '\(earlier)'", "'\(set)' first")
                }
            case .null, .named: break
            }
        }
        tellApart(objects, arrays, at: place, types)
    }

    /// `Int | string` is a number or the text "string", which few APIs have.
    private static func warn(
        of words: [String], beside members: [TypeExpression], at place: SourceNode.Place, _ types: TypeTable
    ) {
        guard members.contains(where: { if case .literals = $0 { false } else { $0 != .null } }) else { return }
        for word in words {
            guard let name = Scalar.names.first(where: { $0.name.lowercased() == word.lowercased() })?.name else {
                continue
            }
            types.desk.findings.warning(at: place, "'\(word)' is a string here", suggestion: .didYouMean(name))
        }
    }

    private static func tellApart(
        _ objects: [TypeExpression], _ arrays: [TypeExpression], at place: SourceNode.Place, _ types: TypeTable
    ) {
        for (kind, alike) in [("object", objects), ("array", arrays)] where alike.count > 1 {
            let names = alike.map { "'\($0)'" }.joined(separator: " and ")
            types.desk.findings.mistake(
                at: place, "\(names) cannot be told apart", expected: "at most one alternative that is an \(kind)")
        }
    }
}
