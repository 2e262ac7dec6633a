/// What an entry is found by: 128 bits of a keyed hash over everything that selects an answer.
public struct CacheKey: Hashable, Sendable {
    public let high: UInt64
    public let low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    public init(_ hash: consuming SipHash) {
        let (high, low) = hash.finish()
        self.init(high: high, low: low)
    }
}
