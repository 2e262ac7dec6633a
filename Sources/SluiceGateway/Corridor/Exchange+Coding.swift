internal import SluiceCoding
internal import SluiceContract
internal import SluiceHTTP

/// A checked answer that goes to its client in a content coding, because the binding offers one (`compress:`) and the
/// client takes it (RFC 9110 §12.5.3).
extension Exchange {
    /// Chooses a coding for the answer that is about to begin, and says so in its fields.
    /// - Parameter length: bytes of the answer; nil where it is not known yet, because it is long.
    func chooseCoding(_ compression: Compression, _ fields: inout HeaderBlock, length: Int?) {
        // Whatever is chosen: another client might get another (RFC 9110 §12.5.5).
        fields.append(.vary, "Accept-Encoding")
        guard let coding = coding(of: compression, length: length), let coder = loop.coding.takeCoder(coding)
        else { return }
        Array(coding.rawValue.utf8).withUnsafeBytes { fields.append(.contentEncoding, value: $0) }
        self.coder = coder
    }

    /// The coding that the client likes best; nil where the answer goes out as it is.
    func coding(of compression: Compression, length: Int?) -> ContentCoding? {
        let isWorthwhile = (length ?? .max) >= compression.minBytes
        return AcceptEncoding(request.head.fields).best(of: compression.codings, isWorthwhile: isWorthwhile)
    }

    /// A piece of the answer.
    func code(_ run: UnsafeRawBufferPointer, _ coder: AnswerCoder) {
        // An answer to HEAD has the fields of one to GET and nothing behind them.
        if request.head.method == .head { return }
        if coder.code(run, in: loop.coding, { sendCoded($0) }) { return }
        coder.postpone(of: self, in: loop.coding)
        if coder.waitingBytes > loop.limits.bufferedBytes { holdUpstream() }
    }

    /// The answer has come to its end.
    /// - Returns: whether all of it is out; else the rest follows, and the end behind it.
    func endCoding(_ coder: AnswerCoder) -> Bool {
        if request.head.method == .head { return true }
        borrowedFetch = nil
        if coder.end(in: loop.coding, { sendCoded($0) }) { return true }
        coder.postpone(of: self, in: loop.coding)
        return false
    }

    /// The client takes more again.
    /// - Returns: whether the upstream may be read on; else what waits comes first.
    func goesOn(_ coder: AnswerCoder) -> Bool {
        if coder.drained() { return true }
        coder.postpone(of: self, in: loop.coding)
        return false
    }

    /// Goes on with what had to wait.
    func resumeCoding() {
        guard phase == .answering, let coder, coder.isPostponed else { return }
        switch coder.resume(in: loop.coding, { sendCoded($0) }) {
        case .caughtUp: upstreamMayGoOn()
        case .ended: completeAnswer()
        case .waits: coder.postpone(of: self, in: loop.coding)
        case .broken: fail(Problem(.internalError, detail: "There is no memory to compress the answer."))
        }
    }

    /// - Returns: whether the client takes more.
    private func sendCoded(_ run: UnsafeRawBufferPointer) -> Bool {
        send(run, lifetime: .drain)
        return sink?.hasRoom() == true
    }
}
