internal import SluiceContract
internal import SluiceHTTP
internal import SluiceHTTP2

/// Checks one endpoint's health at intervals, each time over a new connection, so that connecting is part of the check.
/// No credential is sent.
final class HealthCheck {
    private let loop: LoopContext
    private let target: DialTarget
    private let engine: HTTP2Engine
    /// Called with the verdict of several checks in a row.
    private let report: (_ isHealthy: Bool) -> Void
    private let policy: HealthPolicy
    private let every: UInt64
    private let timer = Timer(tag: TimerTag.healthCheck.rawValue)
    private var probe: HealthProbe?
    /// Healthy results in a row; then failed ones.
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
        // A random start, so that loops and endpoints do not check all at once.
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
        // A probe that outlasts the interval delays the next one.
        if probe == nil { probe = HealthProbe(loop: loop, target, engine, policy, for: self) }
        loop.timers.arm(timer, for: self, at: loop.now &+ every)
    }

    /// The probe has ended.
    func answered(_ finding: HealthProbe.Finding) {
        probe = nil
        switch finding {
        case .unknown: return
        case .healthy: (healthyInRow, failedInRow) = (healthyInRow + 1, 0)
        case .unhealthy: (healthyInRow, failedInRow) = (0, failedInRow + 1)
        }
        if healthyInRow >= policy.healthy {
            report(true)
        } else if failedInRow >= policy.unhealthy {
            report(false)
        }
    }
}
