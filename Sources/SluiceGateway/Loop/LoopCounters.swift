/// What one loop has counted since its start, and its open connections and exchanges.
public struct LoopCounters: Sendable {
    public var connections = 0
    /// Of these, those that speak HTTP/2.
    public var connectionsHTTP2 = 0
    public var exchangesOpen = 0
    public var fetches = 0
    /// Running cache fills of this loop.
    public var fillsOpen = 0
    /// Fills without a waiting client, because the client got a 202.
    public var fillsLeft = 0
    /// Watching clients, and the values they watch.
    public var watchers = 0
    public var watched = 0
    /// Attempts after the first one, hedges included.
    public var retries = 0
    public var upstreamConnections = 0
    /// Strings in answers that are not among the known ones of their open set.
    public var drift = 0

    public init() {}
}
