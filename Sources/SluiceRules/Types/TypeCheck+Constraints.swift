internal import SluiceContract
internal import SluiceJSON

/// Patterns that can be matched, and arrays that can be looked through for equal elements.
extension TypeCheck {
    func checkConstraints(_ type: TypeExpression, _ scope: Scope) {
        switch type {
        case .constrained(let inner, let constraint):
            if let pattern = constraint.pattern { check(pattern: pattern, scope) }
            if constraint.isUnique, case .array(let element) = inner { checkUnique(constraint, element, scope) }
            checkConstraints(inner, scope)
        case .array(let inner), .dictionary(let inner), .optional(let inner): checkConstraints(inner, scope)
        case .union(let members): for member in members { checkConstraints(member, scope) }
        case .scalar, .literals, .open, .constant, .converted, .null, .object, .choice, .named: break
        }
    }

    private func check(pattern text: String, _ scope: Scope) {
        do throws(TextPattern.Malformed) {
            _ = try TextPattern(text)
        } catch {
            scope.mistake(
                "the pattern /\(text)/ cannot be used: \(error.message)", at: .nameInType("/\(text)/"),
                expected: error.expected)
        }
    }

    private func checkUnique(_ constraint: Constraint, _ element: TypeExpression, _ scope: Scope) {
        let most = constraint.range?.greatestCount
        if most ?? .max > Constraint.uniqueMost {
            let range = Constraint.Range(constraint.range?.lower ?? "0", "1000")
            let meant = TypeExpression.constrained(.array(element), Constraint(range: range, isUnique: true))
            scope.mistake(
                most == nil
                    ? "elements that differ are remembered, so that there has to be an end to them"
                    : "no more than \(Constraint.uniqueMost) elements are remembered",
                at: .innerType, expected: "an upper bound beside 'unique', at most \(Constraint.uniqueMost)",
                suggestion: .didYouMean("\(meant)"))
        }
        if !types.isScalar(element) {
            scope.mistake(
                "elements of type \(element) are not compared", at: .innerType,
                expected: "'unique' on an array of scalars or strings of a set")
        }
    }
}
