internal import SluiceContract

/// One of an upstream's endpoints as one event loop lives with it: its connections and how it is doing.
public final class Endpoint: DialTarget {
    var pool: ConnectionPool<UpstreamLink, UpstreamCall>
    /// The connections that speak HTTP/2.
    var streams: StreamPool<HTTP2UpstreamLink, UpstreamCall>
    /// Whether requests go over HTTP/2, as far as is known: where the handshake tells, it is taken for granted first.
    var isMultiplexed: Bool
    /// Until then HTTP/1.1 is spoken all the same; see ``requireHTTP1(at:)``.
    private var http1Until: UInt64 = 0
    /// When it chose HTTP/1.1 in the handshake, though HTTP/2 was offered.
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

    /// Requests that are under way or wait: with HTTP/1.1 there are as many as connections in use.
    var load: Int {
        pool.count - pool.idle.count + pool.waitingCount + streams.streamCount + streams.waitingCount
    }

    /// Whether a WebSocket begins with an extended CONNECT (RFC 8441): where there is the choice, HTTP/1.1 is surer.
    let tunnelsOverStreams: Bool

    func speaksHTTP2(at now: UInt64) -> Bool { isMultiplexed && now >= http1Until }

    /// It wants HTTP/1.1 (HTTP_1_1_REQUIRED, RFC 9113 §7), and gets it for a while.
    /// - Returns: false where the configuration knows no HTTP/1.1.
    func requireHTTP1(at now: UInt64) -> Bool {
        guard settings.httpVersion == .auto else { return false }
        http1Until = now &+ Self.choiceNanoseconds
        return true
    }

    /// Whether a request that only HTTP/2 can carry may try: not shortly after it chose HTTP/1.1.
    func mayAgree(at now: UInt64) -> Bool {
        now >= http1Until && declinedHTTP2At.map { now >= $0 &+ Self.choiceNanoseconds } ?? true
    }

    /// How long its choice of a version is believed.
    private static let choiceNanoseconds: UInt64 = 60_000_000_000

    func isWell(at now: UInt64) -> Bool { breaker.isWell && now >= restsUntil }

    /// Whether the next request may go there, be it as a trial: without traffic there is none, and an endpoint that
    /// nobody asks any more is not to look unwell for ever.
    func isAskable(at now: UInt64) -> Bool { isWell(at: now) || breaker.isDue(at: now) && now >= restsUntil }
}

extension Endpoint {
    /// A call that waits wants none of it any more.
    func leave(_ call: UpstreamCall) {
        pool.leave(call)
        streams.leave(call)
    }

    /// Opens as many connections as those need who wait for a stream.
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

    /// As many connections as there may be, of both versions together.
    private var isFull: Bool { pool.count + streams.count >= settings.connectionsMax }

    /// Somebody waits for a connection of HTTP/1.1: one of HTTP/2 that carries nothing gives way.
    func makePlace() {
        if streams.count > 0, isFull, let idle = streams.idle { idle.retire() }
    }

    /// A connection of HTTP/2 is gone.
    func placeIsFree(_ upstream: UpstreamRuntime, _ loop: LoopContext) {
        while let waiter = pool.next(others: streams.count) { waiter.open(upstream, self) }
        openStreams(upstream, loop)
    }

    /// Nobody will ask again: idle connections close now, the others after what is on them.
    func retire() {
        endHealthCheck()
        for link in pool.removeIdle() { link.closeIdle() }
        for link in streams.connections { link.retireIfUnwanted() }
    }
}
