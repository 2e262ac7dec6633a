internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// An exchange's way through the cache where it is more than a plain hit: what it asked for, what it waits for, and how
/// far it has read. The exchange keeps it, and is kept by its client's connection.
final class CacheWalk {
    private let borrowedExchange: Borrowed<Exchange>
    var exchange: Exchange { borrowedExchange.object }
    /// Directives of the request.
    let request: CacheControl
    var status: CacheStatus
    /// The stored answer that is being read, or may be answered if the upstream fails.
    var entry: StoredResponse?
    /// The answer that is on its way, and may be read as it arrives.
    var filling: Filling?
    /// Which bytes of the body are still to be answered.
    var position = 0
    var end = Int.max
    var hasHead = false
    /// Fields of the answer that are for this client alone, and are not stored: its cookies, and what the upstream's
    /// `Cache-Control` names.
    var ownFields = HeaderBlock()
    /// Purges there had been when it began.
    let purgeNumber: UInt64

    init(_ exchange: Exchange, _ request: CacheControl, _ status: CacheStatus) {
        borrowedExchange = Borrowed(exchange)
        self.request = request
        self.status = status
        purgeNumber = exchange.gateway.desk.store.purges.number
    }
}
