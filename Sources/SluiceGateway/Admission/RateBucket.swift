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
    /// `RateLimit-Policy`, and the beginning of `RateLimit`.
    private let policy: [UInt8]
    private let lead: [UInt8]
    /// From one request to the next, in nanoseconds.
    private let interval: UInt64
    private let capacity: UInt64
    private let fullAt = Atomic<UInt64>(0)

    init(_ limit: RateLimit, name: StaticString) {
        self.limit = limit
        let seconds = limit.period.nanosecondsClamped / 1_000_000_000
        policy = Array(("\"\(name)\";q=\(limit.count)" + (seconds > 0 ? ";w=\(seconds)" : "")).utf8)
        lead = Array("\"\(name)\";r=".utf8)
        // Bounded, so that the sum with the clock does not overflow for very long periods or bursts.
        interval = max(1, min(limit.period.nanosecondsClamped, 1 << 52) / UInt64(max(1, limit.count)))
        let (capacity, overflow) = interval.multipliedReportingOverflow(by: UInt64(max(1, limit.burst)))
        self.capacity = overflow ? 1 << 62 : min(capacity, 1 << 62)
    }

    /// Whether a request gets a token.
    enum Verdict: Equatable {
        /// The request may go on, and `left` more at once.
        case taken(left: Int)
        /// There will be a token in `wait` nanoseconds.
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

    /// Whether no token was taken for so long that the bucket is full again.
    func isFull(at now: UInt64) -> Bool { fullAt.load(ordering: .relaxed) <= now }

    /// Tells the client about the limit (draft-ietf-httpapi-ratelimit-headers §3, §4).
    func write(_ verdict: Verdict, into fields: inout HeaderBlock) {
        policy.withUnsafeBytes { fields.append(.rateLimitPolicy, value: $0) }
        let left: Int
        let wait: UInt64
        switch verdict {
        case .taken(let more): (left, wait) = (more, interval)
        case .empty(let nanoseconds): (left, wait) = (0, nanoseconds)
        }
        withUnsafeTemporaryAllocation(byteCount: lead.count + 43, alignment: 1) { buffer in
            buffer.copyBytes(from: lead)
            var count = lead.count
            count += Self.write(left, into: buffer, at: count)
            buffer[count] = UInt8(ascii: ";")
            buffer[count + 1] = UInt8(ascii: "t")
            buffer[count + 2] = UInt8(ascii: "=")
            count += 3
            count += Self.write(Self.seconds(wait), into: buffer, at: count)
            fields.append(.rateLimit, value: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }

    /// Writes decimal digits, 20 at most, without allocating a string for each request.
    private static func write(_ number: Int, into buffer: UnsafeMutableRawBufferPointer, at start: Int) -> Int {
        var rest = number
        var count = 0
        repeat {
            buffer[start + count] = UInt8(rest % 10) + 0x30
            rest /= 10
            count += 1
        } while rest > 0
        buffer[start..<start + count].reverse()
        return count
    }

    /// Whole seconds for `Retry-After`, rounded up: a client that comes back too early is refused again.
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
