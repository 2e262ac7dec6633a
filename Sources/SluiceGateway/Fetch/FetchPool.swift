internal import SluiceContract

/// Fetches of one loop that are used again.
final class FetchPool {
    let loop: LoopContext
    /// What carries requests for composed bindings.
    var composer: (any PartsComposer)?
    private var spare: [Fetch] = []
    /// Those whose credential is on its way, in the order in which they came.
    private var waiting: [Borrowed<Fetch>] = []
    /// Spare ones that are kept from one turn to the next.
    private static let spareMax = 256

    init(_ loop: LoopContext) {
        self.loop = loop
    }

    /// The fetch is kept until it gives itself back, as every one does in the end.
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

    /// Some credential has changed: fetches that wait for one look at it.
    func credentialsChanged() {
        let fetches = waiting
        waiting = []
        for fetch in fetches { fetch.object.credentialsChanged() }
    }

    func giveBack(_ fetch: Fetch) {
        precondition(fetch.isAtWork, "a fetch was given back twice")
        fetch.isAtWork = false
        fetch.reset()
        spare.append(Borrowed(fetch).giveUp())
    }

    /// What was given back lives until the next turn, whatever its number: it may be borrowed still (``Borrowed``).
    func trim() {
        if spare.count > Self.spareMax { spare.removeLast(spare.count - Self.spareMax) }
    }

    func removeAll() {
        spare = []
        composer = nil
    }
}

/// What makes the carrier of a request whose answer is put together from those of other bindings.
protocol PartsComposer: AnyObject {
    func carrier(for request: BoundRequest, _ plan: CompositionPlan) -> PartsCarrier
}
