internal import SluiceContract

/// What the requests of one loop share: the current configuration, the cache, the fetches, and exchanges that are
/// reused.
final class Corridor {
    let loop: LoopContext
    let loopCache: LoopCache
    let fetches: FetchPool
    /// The generation that serves requests beginning now.
    var generation: Generation
    /// Called for each finished exchange where the access log is on.
    var accessLog: ((borrowing AccessEntry) -> Void)?
    /// Sends finished requests to clients of the admin socket that follow them; shared by all loops.
    var feed: RequestFeed? {
        didSet { borrowedFeed = feed.borrowed }
    }
    /// Kept alive by ``feed``.
    private(set) var borrowedFeed: Borrowed<RequestFeed>?
    /// Keeps exchanges for inspection, where that is on; `inspections` has the last ones of all loops.
    var inspector: Inspector?
    var inspections: InspectionRing?
    /// Records all exchanges with upstreams, in place of the inspector.
    var recorder: ExchangeRecorder?
    /// Set where requests are traced.
    var tracer: Tracer?
    /// Answers requests on the admin socket, where there is one.
    var administration: (any Administration)?
    /// Serves watched values (`watch:`).
    var watchKeeper: (any WatchKeeper)?
    private var spare: [Exchange] = []
    /// The number of spare exchanges kept from one turn to the next.
    private static let spareMax = 256

    init(_ loopCache: LoopCache, _ generation: Generation) {
        loop = loopCache.loop
        fetches = loopCache.fetches
        self.loopCache = loopCache
        self.generation = generation
    }

    func replace(_ generation: Generation) {
        self.generation = generation
        // Spare exchanges must not keep old route tables alive.
        for exchange in spare { exchange.request.generation = generation }
    }

    func takeExchange(for sink: any AnswerSink) -> Exchange {
        loop.counters.exchangesOpen += 1
        let exchange = spare.popLast() ?? Exchange(self)
        exchange.open(sink)
        return exchange
    }

    func giveBack(_ exchange: consuming Exchange) {
        loop.counters.exchangesOpen -= 1
        exchange.reset()
        if exchange.request.generation !== generation { exchange.request.generation = generation }
        spare.append(exchange)
    }

    /// Exchanges that were given back live until the next turn, however many they are: they may still be borrowed
    /// (``Borrowed``).
    func trim() {
        if spare.count > Self.spareMax { spare.removeLast(spare.count - Self.spareMax) }
        fetches.trim()
    }

    /// Breaks the cycle: spare exchanges keep the corridor alive.
    func end() {
        spare = []
        administration = nil
        watchKeeper = nil
        loopCache.watching = nil
        fetches.removeAll()
    }
}

/// Serves watched values, for the corridor's stage `watch`.
protocol WatchKeeper: AnyObject {
    /// Begins the answer to an exchange, which lasts until its client disconnects.
    /// - Returns: why it cannot be watched; nil where the answer has begun.
    func watch(_ exchange: Exchange, _ route: Route, _ plan: WatchPlan) -> Problem?
}

/// Answers requests on the admin socket, for the corridor's stage `administer`.
protocol Administration: AnyObject {
    /// Answers the request of an exchange, now or later.
    /// - Throws: what is wrong with the request.
    func administer(_ exchange: Exchange) throws(Problem)
}
