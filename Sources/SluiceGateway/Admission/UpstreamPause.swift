internal import SluiceContract
internal import Synchronization

/// Until when an upstream has asked to be left alone; shared by all loops.
final class UpstreamPause: Sendable {
    /// Nanoseconds of the clock that all loops share.
    private let until = Atomic<UInt64>(0)
    private let status = Atomic<Int>(503)

    /// Nanoseconds still to wait; 0 where there is no pause.
    @inline(__always)
    func left(at now: UInt64) -> UInt64 {
        let until = until.load(ordering: .relaxed)
        return until > now ? until - now : 0
    }

    /// The upstream has said when to come back.
    /// - Parameter status: 429 where a quota is used up, 503 where it is overloaded.
    func begin(until deadline: UInt64, status: Int) {
        self.status.store(status, ordering: .relaxed)
        until.store(deadline, ordering: .relaxed)
    }

    /// What a request is told meanwhile.
    func refusal(left: UInt64, upstream: String) -> Problem {
        let status = status.load(ordering: .relaxed)
        let seconds = RateBucket.seconds(left)
        var problem = Problem(
            .upstreamPaused, status: status,
            detail: status == 429
                ? "The quota at '\(upstream)' is used up; it will be asked again in \(seconds) s."
                : "'\(upstream)' has asked to be left alone for \(seconds) s more.")
        problem.retryAfterSeconds = seconds
        problem.upstream = upstream
        return problem
    }
}
