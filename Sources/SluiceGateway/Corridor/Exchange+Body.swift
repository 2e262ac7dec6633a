internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

extension Exchange {
    /// Does the body have to be proven before anything goes upstream?
    func checkBody() -> Step {
        guard let route else { preconditionFailure("a body without a route") }
        if let problem = request.readUpgrade(route, &loop.random) { return refused(problem) }
        let verdict = request.body.begin(route, of: request, loop)
        if request.body.isCollecting, request.head.expectsContinue { tellToContinue() }
        return step(after: verdict)
    }

    private func step(after verdict: BodyVerdict) -> Step {
        switch verdict {
        case .ready: return .consultCache
        case .incomplete: return .rest
        case .refused(let problem):
            request.body.isCollecting = false
            return refused(problem)
        }
    }

    /// Tells the client to send the body, once.
    func tellToContinue() {
        if request.body.isExpectationMet { return }
        request.body.isExpectationMet = true
        var head = ResponseHead()
        head.status = 100
        interim(head)
    }

    /// A piece of a body that is checked before it goes upstream.
    func collect(_ bytes: UnsafeRawBufferPointer) -> Step {
        guard let route else { preconditionFailure("a body without a route") }
        return step(after: request.body.collect(bytes, route, of: request, loop.limits))
    }

    /// All of a body that is checked before it goes upstream has arrived.
    func bodyCollected() -> Step {
        guard let route else { preconditionFailure("a body without a route") }
        return step(after: request.body.endCollecting(route, of: request, loop))
    }

    // MARK: - Beyond `hold:`

    /// A piece of a body that has outgrown `hold:`: it goes upstream as it is proven.
    func streamChecked(_ bytes: UnsafeRawBufferPointer) {
        guard let extractor = request.body.extractor else { return }
        extractor.feed(bytes)
        sendProven(extractor, of: bytes)
    }

    /// - Returns: whether the body was as declared to its end; else the exchange has failed.
    func endChecked() -> Bool {
        guard let extractor = request.body.extractor, let route else { return true }
        extractor.finish()
        sendProven(extractor, of: .empty)
        if phase == .answered || extractor.isFailed { return false }
        request.body.extractor = nil
        loop.giveBack(extractor)
        route.wrapClosing.withUnsafeBytes { fetch?.sendBody($0, lifetime: .call) }
        return true
    }

    private func sendProven(_ extractor: Extractor, of chunk: UnsafeRawBufferPointer) {
        if extractor.isFailed { return fail(request.body.failure(of: extractor)) }
        for piece in extractor.pieces {
            fetch?.sendBody(
                UnsafeRawBufferPointer(start: piece.base, count: piece.count), lifetime: piece.lifetime(in: chunk))
        }
        extractor.clearPieces()
    }
}
