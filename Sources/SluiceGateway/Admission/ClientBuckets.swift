internal import SluiceContract
internal import Synchronization

/// A bucket for each client that has no name: by user of a Unix socket, else by address.
///
/// The table is bounded. A client that finds it full of active clients shares one bucket with the others that did: a
/// flood of addresses then limits only itself.
final class ClientBuckets: Sendable {
    let limit: RateLimit
    private let countMax: Int
    private let overflow: RateBucket
    private let state = Mutex(State())

    private struct State {
        var buckets: [ClientIdentity: RateBucket] = [:]
        /// When the table may be searched again for buckets that no client needs.
        var sweepAt: UInt64 = 0
    }

    private static let sweepNanoseconds: UInt64 = 1_000_000_000

    init(_ limit: RateLimit, countMax: Int) {
        self.limit = limit
        self.countMax = countMax
        overflow = Self.bucket(limit)
    }

    /// Clients that have a bucket of their own.
    var count: Int { state.withLock { $0.buckets.count } }

    func bucket(of identity: ClientIdentity, at now: UInt64) -> RateBucket {
        state.withLock { state in
            if let known = state.buckets[identity] { return known }
            if state.buckets.count >= countMax, now >= state.sweepAt {
                // A bucket that is full again is as good as a new one.
                state.buckets = state.buckets.filter { !$0.value.isFull(at: now) }
                state.sweepAt = now &+ Self.sweepNanoseconds
            }
            guard state.buckets.count < countMax else { return overflow }
            let bucket = Self.bucket(limit)
            state.buckets[identity] = bucket
            return bucket
        }
    }

    static func bucket(_ limit: RateLimit) -> RateBucket { RateBucket(limit, name: "client") }
}
