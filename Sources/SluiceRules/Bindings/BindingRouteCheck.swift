internal import SluiceContract

/// The methods and the path of a binding.
struct BindingRouteCheck: BindingCheck {
    let draft: BindingDraft

    func check() {
        let methods = MethodRule.methods(declaration.methods, scope, at: .key)
        guard let methods, let path = declaration.path, PathRule.check(path, scope, isKey: true) else {
            draft.loseRoute()
            return
        }
        draft.binding.methods = methods
        draft.binding.path = path
        var seen: Set<String> = []
        for name in path.placeholders where !seen.insert(name).inserted {
            scope.mistake("placeholder '{\(name)}' stands twice", expected: "each name once")
        }
    }
}
