internal import SluiceContract

/// `to:`.
struct BindingTargetCheck: BindingCheck {
    let draft: BindingDraft

    func check() {
        if draft.isComposed {
            // Each path has entries of its own, as if there were an upstream with the same ones.
            draft.binding.upstreamPath = draft.binding.path
            return
        }
        guard let target = declaration.target else {
            draft.loseTarget()
            return
        }
        let scope = scope / "to"
        if upstream == nil {
            let names = context.upstreamNames
            scope.mistake(
                "unknown upstream '\(target.upstream)'", at: .value,
                expected: names.isEmpty ? "a name of 'upstreams:'" : names.joined(separator: ", "),
                suggestion: Nearest.suggestion(for: target.upstream, among: names))
        }
        let method = target.method.flatMap { MethodRule.methods([$0], scope, at: .value)?.first }
        if let method, draft.binding.methods != [method] { draft.binding.upstreamMethod = method }
        if let path = target.path, PathRule.check(path, scope, isKey: false) {
            draft.binding.upstreamPath = path
        } else {
            draft.loseTarget()
        }
    }
}
