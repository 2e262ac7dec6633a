package import SluiceContract

/// `parts:` of a binding by itself: what it has in the place of an upstream, and what it cannot have. What its parts
/// ask is looked at once all bindings are known (``CompositionCheck``).
struct PartsCheck: BindingCheck {
    let draft: BindingDraft

    func check() {
        guard draft.isComposed else { return }
        if declaration.target != nil {
            (scope / "to").mistake("a binding has either an upstream or parts", expected: "one of 'to' and 'parts'")
        }
        if draft.binding.path.hasRest {
            scope.mistake("parts have no use for what '**' stands for", expected: "a path without '**'")
        }
        if case .composed(let composition) = declaration.parts { draft.binding.composition = composition }
        for name in Composition.foreignKeys where own.says(name) {
            (scope / name).mistake(
                "'\(name)' speaks of an upstream, and this binding has parts",
                expected: "'\(name)' on the bindings of its parts")
        }
        if let status = draft.binding.valueByStatus.keys.min() {
            (scope / "value" / String(status)).mistake(
                "what is made of parts has the status 200 alone", expected: "one type, or no 'value:'")
        }
        leaveOutForeign()
    }

    /// What is inherited for bindings with an upstream means nothing here.
    private func leaveOutForeign() {
        let usual = Binding.usual
        (draft.binding.retry, draft.binding.hedge, draft.binding.idempotencyKey) = (nil, nil, nil)
        (draft.binding.answer, draft.binding.setCookie) = (usual.answer, usual.setCookie)
        (draft.binding.follow, draft.binding.headers, draft.binding.early) = (nil, [], usual.early)
        var timeout = own.says("timeout") ? draft.binding.timeout : nil
        if timeout == nil { timeout = context.composed.upstream.timeout }
        // The first byte comes with the last part.
        if !own.says("timeout", "first-byte"), let total = timeout?.total { timeout?.firstByte = total }
        draft.binding.timeout = timeout
    }
}

extension Composition {
    /// Keys that speak of an upstream's request, or of its answer as it comes.
    package static let foreignKeys = [
        "graphql", "wrap", "rows", "pages", "bearer", "credential", "keep", "error", "follow", "keys", "headers",
        "upgrade", "retry", "hedge", "idempotency-key", "answer", "set-cookie", "early",
    ]
}
