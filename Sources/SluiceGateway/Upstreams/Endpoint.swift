internal import SluiceContract

/// One of an upstream's endpoints on one event loop: its connections and its health.
public final class Endpoint: DialTarget {
    var pool: ConnectionPool<UpstreamLink, UpstreamCall>
    /// The connections that speak HTTP/2.
    var streams: StreamPool<HTTP2UpstreamLink, UpstreamCall>
    /// Whether requests use HTTP/2, as far as is known: where the handshake decides, HTTP/2 is assumed at first.
    var isMultiplexed: Bool
    /// Until then HTTP/1.1 is used instead; see ``requireHTTP1(at:)``.
    private var http1Until: UInt64 = 0
    /// When the endpoint chose HTTP/1.1 in the handshake, though HTTP/2 was offered.
    var declinedHTTP2At: UInt64?
    var breaker: CircuitBreaker
    /// An answer has asked for no request before this time (`Retry-After`, RFC 9110 §10.2.3).
    var restsUntil: UInt64 = 0
    var healthCheck: HealthCheck?
    let http2: HTTP2UpstreamStreams

    init(
        _ settings: Upstream, _ origin: Upstream.Origin, _ rules: CircuitBreaker.Rules, _ http2: HTTP2UpstreamStreams
    ) {
        self.http2 = http2
        pool = ConnectionPool(
            idleMax: settings.idleConnectionsMax, connectionsMax: settings.connectionsMax, queueMax: settings.queueMax)
        streams = StreamPool(
            connectionsMax: settings.connectionsMax, idleMax: settings.idleConnectionsMax, queueMax: settings.queueMax)
        isMultiplexed = false
        tunnelsOverStreams = settings.httpVersion == .h2 || settings.httpVersion == .h2c
        breaker = CircuitBreaker(rules)
        super.init(settings, origin)
        switch settings.httpVersion {
        case .h1: break
        case .h2, .h2c: isMultiplexed = true
        case .auto: isMultiplexed = isSecure
        }
    }

    /// Running and waiting requests: with HTTP/1.1, each running one uses a connection.
    var load: Int {
        pool.count - pool.idle.count + pool.waitingCount + streams.streamCount + streams.waitingCount
    }

    /// Whether a WebSocket begins with an extended CONNECT (RFC 8441): where both versions are possible, HTTP/1.1 is
    /// the safer one.
    let tunnelsOverStreams: Bool

    func speaksHTTP2(at now: UInt64) -> Bool { isMultiplexed && now >= http1Until }

    /// The endpoint requires HTTP/1.1 (HTTP_1_1_REQUIRED, RFC 9113 §7), and is asked over that for a while.
    /// - Returns: false where the configuration does not allow HTTP/1.1.
    func requireHTTP1(at now: UInt64) -> Bool {
        guard settings.httpVersion == .auto else { return false }
        http1Until = now &+ Self.choiceNanoseconds
        return true
    }

    /// Whether a request that needs HTTP/2 may try: not shortly after the endpoint chose HTTP/1.1.
    func mayAgree(at now: UInt64) -> Bool {
        now >= http1Until && declinedHTTP2At.map { now >= $0 &+ Self.choiceNanoseconds } ?? true
    }

    /// How long the endpoint's choice of a version is remembered.
    private static let choiceNanoseconds: UInt64 = 60_000_000_000

    func isWell(at now: UInt64) -> Bool { breaker.isWell && now >= restsUntil }

    /// Whether the next request may go to the endpoint, if only as a trial: without requests there are no trials, and
    /// an endpoint that gets none must not look unhealthy for ever.
    func isAskable(at now: UInt64) -> Bool { isWell(at: now) || breaker.isDue(at: now) && now >= restsUntil }
}

extension Endpoint {
    /// A waiting call gives up its place in the queue.
    func leave(_ call: UpstreamCall) {
        pool.leave(call)
        streams.leave(call)
    }

    /// Opens as many connections as the calls that wait for a stream need.
    func openStreams(_ upstream: UpstreamRuntime, _ loop: LoopContext) {
        while isMultiplexed, streams.needsAnother {
            if isFull {
                guard let idle = pool.idle.first else { return }
                idle.closeIdle()
                continue
            }
            HTTP2UpstreamLink(
                loop: loop, upstream: upstream, endpoint: self, isAgreed: settings.httpVersion == .h2c
            ).dial()
        }
    }

    /// Whether the limit of connections, of both versions together, is reached.
    private var isFull: Bool { pool.count + streams.count >= settings.connectionsMax }

    /// A call waits for an HTTP/1.1 connection: closes an HTTP/2 connection that carries nothing.
    func makePlace() {
        if streams.count > 0, isFull, let idle = streams.idle { idle.retire() }
    }

    /// An HTTP/2 connection is closed, and its place is free.
    func placeIsFree(_ upstream: UpstreamRuntime, _ loop: LoopContext) {
        while let waiter = pool.next(others: streams.count) { waiter.open(upstream, self) }
        openStreams(upstream, loop)
    }

    /// The endpoint gets no more requests: idle connections close now, the others after their running requests.
    func retire() {
        endHealthCheck()
        for link in pool.removeIdle() { link.closeIdle() }
        for link in streams.connections { link.retireIfUnwanted() }
    }
}
