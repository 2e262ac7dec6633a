internal import SluiceContract

/// What the requests of one loop walk in: the configuration in force, the cache, the fetches, and exchanges that are
/// used again.
final class Corridor {
    let loop: LoopContext
    let loopCache: LoopCache
    let fetches: FetchPool
    /// What requests that begin now are served by.
    var generation: Generation
    /// Called for each finished exchange where the access log is on.
    var accessLog: ((borrowing AccessEntry) -> Void)?
    /// Tells clients of the admin socket of finished requests; shared by all loops.
    var feed: RequestFeed? {
        didSet { borrowedFeed = feed.borrowed }
    }
    /// Kept by ``feed``.
    private(set) var borrowedFeed: Borrowed<RequestFeed>?
    /// What keeps exchanges to be looked into, where that is on; and the last of them of all loops.
    var inspector: Inspector?
    var inspections: InspectionRing?
    /// What keeps all exchanges with upstreams, instead of that.
    var recorder: ExchangeRecorder?
    /// Where requests are traced.
    var tracer: Tracer?
    /// What the admin socket asks for, where there is one.
    var administration: (any Administration)?
    /// What serves watched values (`watch:`).
    var watchKeeper: (any WatchKeeper)?
    private var spare: [Exchange] = []
    /// Spare ones that are kept from one turn to the next.
    private static let spareMax = 256

    init(_ loopCache: LoopCache, _ generation: Generation) {
        loop = loopCache.loop
        fetches = loopCache.fetches
        self.loopCache = loopCache
        self.generation = generation
    }

    func replace(_ generation: Generation) {
        self.generation = generation
        // What waits to be used again must not keep old tables alive.
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

    /// What was given back lives until the next turn, whatever its number: it may be borrowed still (``Borrowed``).
    func trim() {
        if spare.count > Self.spareMax { spare.removeLast(spare.count - Self.spareMax) }
        fetches.trim()
    }

    /// What is kept to be used again keeps the corridor.
    func end() {
        spare = []
        administration = nil
        watchKeeper = nil
        loopCache.watching = nil
        fetches.removeAll()
    }
}

/// What serves watched values: it is asked by the corridor's stage `watch`.
protocol WatchKeeper: AnyObject {
    /// Begins the answer to an exchange, which goes on until its client leaves.
    /// - Returns: why it does not.
    func watch(_ exchange: Exchange, _ route: Route, _ plan: WatchPlan) -> Problem?
}

/// What answers on the admin socket: it is asked by the corridor's stage `administer`.
protocol Administration: AnyObject {
    /// Answers the request of an exchange, now or later.
    /// - Throws: what is wrong with it.
    func administer(_ exchange: Exchange) throws(Problem)
}
