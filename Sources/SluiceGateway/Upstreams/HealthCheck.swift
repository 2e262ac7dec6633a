internal import SluiceContract

/// Asks one endpoint every so often whether it is well; a new connection each time, so that connecting is part of the
/// question. No token goes along.
final class HealthCheck {
    private let gateway: Gateway
    private unowned let endpoint: Endpoint
    private let policy: HealthPolicy
    private let every: UInt64
    private let timer = Timer(tag: TimerTag.healthCheck.rawValue)
    private var probe: HealthProbe?
    /// Equal outcomes in a row.
    private var healthyInRow = 0
    private var failedInRow = 0

    init(_ policy: HealthPolicy, _ endpoint: Endpoint, _ gateway: Gateway) {
        self.policy = policy
        self.endpoint = endpoint
        self.gateway = gateway
        every = policy.every.nanosecondsClamped
        // Not all loops and endpoints at once.
        gateway.timers.arm(timer, for: self, at: gateway.now &+ gateway.random.below(every))
    }

    deinit { gateway.timers.cancel(timer) }

    /// The upstream is no longer configured, or the daemon stops.
    func stop() {
        gateway.timers.cancel(timer)
        probe?.abandon()
        probe = nil
    }

    func timerFired() {
        // A timeout longer than the interval holds the next question back.
        if probe == nil { probe = HealthProbe(gateway: gateway, endpoint: endpoint, policy, for: self) }
        gateway.timers.arm(timer, for: self, at: gateway.now &+ every)
    }

    /// What the probe has found.
    func answered(isHealthy: Bool) {
        probe = nil
        healthyInRow = isHealthy ? healthyInRow + 1 : 0
        failedInRow = isHealthy ? 0 : failedInRow + 1
        if healthyInRow >= policy.healthy {
            endpoint.breaker.probed(isHealthy: true, at: gateway.now)
        } else if failedInRow >= policy.unhealthy {
            endpoint.breaker.probed(isHealthy: false, at: gateway.now)
        }
    }
}

extension UpstreamRuntime {
    func beginHealthChecks(_ gateway: Gateway) {
        guard let policy = settings.health else { return }
        for endpoint in endpoints { endpoint.healthCheck = HealthCheck(policy, endpoint, gateway) }
    }
}

extension Endpoint {
    func endHealthCheck() {
        healthCheck?.stop()
        healthCheck = nil
    }
}
