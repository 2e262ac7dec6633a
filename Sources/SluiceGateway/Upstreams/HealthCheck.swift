internal import SluiceContract
internal import SluiceHTTP
internal import SluiceHTTP2

/// Asks one endpoint every so often whether it is well; a new connection each time, so that connecting is part of the
/// question. No token goes along.
final class HealthCheck {
    private let loop: LoopContext
    private let target: DialTarget
    private let engine: HTTP2Engine
    /// Told what the checks in a row amount to.
    private let report: (_ isHealthy: Bool) -> Void
    private let policy: HealthPolicy
    private let every: UInt64
    private let timer = Timer(tag: TimerTag.healthCheck.rawValue)
    private var probe: HealthProbe?
    /// Equal outcomes in a row.
    private var healthyInRow = 0
    private var failedInRow = 0

    init(
        _ policy: HealthPolicy, of target: DialTarget, _ engine: HTTP2Engine, _ loop: LoopContext,
        report: @escaping (_ isHealthy: Bool) -> Void
    ) {
        self.policy = policy
        self.target = target
        self.engine = engine
        self.report = report
        self.loop = loop
        every = policy.every.nanosecondsClamped
        // Not all loops and endpoints at once.
        loop.timers.arm(timer, for: self, at: loop.now &+ loop.random.below(every))
    }

    deinit { loop.timers.cancel(timer) }

    /// The upstream is no longer configured, or the daemon stops.
    func stop() {
        loop.timers.cancel(timer)
        probe?.abandon()
        probe = nil
    }

    func timerFired() {
        // A timeout longer than the interval holds the next question back.
        if probe == nil { probe = HealthProbe(loop: loop, target, engine, policy, for: self) }
        loop.timers.arm(timer, for: self, at: loop.now &+ every)
    }

    /// What the probe has found.
    func answered(isHealthy: Bool) {
        probe = nil
        healthyInRow = isHealthy ? healthyInRow + 1 : 0
        failedInRow = isHealthy ? 0 : failedInRow + 1
        if healthyInRow >= policy.healthy {
            report(true)
        } else if failedInRow >= policy.unhealthy {
            report(false)
        }
    }
}
