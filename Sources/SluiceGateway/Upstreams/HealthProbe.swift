internal import SluiceContract
internal import SluiceHTTP
internal import SluiceHTTP2

/// A connection that sends one health check to an endpoint.
final class HealthProbe: Link {
    /// What one check says of the endpoint.
    enum Finding { case healthy, unhealthy, unknown }

    private let policy: HealthPolicy
    private let target: DialTarget
    private let engine: HTTP2Engine
    private var machine: HTTP1ClientMachine
    private weak var check: HealthCheck?
    private let timer = Timer(tag: TimerTag.link.rawValue)
    /// Set where the endpoint speaks HTTP/2.
    private var session: HTTP2ClientSession?
    private var isAnswered = false
    private var response = ResponseHead()
    private var trailers = HeaderBlock()

    init(
        loop: LoopContext, _ target: DialTarget, _ engine: HTTP2Engine, _ policy: HealthPolicy, for check: HealthCheck
    ) {
        self.policy = policy
        self.target = target
        self.engine = engine
        self.check = check
        machine = HTTP1ClientMachine(limits: loop.http1Limits)
        super.init(loop: loop)
        loop.counters.upstreamConnections += 1
        switch target.settings.httpVersion {
        case .h1: break
        case .auto: protocols = ["h2", "http/1.1"]
        case .h2: protocols = ["h2"]
        case .h2c: http2Agreed()
        }
        dialing = target
        touch()
        loop.timers.arm(timer, for: self, at: loop.now &+ policy.timeout.nanosecondsClamped)
    }

    deinit { loop.timers.cancel(timer) }

    override func http2Agreed() {
        session = HTTP2ClientSession(engine: engine, now: loop.now)
    }

    override func connected() {
        guard ending == .open else { return }
        if let session { return ask(session) }
        if target.settings.httpVersion == .h2 { return end(.unhealthy) }
        outbox.append("GET ")
        outbox.append(Array(policy.path.utf8))
        outbox.append(" HTTP/1.1\r\nHost: ")
        outbox.append(authority)
        outbox.append("\r\nUser-Agent: sluice-health\r\nConnection: close\r\n\r\n")
        machine.requestSent(method: .get)
        touch()
    }

    private var authority: [UInt8] {
        if case .fixed(let name) = target.settings.host { return Array(name.utf8) }
        return target.authority
    }

    private func ask(_ session: HTTP2ClientSession) {
        authority.withUnsafeBytes { authority in
            Array(policy.path.utf8).withUnsafeBytes { path in
                session.beginRequest(
                    method: .get, isSecure: target.isSecure, authority: authority, path: path)
                session.appendField("user-agent", "sluice-health")
                _ = session.submitRequest(.get, hasContent: false, on: HTTP2ClientStream())
            }
        }
        session.write(into: &outbox, atMost: .max)
        touch()
    }

    override func received(_ bytes: UnsafeRawBufferPointer) {
        guard ending == .open else { return }
        if let session {
            session.receive(bytes, now: loop.now)
            return judge(session)
        }
        machine.feed(bytes)
        judge()
    }

    override func settle() {
        if ending == .open { machine.settle() }
    }

    override func inputClosed() {
        guard ending == .open else { return }
        machine.inputClosed()
        judge()
        end(.unhealthy)
    }

    override func failed(_ failure: TransportFailure) {
        // That the gateway itself is short of descriptors or ports tells nothing of the endpoint.
        end(failure.kind == .overloaded ? .unknown : .unhealthy)
    }

    override func timerFired() { end(.unhealthy) }

    /// The result is not wanted any more.
    func abandon() {
        check = nil
        end(.unknown)
    }

    /// The status decides; the body is not waited for.
    private func judge() {
        while ending == .open {
            switch machine.next(&response, trailers: &trailers) {
            case .needMore: return
            case .interim: response.reset()
            case .response:
                isAnswered = true
                end(Self.finding(of: response.status))
            case .body, .end: return
            case .malformed, .truncated, .closedIdle: end(.unhealthy)
            }
        }
    }

    private func judge(_ session: HTTP2ClientSession) {
        while ending == .open, let event = session.nextEvent() {
            switch event {
            case .response(let stream):
                isAnswered = true
                end(Self.finding(of: stream.response.status))
            case .closed: end(.unhealthy)
            case .interim, .body, .end, .room, .settings, .goaway, .pong: break
            }
        }
        session.write(into: &outbox, atMost: .max)
        if session.isOver { end(.unhealthy) }
        touch()
    }

    private static func finding(of status: Int) -> Finding { (200..<400).contains(status) ? .healthy : .unhealthy }

    private func end(_ finding: Finding) {
        guard ending == .open else { return }
        loop.timers.cancel(timer)
        loop.counters.upstreamConnections -= 1
        dialing = nil
        ending = isAnswered ? .closing : .aborted
        touch()
        check?.answered(finding)
    }
}
