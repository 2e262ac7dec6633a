internal import SluiceContract

/// `cache:` of a binding.
struct CacheCheck: BindingCheck {
    let draft: BindingDraft

    func check() {
        if draft.binding.cache != nil, !draft.binding.methods.isEmpty,
            Set(draft.binding.methods).isDisjoint(with: ["GET", "HEAD"])
        {
            draft.binding.cache = nil
            if own.says("cache") {
                (scope / "cache").mistake(
                    "answers to \(draft.binding.methods.joined(separator: " and ")) are not stored",
                    expected: "'cache:' on a binding of GET")
            }
        }
        checkLoading()
        checkKey()
    }

    /// A client that is told to ask again has to find the answer that came meanwhile.
    private func checkLoading() {
        guard draft.binding.serve.contains(.loading) else {
            if own.says("patience") {
                (scope / "patience").warning("'patience' has no effect without 'loading' in 'serve:'")
            }
            return
        }
        if draft.binding.cache != nil { return }
        draft.binding.serve.removeAll { $0 == .loading }
        guard own.says("serve") else { return }
        (scope / "serve").mistake(
            "'loading' tells the client to ask again, and nothing is kept for it", at: .value,
            expected: "'cache:' on a binding of GET, or 'serve:' without 'loading'")
    }

    /// What a key names has to exist where answers are looked for, and what the path says is always asked for.
    private func checkKey() {
        guard own.says("cache"), let key = draft.binding.cache?.key else { return }
        let scope = scope / "cache" / "key"
        let inPath = draft.binding.path.placeholders + draft.binding.upstreamPath.placeholders
        let inBody = draft.binding.parameters.filter { $0.location == .body }.map(\.name)
        let names = draft.binding.parameters.map(\.name).filter { !inBody.contains($0) }
        for name in key where inBody.contains(name) {
            scope.mistake(
                "'\(name)' travels in the body, and requests with a body are not answered from the cache", at: .value,
                expected: names.isEmpty ? "no 'key:'" : names.joined(separator: ", "))
        }
        for name in key where !names.contains(name) && !inBody.contains(name) {
            scope.mistake(
                "'\(name)' is no parameter of this binding", at: .value,
                expected: names.isEmpty ? "a declared parameter" : names.joined(separator: ", "),
                suggestion: Nearest.suggestion(for: name, among: names))
        }
        let missing = names.filter { inPath.contains($0) && !key.contains($0) }
        guard !missing.isEmpty else { return }
        let whole = names.filter { key.contains($0) || missing.contains($0) }.joined(separator: ", ")
        for name in missing {
            scope.mistake(
                "'key' leaves out '\(name)', which stands in the path: each path has answers of its own", at: .value,
                expected: "all parameters of the path", suggestion: .advice("write key: [\(whole)]"))
        }
    }
}
