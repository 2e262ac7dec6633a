internal import SluiceContract

/// `null:` of parameters in a JSON body, which has a null, and no `name=`.
struct NullStyleCheck: BindingCheck {
    let draft: BindingDraft

    func check() {
        // A warning: a group's parameter may stand in the query of other bindings.
        for parameter in draft.binding.parameters
        where parameter.location == .body && !parameter.isFixed && parameter.null == .empty {
            (scope / "params" / parameter.name / "null").warning(
                "'null: empty' has no meaning in a JSON body", at: .value,
                expected: "literal, which sends a null, or omit")
        }
    }
}
