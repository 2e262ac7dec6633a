/// What one loop has counted since its start, and what it has open.
public struct LoopCounters: Sendable {
    public var connections = 0
    /// Of these, those that speak HTTP/2.
    public var connectionsHTTP2 = 0
    public var exchangesOpen = 0
    public var fetches = 0
    /// Answers on their way into the cache that this loop asks for.
    public var fillsOpen = 0
    /// Of these, those without a waiting client, because the client got a 202.
    public var fillsLeft = 0
    /// Clients that watch something, and what they watch.
    public var watchers = 0
    public var watched = 0
    /// Attempts after the first one, hedges included.
    public var retries = 0
    public var upstreamConnections = 0
    /// Strings in answers that the open set they belong to does not have.
    public var drift = 0

    public init() {}
}
