internal import SluiceContract

/// `error:`. What an answer says of itself is looked at where its value is, and what is stored is whole.
struct ReportedErrorCheck: BindingCheck {
    let draft: BindingDraft

    func check() {
        for key in ["when", "unless"] where own.says("error", key) && !hasValue {
            (scope / "error" / key).mistake(
                "'\(key)' looks into JSON, and this binding passes its answers through",
                expected: "a binding with 'value:'",
                suggestion: .advice("write 'value: JSON' to take the answer unchecked"))
        }
        if own.says("error", "keep-data"), draft.binding.reportedError?.keepsData == true, draft.binding.cache != nil {
            (scope / "error" / "keep-data").mistake(
                "a value beside an error would be stored as if it were whole", expected: "a binding without 'cache:'")
        }
    }
}
