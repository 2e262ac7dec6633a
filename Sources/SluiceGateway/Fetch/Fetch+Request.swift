internal import SluiceContract
internal import SluiceHTTP

/// The request on its way out.
extension Fetch {
    /// The carrier is ready for the request.
    func send(_ consumer: FetchConsumer, _ route: Route, on carrier: UpstreamCarrier) {
        guard carrier.begin(self) else { return carrier.refuse() }
        // Either side may send the first message, and both may be silent for long.
        if route.isGRPC { answerBegan(boundBy: .progress(silence: streamSilence(route))) }
        progress.headSent()
        if sendHeldBody(of: consumer.request, on: carrier) { return requestEnded(on: carrier, route, byClient: false) }
        if consumer.request.head.expectsContinue, !consumer.request.body.isExpectationMet {
            deadlines.continueAwaited(at: loop.now)
            armTimer()
        }
        consumer.resumeBody()
    }

    /// What was held before the fetch began goes out first; it stays with the request for another attempt.
    /// - Returns: whether that is all of the body.
    private func sendHeldBody(of request: BoundRequest, on carrier: UpstreamCarrier) -> Bool {
        // What is kept may still grow, and move.
        let lifetime: RunLifetime = progress.keptBytesMax > 0 ? .call : .drain
        let isChunked = request.body.outgoing == .chunked
        request.body.held.forEachRun { run, _ in
            if notes.isOn { notes.sent(body: run) }
            carrier.send(run, lifetime: lifetime, isChunked: isChunked)
        }
        switch request.body.outgoing {
        case .none: return true
        case .length(let length) where length == request.body.held.count: return true
        case .length, .chunked: break
        }
        // Sent again: the client has been at the end of its body before.
        guard request.body.isComplete else { return false }
        carrier.send(trailers: request.trailers, isChunked: isChunked)
        return true
    }

    /// Whether bytes of the body can go out now.
    var takesBody: Bool {
        switch progress.sent {
        case .nothing: return false
        case .all where answer.treatment != .tunnel: return false
        case .head, .all: return carrierState.carrier?.hasRoom() ?? false
        }
    }

    func sendBody(_ bytes: UnsafeRawBufferPointer, lifetime: RunLifetime = .drain) {
        guard let consumer = borrowedConsumer, let carrier = carrierState.carrier, bytes.count > 0 else { return }
        // What goes up is a sign of life where either side may speak next.
        bytesMoved()
        consumer { consumer in
            let isKept = progress.bodySent(bytes.count, heldCount: consumer.request.body.held.count)
            if isKept { consumer.request.body.held.append(bytes) }
            if notes.isOn, answer.treatment != .tunnel { notes.sent(body: bytes) }
            carrier.send(bytes, lifetime: lifetime, isChunked: consumer.request.body.outgoing == .chunked)
        }
    }

    func endBody(trailers: borrowing HeaderBlock) {
        guard progress.sent == .head, let carrier = carrierState.carrier, let route else { return }
        carrier.send(trailers: trailers, isChunked: consumer?.request.body.outgoing == .chunked)
        requestEnded(on: carrier, route, byClient: true)
    }

    /// - Parameter byClient: it has just sent its last byte; else the whole was at hand, perhaps for another attempt.
    private func requestEnded(on carrier: UpstreamCarrier, _ route: Route, byClient: Bool) {
        progress.requestEnded()
        carrier.requestEnded()
        if notes.isOn { notes.sentAll(at: loop.now) }
        // The time that its body took is the client's.
        let restartsTotal = byClient && !route.isTyped && progress.streamed != .none
        deadlines.requestEnded(
            at: loop.now, firstByte: answer.hasHead ? nil : route.firstByteNanoseconds,
            total: restartsTotal ? route.totalNanoseconds : nil)
        armTimer()
    }

    /// The client of a tunnel has half-closed: so does the gateway, once everything is out.
    func endTunnelInput() {
        carrierState.carrier?.endTunnelInput()
    }

    /// The next page of a list, once the client has taken enough of those before it.
    func askForPage(_ page: PageAddress, _ pages: PageGathering, _ consumer: FetchConsumer, _ route: Route) {
        if case .behind = reader {
            pages.waiting = page
            return
        }
        consumer.request.ask(for: page, pages.rule, route)
        askAnew()
    }
}
