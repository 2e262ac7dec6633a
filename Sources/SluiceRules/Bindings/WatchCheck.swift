internal import SluiceContract

/// `watch:`, and what can be watched: a value that a GET asks for. What was said for all bindings is left out of those
/// that it cannot hold for.
struct WatchCheck: BindingCheck {
    let draft: BindingDraft

    func check() {
        guard let watch = draft.binding.watch else { return }
        if let (reason, expected) = obstacle {
            draft.binding.watch = nil
            if own.tells("watch") { (scope / "watch").mistake(reason, expected: expected) }
            return
        }
        if watch.send != .whole, draft.binding.value == nil {
            draft.binding.watch?.send = .whole
            if own.says("watch", "send") {
                (scope / "watch" / "send").mistake(
                    "a patch is made of JSON that is proven, and this binding has no 'value:'",
                    expected: "'value:', be it JSON, or send: whole")
            }
        }
        checkFeed(watch)
    }

    /// Why the binding cannot be watched.
    private var obstacle: (reason: Finding.Message, expected: String)? {
        let binding = draft.binding
        if !binding.methods.isEmpty, !binding.methods.contains("GET") {
            return (
                "what is asked for by \(binding.methods.joined(separator: " and ")) is not watched",
                "'watch:' on a binding of GET"
            )
        }
        if let method = binding.upstreamMethod, method != "GET", binding.graphQL == nil {
            return (
                "the upstream would be asked by \(method) again and again, which may change something",
                "a 'to:' that leaves the method as it is"
            )
        }
        if let upgrade = binding.upgrade {
            return ("what speaks \(upgrade.rawValue) has no value", "a binding without 'upgrade:'")
        }
        if binding.rows?.delivery == .lines {
            return (
                "rows that go out as they arrive have no end to compare", "a binding without 'rows:', or 'as: array'"
            )
        }
        if binding.keep != nil { return ("a token is not shown to those who watch", "a binding without 'keep:'") }
        return nil
    }

    private func checkFeed(_ watch: WatchPolicy) {
        guard let from = watch.from, let path = try? PathTemplate(from) else { return }
        let scope = scope / "watch" / "from"
        if draft.isComposed {
            draft.binding.watch?.from = nil
            if own.says("watch", "from") {
                scope.mistake(
                    "'from' speaks of an upstream, and this binding has parts", expected: "a 'watch:' without 'from:'")
            }
            return
        }
        for parameter in draft.binding.parameters
        where parameter.location == .header && path.placeholders.contains(parameter.name) {
            scope.mistake(
                "'{\(parameter.name)}' comes with a field of each client's, and one stream is read for all",
                at: .value, expected: "a parameter of the path or the query")
        }
        let names = draft.binding.parameters.map(\.name)
        for name in path.placeholders where !names.contains(name) && !isDeclared(name) {
            scope.mistake(
                "no parameter fills the placeholder '{\(name)}'", at: .value, expected: "a parameter of this name",
                suggestion: Nearest.suggestion(for: name, among: names))
        }
    }
}
