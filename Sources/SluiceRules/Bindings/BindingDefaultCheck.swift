internal import SluiceContract

/// `default:` of a binding.
struct BindingDefaultCheck: BindingCheck {
    let draft: BindingDraft

    func check() {
        guard own.says("default") else {
            if draft.binding.serve.last == .default {
                (own.says("serve") ? scope / "serve" : scope).mistake(
                    "'serve' ends with 'default', and the binding has none", expected: "a value as 'default:'")
            }
            return
        }
        let scope = scope / "default"
        guard let value = draft.binding.value else {
            if !own.says("value") || !draft.binding.valueByStatus.isEmpty {
                scope.mistake("'default' has no meaning without 'value:'", expected: "the type of the value")
            }
            return
        }
        guard let declared = draft.binding.defaultJSON else { return }
        let check = DefaultCheck(
            types: types, keys: draft.binding.keys, unknown: draft.binding.unknownKeys == .pass ? .pass : .reject)
        guard let json = check.check(declared, value, scope) else { return }
        draft.binding.defaultJSON = json
        // A default hides no failed change; so it has to stand in for a value that may be absent, or for a failed
        // question.
        let safe: Set = ["GET", "HEAD", "OPTIONS"]
        if draft.binding.parent == nil, !draft.binding.methods.isEmpty, safe.isDisjoint(with: draft.binding.methods) {
            scope.mistake(
                "a failed \(draft.binding.methods.joined(separator: " or ")) is never answered with a default",
                expected:
                    "'default:' on a binding of GET, HEAD or OPTIONS, or with 'parent:' for answers without the value"
            )
        } else if !draft.binding.serve.contains(.default), draft.binding.onDrift != .default {
            // Not even where the value is absent.
            scope.warning("'default' is never answered without 'default' in 'serve:'")
        }
    }
}
