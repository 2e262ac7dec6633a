internal import SluiceContract

/// `drift:` and `on-drift:`.
struct DriftCheck: BindingCheck {
    let draft: BindingDraft

    func check() {
        // What is inherited of them means nothing without a type; what is said is told by `NoValueCheck`.
        guard hasValue else {
            (draft.binding.drift, draft.binding.onDrift) = (nil, .fail)
            return
        }
        if draft.binding.rows != nil { checkRows() }
        switch draft.binding.onDrift {
        case .fail: break
        case .default: checkDefault()
        case .pass: checkPass()
        }
    }

    /// Rows are read by their own rules, one after the other.
    private func checkRows() {
        if draft.binding.drift != nil, own.says("drift") {
            (scope / "drift").mistake(
                "rows are not looked at beside what goes out", expected: "no 'drift:' with 'rows:'")
        }
        draft.binding.drift = nil
    }

    private func checkDefault() {
        if draft.binding.defaultJSON != nil { return }
        if own.says("on-drift") {
            (scope / "on-drift").mistake(
                "there is no default that could be answered", expected: "'default:' beside it, or on-drift: fail")
        }
        draft.binding.onDrift = .fail
    }

    // MARK: - The value as it is

    /// What passes is what the upstream wrote, byte for byte. So it is where the value is of its type, too: a type that
    /// makes something else of it would give two answers by chance.
    private func checkPass() {
        guard let obstacle else { return }
        let place = own.says("on-drift") ? scope / "on-drift" : scope
        place.mistake(
            "with on-drift: pass the value goes out as the upstream writes it, and here \(obstacle)",
            expected: "a type that changes nothing, or on-drift: fail",
            suggestion: own.says("on-drift") ? nil : .advice("on-drift is inherited; write on-drift: fail here"))
    }

    private var obstacle: String? {
        let binding = draft.binding
        if binding.composition != nil { return "it is made of parts" }
        if binding.graphQL != nil { return "the answer of GraphQL tells its errors beside it" }
        if binding.pages != nil { return "'pages:' gathers it from several answers" }
        if binding.rows != nil { return "'rows:' makes it of a text" }
        if !binding.localURLs.isEmpty { return "'local-urls:' changes it" }
        if binding.valuePath.hasWildcard { return "'parent:' collects it with a star" }
        if binding.unknownKeys == .drop { return "'unknown: drop' leaves keys out" }
        if binding.keys == .camelCase || upstream?.keys == .camelCase { return "'keys: camelCase' renames keys" }
        var change = TypeChange(types: types)
        let all = [binding.value].compactMap(\.self) + binding.valueByStatus.sorted { $0.key < $1.key }.map(\.value)
        // Each is asked once: a type that `change` has seen is not looked at again.
        for type in all {
            if let reason = change.reason(type) { return reason }
        }
        return nil
    }
}
