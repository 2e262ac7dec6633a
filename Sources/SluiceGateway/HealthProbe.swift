internal import SluiceContract
internal import SluiceHTTP

/// A connection with one question for an endpoint: is it well?
final class HealthProbe: Link {
    private let policy: HealthPolicy
    private let endpoint: Endpoint
    private var machine: HTTP1ClientMachine
    private weak var check: HealthCheck?
    private let timer = Timer(tag: TimerTag.link.rawValue)
    private var isAnswered = false
    private var response = ResponseHead()
    private var trailers = HeaderBlock()

    init(gateway: Gateway, endpoint: Endpoint, _ policy: HealthPolicy, for check: HealthCheck) {
        self.policy = policy
        self.endpoint = endpoint
        self.check = check
        machine = HTTP1ClientMachine(limits: gateway.http1Limits)
        super.init(gateway: gateway)
        gateway.counters.upstreamConnections += 1
        dialing = endpoint
        touch()
        gateway.timers.arm(timer, for: self, at: gateway.now &+ policy.timeout.nanosecondsClamped)
    }

    override func connected() {
        guard ending == .open else { return }
        outbox.append("GET ")
        outbox.append(Array(policy.path.utf8))
        outbox.append(" HTTP/1.1\r\nHost: ")
        if case .fixed(let name) = endpoint.settings.host {
            outbox.append(Array(name.utf8))
        } else {
            outbox.append(endpoint.authority)
        }
        outbox.append("\r\nUser-Agent: sluice-health\r\nConnection: close\r\n\r\n")
        machine.requestSent(method: .get)
        touch()
    }

    override func received(_ bytes: UnsafeRawBufferPointer) {
        guard ending == .open else { return }
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
        end(isHealthy: false)
    }

    override func failed(_ failure: TransportFailure) { end(isHealthy: false) }

    override func timerFired() { end(isHealthy: false) }

    /// Nobody wants to know any more.
    func abandon() {
        check = nil
        end(isHealthy: false)
    }

    /// The status says it all; the body is not waited for.
    private func judge() {
        while ending == .open {
            switch machine.next(&response, trailers: &trailers) {
            case .needMore: return
            case .interim: response.reset()
            case .response:
                isAnswered = true
                end(isHealthy: (200..<400).contains(response.status))
            case .body, .end: return
            case .malformed, .truncated, .closedIdle: end(isHealthy: false)
            }
        }
    }

    private func end(isHealthy: Bool) {
        guard ending == .open else { return }
        gateway.timers.cancel(timer)
        gateway.counters.upstreamConnections -= 1
        dialing = nil
        ending = isAnswered ? .closing : .aborted
        touch()
        check?.answered(isHealthy: isHealthy)
    }
}
