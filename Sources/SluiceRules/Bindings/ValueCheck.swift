internal import SluiceContract

/// `value:`, `parent:` and `wrap:` of a binding.
struct ValueCheck: BindingCheck {
    let draft: BindingDraft

    /// Statuses without content (RFC 9110 §15.3.5, §15.3.6, §15.4.5).
    static let emptyStatuses: Set<Int> = [204, 205, 304]

    func check() {
        if let value = draft.binding.value { check(value: value, scope / "value") }
        for (status, type) in draft.binding.valueByStatus.sorted(by: { $0.key < $1.key }) {
            let scope = scope / "value" / String(status)
            if Self.emptyStatuses.contains(status) {
                scope.mistake("\(status) has no content", expected: "a status with content")
            }
            check(value: type, scope)
        }
        if !own.says("wrap") {
            // What comes back behind the keys goes out behind them too.
            if sendsJSON { draft.binding.wrap = draft.binding.parent?.keys ?? [] }
        } else if !draft.binding.wrap.isEmpty, !sendsJSON {
            (scope / "wrap").mistake(
                "'wrap' has nothing to wrap", expected: "a JSON 'body:', or parameters in a body")
        }
        if let parent = draft.binding.parent { check(parent, scope / "parent") }
    }

    private func check(value: TypeExpression, _ scope: Scope) {
        typeCheck.check(value, scope)
        typeCheck.checkHeads(of: value, scope)
    }

    private func check(_ parent: FieldPath, _ scope: Scope) {
        // An error's type is that of the whole answer.
        let values =
            [draft.binding.value].compactMap(\.self) + draft.binding.valueByStatus.filter { $0.key < 400 }.values
        if values.isEmpty {
            if !own.says("value") {
                scope.mistake(
                    "'parent' has no meaning without 'value:'", expected: "a type for what stands there",
                    suggestion: .advice("write 'value: JSON' to take it unchecked"))
            }
            return
        }
        if let first = parent.components.firstIndex(where: \.isOptional),
            first < parent.components.firstIndex(where: { $0.step == .wildcard }) ?? .max
        {
            scope.mistake(
                "'?' in '\(parent)' says nothing in front of a '*'",
                expected: "'?' from the first '*' on; for a value that may be absent, a type with '?' or a 'default:'")
        }
        guard parent.hasWildcard else { return }
        for value in values where !types.canBeArray(value) {
            scope.mistake(
                "path '\(parent)' yields an array, and the value is \(value)", expected: "an array as the value",
                suggestion: .didYouMean("value: [\(value)]"))
        }
    }
}
