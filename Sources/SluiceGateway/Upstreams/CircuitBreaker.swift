internal import SluiceContract

/// Whether an endpoint is asked, as a pure machine:
///
///     closed ── failures in a row, or too many of a window ──▶ open until
///       ▲                                                       │ `until` has passed: one request tries
///       └───────────── success ────────────────────────── half-open ── failure ──▶ open, for longer
///
/// A trial whose outcome never becomes known (its client disconnects) needs no cleanup: the next one may begin after
/// another rest. Health checks (`health:`) come on top, and take precedence.
struct CircuitBreaker {
    private(set) var state = State.closed
    /// While not closed: when a request may try next.
    private(set) var until: UInt64 = 0
    /// Health checks have found the endpoint unhealthy.
    private(set) var isDown = false
    private let rules: Rules
    private var failuresInRow = 0
    private var windowEnds: UInt64 = 0
    private var windowRequests = 0
    private var windowFailures = 0
    /// The length of the next rest: twice that of the last one.
    private var nextRest: UInt64
    private var closedAt: UInt64 = 0
    private var isRamping = false

    enum State: Equatable {
        case closed, open, halfOpen
    }

    struct Rules {
        let policy: BreakerPolicy
        let window: UInt64
        let rest: UInt64
        let restMax: UInt64
        let slowStart: UInt64

        init(_ policy: BreakerPolicy) {
            self.policy = policy
            window = policy.window.nanosecondsClamped
            rest = policy.rest.nanosecondsClamped
            restMax = max(policy.restMax.nanosecondsClamped, rest)
            slowStart = policy.slowStart.nanosecondsClamped
        }
    }

    init(_ rules: Rules) {
        self.rules = rules
        nextRest = rules.rest
    }

    /// Whether the breaker is closed, and health checks have not failed.
    var isWell: Bool { state == .closed && !isDown }

    /// Whether a rest is over and a request may try.
    func isDue(at now: UInt64) -> Bool { state != .closed && !isDown && now >= until }

    /// A request goes to the endpoint although it is not well: as a trial, or because there is no better one.
    mutating func tried(at now: UInt64) {
        guard state != .closed else { return }
        state = .halfOpen
        until = now &+ rules.rest
    }

    mutating func succeeded(at now: UInt64) {
        failuresInRow = 0
        switch state {
        case .closed: count(isFailure: false, at: now)
        case .halfOpen: close(at: now)
        // The request began before the breaker opened: it says nothing about the endpoint now.
        case .open: break
        }
    }

    /// - Parameter mayRest: false where so many other endpoints rest that this one has to go on.
    mutating func failed(at now: UInt64, mayRest: Bool) {
        failuresInRow += 1
        switch state {
        case .closed:
            count(isFailure: true, at: now)
            let isOften =
                windowRequests >= rules.policy.requestsMin
                && windowFailures * 100 >= windowRequests * rules.policy.errorPercent
            if mayRest, failuresInRow >= rules.policy.failures || isOften { open(at: now) }
        case .halfOpen: open(at: now)
        case .open: break
        }
    }

    /// The health checks have reached a verdict.
    mutating func probed(isHealthy: Bool, at now: UInt64) {
        if isHealthy, isDown || state != .closed {
            isDown = false
            close(at: now)
        } else if !isHealthy {
            isDown = true
        }
    }

    /// Percent of its usual share that the endpoint gets: 100, or less while it has just come back.
    mutating func share(at now: UInt64) -> UInt64 {
        guard isRamping else { return 100 }
        let elapsed = now &- closedAt
        guard elapsed < rules.slowStart else {
            isRamping = false
            return 100
        }
        return max(10, elapsed * 100 / rules.slowStart)
    }

    private mutating func open(at now: UInt64) {
        // Closed for longer than the longest rest: earlier failures are forgotten.
        if state == .closed, now &- closedAt > rules.restMax { nextRest = rules.rest }
        state = .open
        until = now &+ nextRest
        nextRest = nextRest > rules.restMax / 2 ? rules.restMax : nextRest * 2
    }

    private mutating func close(at now: UInt64) {
        state = .closed
        closedAt = now
        isRamping = rules.slowStart > 0
        failuresInRow = 0
        windowEnds = 0
    }

    private mutating func count(isFailure: Bool, at now: UInt64) {
        if now >= windowEnds {
            windowEnds = now &+ rules.window
            windowRequests = 0
            windowFailures = 0
        }
        windowRequests += 1
        if isFailure { windowFailures += 1 }
    }
}
