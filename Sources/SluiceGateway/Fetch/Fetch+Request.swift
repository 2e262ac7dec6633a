internal import SluiceContract
internal import SluiceHTTP

/// Sending the request.
extension Fetch {
    // MARK: - To a carrier

    /// Gets a carrier for the request: a connection of its own, or a stream of a shared one.
    func lease() {
        if borrowedRoute?({ $0.leasesAtOnce }) == false,
            FixturePlay(fetch: self).begins() || credential.holdsBack(self)
        {
            return
        }
        leaseEndpoint()
    }

    /// The same, once fixture and credential allow the request to be sent.
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

    /// The answer is composed here from the answers of other bindings.
    private func compose(_ parts: CompositionPlan, _ request: BoundRequest, at endpoint: Endpoint) {
        guard let composer = pool.composer else { preconditionFailure("parts without anybody to ask them") }
        attempt.begin(at: endpoint)
        _ = leased(.parts(composer.carrier(for: request, parts)))
    }

    /// A part has failed, and the composed answer fails with it.
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

    /// Whether bytes of the body can be sent now; if the upstream has no room for them, its time to take more begins.
    func takesBody() -> Bool {
        if attempt.takesBody(isTunnel: answer.treatment == .tunnel) { return true }
        uploadHeld()
        return false
    }

    func sendBody(_ bytes: UnsafeRawBufferPointer, lifetime: RunLifetime = .drain) {
        guard let consumer = borrowedConsumer, let carrier = attempt.carrier, bytes.count > 0 else { return }
        // Bytes of the request count as progress too where either side may send next.
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

    /// - Parameter byClient: the client has just sent its last byte; else the body was held already, perhaps for a
    ///   retry.
    private func requestEnded(on carrier: UpstreamCarrier, _ route: Route, byClient: Bool) {
        attempt.requestEnded(on: carrier)
        // The client's time for its body does not count against the upstream.
        let restartsTotal = byClient && !route.isTyped && attempt.progress.streamed != .none
        deadlines.requestEnded(
            at: loop.now, firstByte: answer.hasHead ? nil : route.firstByteNanoseconds,
            total: restartsTotal ? route.totalNanoseconds : nil)
        armTimer()
    }

    /// The client of a tunnel has half-closed: the gateway does the same once everything is sent.
    func endTunnelInput() {
        attempt.carrier?.endTunnelInput()
    }
}
