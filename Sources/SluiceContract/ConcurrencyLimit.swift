/// Requests in flight at one binding or upstream, over all event loops, and those that may wait for their turn.
public struct ConcurrencyLimit: Hashable, Sendable {
    /// Requests in flight at once.
    public var limit: Int
    /// Requests that wait; the next one is refused with a 503.
    public var queue: Int
    /// How long one waits at most.
    public var wait: Duration

    public init(_ limit: Int, queue: Int = 100, wait: Duration = .seconds(1)) {
        self.limit = limit
        self.queue = queue
        self.wait = wait
    }
}
