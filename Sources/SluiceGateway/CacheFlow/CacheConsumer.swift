internal import SluiceHTTP

/// A consumer that knows the cache of its loop: a client's exchange, or a fill.
///
/// A class and no protocol, for the reasons of ``FetchConsumer``.
class CacheConsumer: FetchConsumer {
    final let loopCache: LoopCache
    /// Counted: see ``Link``.
    final let loop: LoopContext

    init(_ request: BoundRequest, in loopCache: LoopCache) {
        self.loopCache = loopCache
        loop = loopCache.loop
        super.init(request)
    }

    final override func depend(on fields: borrowing HeaderBlock, _ route: Route) {
        request.depend(on: loopCache.slots(fields, to: request, route))
    }
}
