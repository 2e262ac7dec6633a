internal import SluiceContract

/// `hedge:` and `retry:`: what must not happen twice is not sent twice (RFC 9110 §9.2.2).
struct RepetitionCheck: BindingCheck {
    let draft: BindingDraft

    func check() {
        checkHedge()
        checkRetry()
    }

    private func checkHedge() {
        guard draft.binding.hedge != nil, !isSentTwice else { return }
        draft.binding.hedge = nil
        if own.says("hedge") {
            (scope / "hedge").mistake(
                "\(upstreamMethods.joined(separator: " and ")) cannot be sent twice",
                expected: "'hedge:' on a binding of GET, HEAD, OPTIONS, PUT or DELETE, or an 'idempotency-key:'")
        }
    }

    /// Only a connection that was never made is tried again for every method.
    private func checkRetry() {
        guard own.says("retry"), let retry = draft.binding.retry, retry != .off, !isSentTwice else { return }
        let names = upstreamMethods.joined(separator: " and ")
        if !retry.on.contains(.connect) {
            (scope / "retry").mistake(
                "\(names) cannot be sent twice, so this never happens",
                expected: "'on: connect', an 'idempotency-key:', or a binding of GET, HEAD, OPTIONS, PUT or DELETE")
        } else if own.says("retry", "on"), retry.on != [.connect] {
            (scope / "retry").warning(
                "\(names) cannot be sent twice: of these, only 'connect' has an effect",
                suggestion: .advice("write on: connect"))
        }
    }

    private var upstreamMethods: [String] { draft.binding.upstreamMethod.map { [$0] } ?? draft.binding.methods }

    /// Whether some method of the binding may be repeated (RFC 9110 §9.2.2).
    private var isSentTwice: Bool {
        let methods = upstreamMethods
        if draft.binding.idempotencyKey != nil { return true }
        // A question may be asked twice.
        if draft.binding.graphQL != nil, !Set(draft.binding.methods).isDisjoint(with: ["GET", "HEAD"]) { return true }
        return methods.isEmpty || !Set(methods).isDisjoint(with: ["GET", "HEAD", "OPTIONS", "PUT", "DELETE", "TRACE"])
    }
}
