internal import SluiceContract
internal import SluiceHTTP

/// What stands in for the upstream (`fixture:`, replay): a request takes the same way, but for the connection.
extension Fetch {
    /// A route with a fixture looks for a connection.
    /// - Returns: whether none is needed.
    func isPlayed() -> Bool {
        guard let consumer, let route, let fixture = route.fixture else { return false }
        if fixture.isForUnreachable, RequestSecrets.lack(of: route.secrets, in: consumer.request.generation) == nil {
            return false
        }
        play(fixture, consumer, route)
        return true
    }

    /// The upstream cannot be reached, or not be asked.
    /// - Returns: whether a fixture answers in its place.
    func isStoodIn(for problem: Problem, _ consumer: FetchConsumer) -> Bool {
        guard let route, let fixture = route.fixture, fixture.standsIn(for: problem.kind), consumer.isUnanswered,
            attempt.carrier?.isFixture != true
        else { return false }
        letGo()
        attempt.progress.attemptEnded()
        deadlines.attemptBegan()
        answer.reset()
        response.reset()
        play(fixture, consumer, route)
        return true
    }

    private func play(_ fixture: FixtureRoute, _ consumer: FetchConsumer, _ route: Route) {
        attempts = nil
        deadlines.forgetNextAttempt()
        if case .recorded(let index) = fixture.script, index.missing == .live {
            attempt.progress.keptBytesMax = max(attempt.progress.keptBytesMax, Recordings.bodyBytesMax)
        }
        let link = FixtureLink(
            self, loop, delayNanoseconds: fixture.delayNanoseconds, bodyBytesMax: fixture.bodyBytesMax)
        attempt.play(on: link, at: upstream?.endpoint)
        send(consumer, route, on: .fixture(link))
        if consumer.request.head.expectsContinue, !consumer.request.body.isComplete { consumer.sendContinue() }
    }

    /// What answers the request, now that it is whole.
    func madeStandIn(for body: [UInt8]?) -> StandIn {
        guard let consumer, let route, let fixture = route.fixture else { return .elsewhere }
        let maker = StandInMaker(
            fixture: fixture, request: consumer.request, route: route, upstream: upstreamName, now: loop.unixSeconds)
        switch maker.outcome(for: body) {
        case .made(let standIn): return standIn
        case .askUpstream(let problem) where !attempt.progress.canBeSentAgain: return .problem(problem)
        case .askUpstream:
            attempt.forgetCarrier()
            attempt.progress.attemptEnded()
            deadlines.attemptBegan()
            if !awaitsCredential() { leaseEndpoint() }
            return .elsewhere
        }
    }
}
