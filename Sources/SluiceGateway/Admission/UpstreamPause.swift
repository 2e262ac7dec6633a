internal import SluiceContract
internal import Synchronization

/// Until when an upstream has asked not to be sent the requests of one binding; shared by all loops.
///
/// An answer's `Retry-After` applies to the binding that was asked: APIs have quotas for single methods and resources,
/// and one part of a service may be down alone (RFC 6585 §4, RFC 9110 §10.2.3). Where it applies to other bindings,
/// too, their own next answers say so.
final class UpstreamPause: Sendable {
    /// When it ends, nanoseconds of the clock that all loops share, and in the last bit whether a quota is used up: one
    /// word, so that both always belong to the same pause.
    private let word = Atomic<UInt64>(0)

    /// Nanoseconds still to wait; 0 where there is no pause.
    @inline(__always)
    func left(at now: UInt64) -> UInt64 {
        let until = word.load(ordering: .relaxed) &>> 1
        return until > now ? until - now : 0
    }

    /// The upstream has said when to come back. Answers overtake each other: the pause that ends last counts.
    /// - Parameter status: 429 where a quota is used up, 503 where it is overloaded.
    func begin(until deadline: UInt64, status: Int) {
        let wanted = deadline &<< 1 | (status == 429 ? 1 : 0)
        var seen = word.load(ordering: .relaxed)
        while deadline > seen &>> 1 {
            let (isDone, now) = word.compareExchange(expected: seen, desired: wanted, ordering: .relaxed)
            if isDone { return }
            seen = now
        }
    }

    /// The refusal of a request during the pause.
    func refusal(left: UInt64, upstream: String) -> Problem {
        let status = word.load(ordering: .relaxed) & 1 == 1 ? 429 : 503
        let seconds = RateBucket.seconds(left)
        var problem = Problem(
            .upstreamPaused, status: status,
            detail: status == 429
                ? "The quota at '\(upstream)' is used up for this binding; it will be asked again in \(seconds) s."
                : "'\(upstream)' is unavailable for this binding; it wants to be asked again in \(seconds) s.")
        problem.retryAfterSeconds = seconds
        problem.upstream = upstream
        return problem
    }
}
