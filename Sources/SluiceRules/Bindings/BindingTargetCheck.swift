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
            if names.isEmpty {
                // A text that is no name is not suggested as one.
                let example = Name.isToken(target.upstream) ? target.upstream : "fruit"
                scope.mistake(
                    "unknown upstream '\(target.upstream)'", at: .value, expected: "a name of 'upstreams:'",
                    suggestion: .advice("add one: upstreams: {\(example): {url: https://…}}"))
            } else {
                scope.mistake(
                    "unknown upstream '\(target.upstream)'", at: .value, expected: names.joined(separator: ", "),
                    suggestion: Nearest.suggestion(for: target.upstream, among: names))
            }
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
