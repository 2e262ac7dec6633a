internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// A client's exchange, as the cache sees it: it reads what is stored, or what is on its way into the cache.
protocol CacheReader: FetchConsumer {
    /// Whether the client takes no more at present.
    var isHeld: Bool { get }

    /// Writes the head of an answer whose fields are known, after the client's conditions and its range.
    /// - Parameter length: of the complete body; nil where that is not known yet.
    /// - Returns: whether a body follows.
    func answerHead(status: Int, _ fields: inout HeaderBlock, age: Int, length: Int?, _ walk: CacheWalk) -> Bool

    /// Answers with `entry`, as `walk.status` says of how it was come by.
    func serve(_ entry: StoredResponse, _ walk: CacheWalk)

    /// A stale answer in the place of an error, where binding and upstream allow it (RFC 5861 §4).
    /// - Parameter isKept: the error is one that is answered again, without asking the upstream.
    /// - Returns: whether it was answered.
    func answerStale(_ walk: CacheWalk, _ cache: CacheRoute, for problem: Problem, isKept: Bool) -> Bool

    /// - Parameter status: what the upstream has answered, if it has.
    func answerStale(_ walk: CacheWalk, _ cache: CacheRoute, status: Int?) -> Bool

    /// What it has waited for is nothing for it: the cache is consulted again.
    func consultAgain()

    /// What it has waited for is nothing for it, and it asks the upstream itself.
    func askUpstream()
}
