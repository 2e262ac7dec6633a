/// When a request that failed is sent once more (`retry:`). Never once part of an answer has been passed on, and never
/// where doing it twice could do harm (RFC 9110 §9.2.2).
public struct RetryPolicy: Hashable, Sendable {
    /// Attempts in all, the first one included.
    public var attempts = 3
    public var on: Set<Cause> = [.connect, .reset, .status(502), .status(503), .status(504)]
    /// The first wait is random between nothing and this; the bound doubles with every further one.
    public var backoff: Duration = .milliseconds(25)
    /// What the bound does not grow beyond.
    public var backoffMax: Duration = .seconds(1)
    /// Bytes of a client's body that are kept for another attempt; a longer body is sent once.
    public var bodyBytesMax = 64 << 10

    public init() {}

    /// One attempt, whatever happens.
    public static let off: RetryPolicy = {
        var policy = RetryPolicy()
        policy.attempts = 1
        return policy
    }()

    /// What went wrong with an attempt.
    public enum Cause: Hashable, Sendable {
        /// There is no connection, so nothing was sent: safe for every method.
        case connect
        /// The connection ended before the answer was complete.
        case reset
        /// No answer within `timeout: {first-byte: …}`, or an upstream that has stopped taking the body.
        case timeout
        /// An answer with this status.
        case status(Int)

        /// The causes that are words; statuses stand as numbers.
        public static let words: [(name: String, cause: Cause)] = [
            ("connect", .connect), ("reset", .reset), ("timeout", .timeout),
        ]
    }
}

extension RetryPolicy.Cause: CustomStringConvertible {
    /// As the configuration writes it.
    public var description: String {
        if case .status(let status) = self { return String(status) }
        return Self.words.first { $0.cause == self }?.name ?? ""
    }
}

/// How much retrying and hedging may add to the load of an upstream (`retry-budget:`), per event loop.
public struct RetryBudgetPolicy: Hashable, Sendable {
    /// Percent of the requests that clients make.
    public var sharePercent = 20
    /// So many a second are allowed in any case.
    public var perSecond = 3

    public init() {}
}
