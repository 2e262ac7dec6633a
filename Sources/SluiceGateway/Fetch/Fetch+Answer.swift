internal import SluiceContract
internal import SluiceHTTP

/// The answer on its way to ``FetchAnswer``; its head decides whether it is handed on.
extension Fetch {
    func headReceived() {
        if attempt.notes.isOn { attempt.answered(response) }
        guard let consumer = borrowedConsumer, let route = borrowedRoute else { return }
        consumer { consumer in route { route in judge(consumer, route) } }
    }

    /// Status first, then shape.
    private func judge(_ consumer: FetchConsumer, _ route: Route) {
        credential.tellAudit(status: response.status, of: self)
        borrowedUpstream?({ UpstreamWishes.noteQuota(response, to: consumer.request, route, $0, loop) })
        let refusal = credential.refusal(of: self, consumer, route)
        // A retry does not help where a secret was refused and can be renewed.
        let mayRetry = refusal != .ofSecret || !credential.mayRenew(for: self, consumer, route)
        if attempts != nil, attemptAnswered(consumer, route, mayRetry: mayRetry) { return }
        if let refusal, credential.sendsAgain(self, after: refusal, consumer, route) { return }
        answer.judge(self, consumer, route)
    }

    /// The head of a fixture's answer, which no upstream has sent.
    func playedHeadReceived() {
        guard let consumer = borrowedConsumer, let route = borrowedRoute else { return }
        consumer { consumer in route { route in answer.judge(self, consumer, route) } }
    }

    // MARK: - Its content

    func contentReceived(_ bytes: UnsafeRawBufferPointer) {
        guard let consumer = borrowedConsumer, let route = borrowedRoute else { return }
        bytesMoved()
        consumer { consumer in route { route in answer.contentReceived(bytes, self, consumer, route) } }
    }

    /// The answer has arrived completely; its connection is back in the pool.
    func answerReceived() {
        attemptEnded(isWhole: true)
        attempt.carrierLeft()
        guard let consumer = borrowedConsumer, let route = borrowedRoute else { return }
        consumer { consumer in route { route in answer.ended(self, consumer, route) } }
    }

    /// The rest of the answer is not needed. Nothing is left while the next page still waits for a carrier: that place
    /// is given up with the fetch (``letGo()``).
    func leaveRest() {
        guard let carrier = attempt.carrier else { return }
        attemptEnded()
        attempt.carrierLeft()
        carrier.leaveRest()
    }

    func setReading(_ reads: Bool) {
        attempt.carrier?.setReading(reads)
    }
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
