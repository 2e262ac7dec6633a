internal import SluiceContract
internal import SluiceHTTP

/// The answer on its way to ``FetchAnswer``: what its head says decides whether it is one.
extension Fetch {
    func passInterim() {
        defer { response.reset() }
        guard let consumer else { return }
        if response.status == 100, consumer.request.head.expectsContinue {
            // RFC 9110 §10.1.1: the client hears it once, from the upstream or the gateway.
            return consumer.sendContinue()
        }
        guard let route, !hasRival else { return }
        AnswerFields.prepareInterim(&response, route)
        consumer.interim(response)
    }

    // MARK: - Its head

    func headReceived() {
        if notes.isOn {
            let isStream = carrierState.carrier?.isStream == true
            notes.answered(response.status, isStream: isStream, at: loop.now)
            notes.received(response, isStream: isStream)
        }
        guard let consumer = borrowedConsumer, let route = borrowedRoute else { return }
        consumer { consumer in route { route in judge(consumer, route) } }
    }

    /// Status first, then shape.
    private func judge(_ consumer: FetchConsumer, _ route: Route) {
        if shown.isUntold { tellAudit(status: response.status) }
        noteQuota(consumer, route)
        let asksForNonce = route.credentials.takesNonces && keepsNonce(consumer, route)
        let isRefused = response.status == 401 && !route.credentials.isNone && !asksForNonce
        // No retry mends a credential.
        let mayRetry = !isRefused || !renewsCredential(of: consumer, route)
        if attempts != nil, attemptAnswered(consumer, route, mayRetry: mayRetry) { return }
        if asksForNonce, answersWithNonce(consumer, route) { return }
        if isRefused, credentialRefused(consumer, route) { return }
        let request = consumer.request
        if Judge.opensTunnel(response, to: request, isStream: carrierState.carrier?.isStream == true) {
            return openTunnel(consumer, route)
        }
        if let fault = Judge.fault(in: response, to: request, route) {
            return fail(Problem(.upstreamProtocol, detail: "'\(upstreamName)' \(fault)"))
        }
        answer.treatment = Judge.treatment(of: response, route, isFollowed: follows(request, route))
        if let pages = answer.pages, pages.isAnswered, !answer.treatment.mayBePage(status: response.status) {
            let detail = "'\(upstreamName)' answered with status \(response.status) in the place of a further page."
            return fail(Problem(.upstreamProtocol, detail: detail))
        }
        // What is checked is good once it is proven, and not before.
        if answer.treatment != .extract || route.invalidates { win(consumer) }
        if route.invalidates { consumer.upstreamAnswered(&response, route) }
        let silence = route.isGRPC ? streamSilence(route) : route.idleNanoseconds ?? loop.waits.body
        let isEndless = answer.treatment == .untouched || answer.treatment == .extract && route.streamsRows
        answerBegan(boundBy: isEndless ? .progress(silence: silence) : .total)
        if isEndless, goesOn(route) { consumer.isAnswerEndless = true }
        answer.begin(self, consumer, route)
    }

    /// Whether it is those who listen that end the answer, and not what they have asked for.
    private func goesOn(_ route: Route) -> Bool {
        if route.isGRPC || answer.treatment == .extract { return true }
        // What has a length is none, which spares most answers the look at their type.
        if case .length = response.framing { return false }
        return EventStream.isOne(response)
    }

    /// Both sides leave HTTP (RFC 9110 §7.8; RFC 8441 §5).
    private func openTunnel(_ consumer: FetchConsumer, _ route: Route) {
        let isStream = carrierState.carrier?.isStream == true
        if !isStream, let fault = WebSocketHandshake.fault(in: response, to: consumer.request.head) {
            return fail(Problem(.upstreamProtocol, detail: "'\(upstreamName)': \(fault)"))
        }
        answer.treatment = .tunnel
        // How long it stays open says nothing of the upstream.
        attemptEnded()
        answerBegan(boundBy: .progress(silence: streamSilence(route)))
        AnswerFields.prepareTunnel(&response, for: consumer.request, route, isStream: isStream, loop)
        consumer.openTunnel(response.fields)
    }

    // MARK: - Its content

    func contentReceived(_ bytes: UnsafeRawBufferPointer) {
        guard let consumer = borrowedConsumer, let route = borrowedRoute else { return }
        bytesMoved()
        consumer { consumer in route { route in answer.contentReceived(bytes, self, consumer, route) } }
    }

    /// The answer has arrived whole; the connection is back in the pool.
    func answerReceived() {
        attemptEnded()
        carrierState.carrierLeft()
        guard let consumer = borrowedConsumer, let route = borrowedRoute else { return }
        consumer { consumer in route { route in answer.ended(self, consumer, route) } }
    }

    /// What follows of the answer is not needed.
    func leaveRest() {
        attemptEnded()
        let carrier = carrierState.carrier
        carrierState.carrierLeft()
        carrier?.leaveRest()
    }

    func setReading(_ reads: Bool) { carrierState.carrier?.setReading(reads) }
}

extension Fetch: Resumable {
    func resume(_ work: CodingRoom.Work, _ carryOut: () -> Void) {
        if let consumer = borrowedConsumer, let route = borrowedRoute {
            consumer { consumer in route { route in answer.resumeDecoding(self, consumer, route) } }
        }
        carryOut()
        settle()
    }
}
