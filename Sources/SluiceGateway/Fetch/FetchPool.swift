internal import SluiceContract

/// The fetches of one loop, which are reused.
final class FetchPool {
    let loop: LoopContext
    /// Makes carriers for requests of composed bindings.
    var composer: (any PartsComposer)?
    private var spare: [Fetch] = []
    /// Fetches that wait for their credential, in order of arrival.
    private var waiting: [Borrowed<Fetch>] = []
    /// The number of spare fetches kept from one turn to the next.
    private static let spareMax = 256

    init(_ loop: LoopContext) {
        self.loop = loop
    }

    /// The pool keeps the fetch alive until the fetch gives itself back, as each does in the end.
    func take() -> Borrowed<Fetch> {
        let fetch = spare.popLast() ?? Fetch(self)
        fetch.isAtWork = true
        return Borrowed(keeping: fetch)
    }

    /// Begins a fetch for `consumer`, which may have failed when this returns nil.
    /// - Returns: why there is none.
    func begin(for consumer: FetchConsumer, _ route: Route, _ upstream: UpstreamRuntime) -> Problem? {
        if !route.secrets.all.isEmpty, route.fixture == nil,
            let problem = RequestSecrets.lack(of: route.secrets, in: consumer.request.generation)
        {
            return problem
        }
        if let query = route.graphQL { GraphQLRequest(consumer.request, query, route).begin() }
        let fetch = take()
        consumer.borrowedFetch = fetch
        fetch { $0.start(consumer, route, upstream) }
        return nil
    }

    // MARK: - Credentials

    func wait(forCredential fetch: Fetch) { waiting.append(Borrowed(fetch)) }

    func forget(waiting fetch: Fetch) { waiting.removeAll { $0.object === fetch } }

    /// A credential has changed: fetches that wait for one check theirs.
    func credentialsChanged() {
        let fetches = waiting
        waiting = []
        for borrowed in fetches {
            let fetch = borrowed.object
            fetch.credential.changed(for: fetch)
        }
    }

    func giveBack(_ fetch: Fetch) {
        precondition(fetch.isAtWork, "a fetch was given back twice")
        assert(!fetch.attempt.carrierState.awaitsCarrier, "a fetch was given back that is going to get a carrier")
        fetch.isAtWork = false
        fetch.reset()
        spare.append(Borrowed(fetch).giveUp())
    }

    /// Fetches that were given back live until the next turn, however many they are: they may still be borrowed
    /// (``Borrowed``).
    func trim() {
        if spare.count > Self.spareMax { spare.removeLast(spare.count - Self.spareMax) }
    }

    func removeAll() {
        spare = []
        composer = nil
    }
}

/// Makes the carrier of a request whose answer is composed from the answers of other bindings.
protocol PartsComposer: AnyObject {
    func carrier(for request: BoundRequest, _ plan: CompositionPlan) -> PartsCarrier
}
