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
        var rest = run
        if coder.waiting.isEmpty { codeSlice(of: &rest, coder) }
        if rest.isEmpty, !coder.isBroken { return }
        coder.waiting.append(rest)
        postpone(coder)
        if coder.waiting.count > loop.limits.bufferedBytes { holdUpstream() }
    }

    /// The answer has come to its end.
    /// - Returns: whether all of it is out; else the rest follows, and the end behind it.
    func endCoding(_ coder: AnswerCoder) -> Bool {
        if request.head.method == .head { return true }
        coder.isEnding = true
        borrowedFetch = nil
        if coder.waiting.isEmpty, finishCoding(coder) { return true }
        postpone(coder)
        return false
    }

    /// The client takes more again.
    /// - Returns: whether the upstream may be read on; else what waits comes first.
    func goesOn(_ coder: AnswerCoder) -> Bool {
        coder.isHeld = false
        if coder.waiting.isEmpty, !coder.isEnding { return true }
        postpone(coder)
        return false
    }

    private func postpone(_ coder: AnswerCoder) {
        if coder.isHeld || coder.isPostponed { return }
        coder.isPostponed = true
        loop.coding.postpone(.coding, of: self)
    }

    /// Goes on with what had to wait.
    func resumeCoding() {
        guard phase == .answering, let coder, coder.isPostponed else { return }
        coder.isPostponed = false
        if coder.isBroken {
            return fail(Problem(.internalError, detail: "There is no memory to compress the answer."))
        }
        while !coder.waiting.isEmpty {
            let run = coder.waiting.firstRun
            var rest = run
            codeSlice(of: &rest, coder)
            coder.waiting.consume(run.count - rest.count)
            if !rest.isEmpty { return postpone(coder) }
        }
        guard coder.isEnding else { return upstreamMayGoOn() }
        if finishCoding(coder) { completeAnswer() } else { postpone(coder) }
    }

    /// Codes as much as this turn may.
    private func codeSlice(of rest: inout UnsafeRawBufferPointer, _ coder: AnswerCoder) {
        while !rest.isEmpty, !coder.isHeld, !coder.isBroken, let room = loop.coding.room() {
            let budget = coder.budget(loop.coding.turn)
            if budget <= 0 { return }
            let part = UnsafeRawBufferPointer(rebasing: rest.prefix(budget))
            guard let progress = coder.encoder.encode(part, into: room, isEnd: false) else {
                coder.isBroken = true
                return
            }
            coder.spend(progress.consumed)
            rest = UnsafeRawBufferPointer(rebasing: rest[progress.consumed...])
            sendCoded(progress.produced, coder)
        }
    }

    /// - Returns: whether the coded answer is out to its last byte.
    private func finishCoding(_ coder: AnswerCoder) -> Bool {
        while !coder.isHeld, !coder.isBroken, let room = loop.coding.room() {
            guard let progress = coder.encoder.encode(.empty, into: room, isEnd: true) else {
                coder.isBroken = true
                return false
            }
            sendCoded(progress.produced, coder)
            if progress.isDone { return true }
        }
        return false
    }

    private func sendCoded(_ count: Int, _ coder: AnswerCoder) {
        if count == 0 { return }
        send(loop.coding.claim(count), lifetime: .drain)
        if sink?.hasRoom() != true { coder.isHeld = true }
    }
}
