internal import SluiceContract

/// `answer: echo`.
struct EchoCheck: BindingCheck {
    let draft: BindingDraft

    func check() {
        if draft.binding.answer == .echo, !sendsJSON {
            draft.binding.answer = .response
            if own.says("answer") {
                (scope / "answer").mistake(
                    "there is nothing to echo", expected: "a JSON 'body:', or answer: response")
            }
        }
    }
}
