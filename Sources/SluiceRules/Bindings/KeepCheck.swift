internal import SluiceContract

/// `keep:` of a binding.
struct KeepCheck: BindingCheck {
    let draft: BindingDraft

    func check() {
        guard let path = draft.binding.keep?.bearer else { return }
        let scope = scope / "keep" / "bearer"
        path.checkSingle(scope)
        draft.binding.keep?.expires?.checkSingle(self.scope / "keep" / "expires")
        guard let value = draft.binding.value else { return }
        let check = PathCheck(types: types, unknown: draft.binding.unknownKeys, keys: draft.binding.keys)
        if let message = check.fault(
            of: path, behind: draft.binding.graphQL == nil ? draft.binding.parent : draft.binding.valuePath, in: value)
        {
            scope.mistake(
                "path '\(path)' is impossible: \(message.text)", at: .value, expected: "a path to a string",
                suggestion: message.suggestion)
        }
    }
}
