internal import SluiceContract
internal import SluiceHTTP

/// The request on its way out.
extension Fetch {
    // MARK: - To a carrier

    /// Gets what the request goes out on: a connection of its own, or a stream of a shared one.
    func lease() {
        if borrowedRoute?({ $0.leasesAtOnce }) == false, FixturePlay(fetch: self).begins() || awaitsCredential() {
            return
        }
        leaseEndpoint()
    }

    /// The same, where the request may go out.
    func leaseEndpoint() {
        guard let upstream = borrowedUpstream else { preconditionFailure("a lease without an upstream") }
        upstream { upstream in
            guard let attempts else { return lease(upstream, at: upstream.endpoint, fresh: false) }
            let mayTry = borrowedConsumer?({ $0.request.maySendAgain }) == true
            guard let endpoint = attempts.pick(from: upstream, after: self.endpoint, mayTry: mayTry, loop) else {
                return fail(AttemptState.noEndpoint(of: upstream, at: loop.now))
            }
            lease(upstream, at: endpoint, fresh: false)
        }
    }

    func lease(_ upstream: UpstreamRuntime, at endpoint: Endpoint, fresh: Bool) {
        guard let consumer = borrowedConsumer, let route = borrowedRoute else { return }
        if let parts = route({ $0.composition }) { return compose(parts, consumer.object.request, at: endpoint) }
        let problem = consumer { consumer in
            route { attempt.lease(self, for: consumer.request, $0, upstream, at: endpoint, fresh: fresh) }
        }
        if let problem { fail(problem) }
    }

    /// The answer is made here, of those of other bindings.
    private func compose(_ parts: CompositionPlan, _ request: BoundRequest, at endpoint: Endpoint) {
        guard let composer = pool.composer else { preconditionFailure("parts without anybody to ask them") }
        attempt.begin(at: endpoint)
        _ = leased(.parts(composer.carrier(for: request, parts)))
    }

    /// The whole fails as its part has.
    func failed(byPart problem: Problem) {
        guard let consumer else { return }
        leaveConsumer()
        consumer.fetchFailed(problem)
    }

    // MARK: - Out

    /// The carrier is ready for the request.
    func send(_ consumer: FetchConsumer, _ route: Route, on carrier: UpstreamCarrier) {
        guard carrier.begin(self) else { return carrier.refuse() }
        // Either side may send the first message, and both may be silent for long.
        if route.isGRPC { answerBegan(boundBy: .progress(silence: streamSilence(route))) }
        attempt.progress.headSent()
        if attempt.sendHeldBody(of: consumer.request, on: carrier) {
            return requestEnded(on: carrier, route, byClient: false)
        }
        if consumer.request.head.expectsContinue, !consumer.request.body.isExpectationMet {
            deadlines.continueAwaited(at: loop.now)
            armTimer()
        }
        consumer.resumeBody()
    }

    /// Whether bytes of the body can go out now; if not, and it is the upstream that has no room, its time runs.
    func takesBody() -> Bool {
        if attempt.takesBody(isTunnel: answer.treatment == .tunnel) { return true }
        uploadHeld()
        return false
    }

    func sendBody(_ bytes: UnsafeRawBufferPointer, lifetime: RunLifetime = .drain) {
        guard let consumer = borrowedConsumer, let carrier = attempt.carrier, bytes.count > 0 else { return }
        // What goes up is a sign of life where either side may speak next.
        bytesMoved()
        consumer { consumer in
            attempt.send(
                bytes, lifetime: lifetime, of: consumer.request, on: carrier, isTunnel: answer.treatment == .tunnel)
        }
    }

    func endBody(trailers: borrowing HeaderBlock) {
        guard attempt.progress.sent == .head, let carrier = attempt.carrier, let route else { return }
        carrier.send(trailers: trailers, isChunked: consumer?.request.body.outgoing == .chunked)
        requestEnded(on: carrier, route, byClient: true)
    }

    /// - Parameter byClient: it has just sent its last byte; else the whole was at hand, perhaps for another attempt.
    private func requestEnded(on carrier: UpstreamCarrier, _ route: Route, byClient: Bool) {
        attempt.requestEnded(on: carrier)
        // The time that its body took is the client's.
        let restartsTotal = byClient && !route.isTyped && attempt.progress.streamed != .none
        deadlines.requestEnded(
            at: loop.now, firstByte: answer.hasHead ? nil : route.firstByteNanoseconds,
            total: restartsTotal ? route.totalNanoseconds : nil)
        armTimer()
    }

    /// The client of a tunnel has half-closed: so does the gateway, once everything is out.
    func endTunnelInput() {
        attempt.carrier?.endTunnelInput()
    }
}
