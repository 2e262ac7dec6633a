internal import SluiceContract

/// The record of one exchange: its attempts at upstreams, and other events, each with its time. It exists only for
/// exchanges that are traced or inspected.
///
/// Times are the loop's (nanoseconds of the monotonic clock). A cache fill notes its attempts in the exchange that
/// began it; they may end after that exchange.
final class ExchangeRecord {
    let startedAt: UInt64
    private(set) var attempts: [AttemptRecord] = []
    private(set) var events: [RecordedEvent] = []
    /// When the exchange ended.
    private(set) var endedAt: UInt64?
    /// Called for attempts that end after the exchange, with their positions.
    var onLateEnd: ((AttemptRecord, Int) -> Void)?

    static let attemptsMax = 32
    static let eventsMax = 64

    init(at now: UInt64) {
        startedAt = now
    }

    /// - Returns: the attempt's position; nil where there are too many attempts.
    func begin(_ attempt: AttemptRecord) -> Int? {
        guard attempts.count < Self.attemptsMax else { return nil }
        attempts.append(attempt)
        return attempts.count - 1
    }

    /// Changes the attempt at a position.
    func note(_ position: Int, _ change: (inout AttemptRecord) -> Void) {
        let wasOpen = attempts[position].endedAt == nil
        change(&attempts[position])
        if wasOpen, attempts[position].endedAt != nil, endedAt != nil {
            onLateEnd?(attempts[position], position)
        }
    }

    func note(_ event: RecordedEvent) {
        if events.count < Self.eventsMax { events.append(event) }
    }

    func end(at now: UInt64) { endedAt = now }
}

/// One attempt at an upstream. Its times are those of four events: it began to look for a connection, its request was
/// sent, the head of the answer came, it ended.
struct AttemptRecord {
    /// Why the attempt was made.
    enum Cause: String {
        case first
        /// The connection was lost before it was known whether the request had arrived.
        case replay
        case retry
        case hedge
        /// The upstream redirected to another target.
        case redirect
        /// The next page of a list.
        case page
        /// Another credential, or the nonce that the upstream demanded.
        case credential
        /// The connection turned out to use another version of HTTP.
        case version
    }

    enum Connection: String {
        case opened, reused
    }

    /// How the attempt ended.
    enum End: String {
        /// With an answer; its status is ``AttemptRecord/status``.
        case answered
        /// No connection could be made.
        case connect
        /// The connection broke.
        case lost
        case timeout
        /// The attempt was given up: the client left, or another attempt was quicker.
        case abandoned
    }

    let cause: Cause
    let upstream: String
    /// Scheme and authority of the endpoint, such as `https://api.example:8443`.
    let site: String
    let method: String
    /// Path and query as sent, without secrets.
    let target: String
    let startedAt: UInt64
    var connection: Connection?
    /// The attempt's span identifier, which the upstream is told.
    let span: SpanID
    var departedAt: UInt64?
    var answeredAt: UInt64?
    var endedAt: UInt64?
    var end: End?
    /// 0 without an answer.
    var status = 0
    /// Whether the answer came over HTTP/2.
    var isStream = false

    init(
        _ cause: Cause, _ span: SpanID, upstream: String, site: String, method: String, target: String, at now: UInt64
    ) {
        self.span = span
        (self.cause, self.upstream, self.site) = (cause, upstream, site)
        (self.method, self.target) = (method, target)
        startedAt = now
    }
}

/// Something that happened to an exchange.
struct RecordedEvent {
    enum Kind {
        /// An attempt has failed, or got an answer that is retried.
        case retry(RetryPolicy.Cause, delay: UInt64)
        case hedge
        /// How the cache handled the request: `hit`, or why it was forwarded (RFC 9211 §2.2).
        case cache(String)
        /// A value of the answer does not match its type.
        case typeFault(path: String, expected: String, found: String)
    }

    let at: UInt64
    let kind: Kind
}
