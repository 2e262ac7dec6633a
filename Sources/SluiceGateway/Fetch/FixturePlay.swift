internal import SluiceContract
internal import SluiceHTTP

/// Answers a fetch from a fixture instead of the upstream (`fixture:`, replay): the request goes through the same
/// steps, except for the connection.
struct FixturePlay {
    let fetch: Fetch

    /// Who answers the requests of a fetch.
    enum Answerer {
        /// The route decides.
        case asRouted
        /// The request was not recorded, and the upstream answers it and all that follow in this fetch.
        case upstream
    }

    /// A request of a route with a fixture is about to get a carrier.
    /// - Returns: whether the fixture is played, so that none is needed.
    func begins() -> Bool {
        guard fetch.borrowedRoute?({ $0.fixture != nil }) == true, let consumer = fetch.consumer,
            let route = fetch.route, let fixture = route.fixture, fetch.answerer == .asRouted
        else { return false }
        if fixture.isForUnreachable, RequestSecrets.lack(of: route.secrets, in: consumer.request.generation) == nil {
            return false
        }
        begin(fixture, consumer, route)
        return true
    }

    /// The upstream cannot be reached, or may not be asked.
    /// - Returns: whether a fixture answers in its place.
    func standsIn(for problem: Problem, _ consumer: FetchConsumer) -> Bool {
        guard let route = fetch.route, let fixture = route.fixture, fixture.standsIn(for: problem.kind),
            consumer.isUnanswered, fetch.attempt.carrier?.isFixture != true
        else { return false }
        fetch.letGo()
        fetch.attempt.progress.attemptEnded()
        fetch.deadlines.attemptBegan()
        fetch.answer.reset()
        fetch.response.reset()
        begin(fixture, consumer, route)
        return true
    }

    private func begin(_ fixture: FixtureRoute, _ consumer: FetchConsumer, _ route: Route) {
        // An attempt at a fixture never fails, and takes long only if the fixture says so.
        fetch.attempts = nil
        fetch.deadlines.forgetNextAttempt()
        fetch.deadlines.forgetCredential()
        if fixture.asksWhatIsMissing {
            fetch.attempt.progress.keptBytesMax = max(
                fetch.attempt.progress.keptBytesMax, Recordings.bodyBytesMax)
        }
        let link = FixtureLink(
            fetch, fetch.loop, delayNanoseconds: fixture.delayNanoseconds, bodyBytesMax: fixture.bodyBytesMax)
        fetch.attempt.play(on: link, at: fetch.upstream?.endpoint)
        fetch.send(consumer, route, on: .fixture(link))
        if consumer.request.head.expectsContinue, !consumer.request.body.isComplete { consumer.sendContinue() }
    }

    /// The answer to the request, which has arrived completely.
    func answer(to body: [UInt8]?) -> StandIn {
        guard let consumer = fetch.consumer, let route = fetch.route, let fixture = route.fixture else {
            return .elsewhere
        }
        let maker = StandInMaker(
            fixture: fixture, request: consumer.request, route: route, upstream: fetch.upstreamName,
            now: fetch.loop.unixSeconds)
        switch maker.outcome(for: body) {
        case .made(let standIn): return standIn
        case .askUpstream(let problem) where !fetch.attempt.progress.canBeSentAgain: return .problem(problem)
        case .askUpstream:
            if let problem = RequestSecrets.lack(of: route.secrets, in: consumer.request.generation) {
                return .problem(problem)
            }
            goOn(consumer, route)
            return .elsewhere
        }
    }

    /// Asks the upstream after all.
    private func goOn(_ consumer: FetchConsumer, _ route: Route) {
        fetch.answerer = .upstream
        fetch.attempt.forgetCarrier()
        fetch.attempt.progress.attemptEnded()
        fetch.deadlines.attemptBegan()
        if let upstream = fetch.upstream, upstream.tracksEndpoints || route.retriesOrHedges {
            let kept = fetch.attempt.progress.keptBytesMax
            fetch.planAttempts(consumer, route, upstream)
            fetch.attempt.progress.keptBytesMax = max(kept, fetch.attempt.progress.keptBytesMax)
        }
        fetch.armTimer()
        fetch.lease()
    }
}
