/// When a resource asks again by itself.
public struct ResourceFreshness: Hashable, Sendable {
    /// How long content is not asked for again.
    public var fresh: Duration
    /// How long an error is not tried again.
    public var retry: Duration

    /// 30 seconds for content and one for errors, but for what is said.
    public init(fresh: Duration = .seconds(30), retry: Duration = .seconds(1)) {
        self.fresh = fresh
        self.retry = retry
    }
}
