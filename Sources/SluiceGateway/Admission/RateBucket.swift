internal import SluiceContract
internal import SluiceHTTP
internal import Synchronization

/// A token bucket that all event loops share: one 64-bit word and one compare-exchange for a request, so a limit is
/// exact for the whole daemon.
///
/// The word is the theoretical arrival time of the generic cell rate algorithm: when the bucket will be full again. It
/// moves ahead by one interval with each request, and may be ahead of the present by `burst` intervals at most.
final class RateBucket: Sendable {
    let limit: RateLimit
    /// For `RateLimit-Policy`: whose limit it is.
    private let name: StaticString
    /// From one request to the next, in nanoseconds.
    private let interval: UInt64
    private let capacity: UInt64
    private let fullAt = Atomic<UInt64>(0)

    init(_ limit: RateLimit, name: StaticString) {
        self.limit = limit
        self.name = name
        // A hundred years of burst would overflow the sum with the clock.
        interval = max(1, min(limit.period.nanosecondsClamped, 1 << 52) / UInt64(max(1, limit.count)))
        let (capacity, overflow) = interval.multipliedReportingOverflow(by: UInt64(max(1, limit.burst)))
        self.capacity = overflow ? 1 << 62 : min(capacity, 1 << 62)
    }

    /// What a request was told.
    enum Verdict: Equatable {
        /// It may go on, and so many more at once.
        case taken(left: Int)
        /// The next one may come in so many nanoseconds.
        case empty(wait: UInt64)
    }

    /// Takes one token.
    /// - Parameter now: nanoseconds of the clock that all loops share.
    func take(at now: UInt64) -> Verdict {
        var seen = fullAt.load(ordering: .relaxed)
        while true {
            let next = max(seen, now) &+ interval
            if next &- now > capacity { return .empty(wait: next &- now &- capacity) }
            let (exchanged, original) = fullAt.weakCompareExchange(
                expected: seen, desired: next, ordering: .relaxed)
            if exchanged { return .taken(left: Int((capacity &- (next &- now)) / interval)) }
            seen = original
        }
    }

    /// Whether nobody has taken anything for so long that the bucket is as good as new.
    func isFull(at now: UInt64) -> Bool { fullAt.load(ordering: .relaxed) <= now }

    /// Tells the client about the limit (draft-ietf-httpapi-ratelimit-headers §3, §4).
    func write(_ verdict: Verdict, into fields: inout HeaderBlock) {
        let period = limit.period.nanosecondsClamped / 1_000_000_000
        fields.append(.rateLimitPolicy, text: "\"\(name)\";q=\(limit.count)" + (period > 0 ? ";w=\(period)" : ""))
        let left: Int
        let wait: UInt64
        switch verdict {
        case .taken(let more): (left, wait) = (more, interval)
        case .empty(let nanoseconds): (left, wait) = (0, nanoseconds)
        }
        fields.append(.rateLimit, text: "\"\(name)\";r=\(left);t=\(Self.seconds(wait))")
    }

    /// Whole seconds for `Retry-After`, rounded up: who comes back too early is refused again.
    static func seconds(_ nanoseconds: UInt64) -> Int { Int((nanoseconds + 999_999_999) / 1_000_000_000) }

    /// The refusal of a request that found the bucket empty.
    func refusal(wait: UInt64, of what: String) -> Problem {
        let seconds = Self.seconds(wait)
        var problem = Problem(
            .rateLimited, detail: "\(what) is limited to \(limit); come back in \(seconds) s.")
        problem.retryAfterSeconds = seconds
        return problem
    }
}

extension HeaderBlock {
    /// A field whose value is made here.
    mutating func append(_ id: FieldID, text: String) {
        var text = text
        text.withUTF8 { append(id, value: UnsafeRawBufferPointer($0)) }
    }
}
