/// `cache:` of the whole gateway: where stored answers are kept.
public struct CacheSettings: Hashable, Sendable {
    /// Budget of the memory store, bytes, all told.
    public var memoryBytes: Int = 64 << 20
    /// The largest answer that is stored, bytes; at most a part of the budget.
    public var entryBytes: Int = 4 << 20

    public init() {}
}
