internal import SluiceContract
internal import SluiceJSON

/// Decides when a watched value is polled, and what watchers are told of each answer: facts in, orders out.
///
/// One poll at a time. While all is well, the next one follows `every:` after an answer; while the upstream fails, the
/// wait doubles up to `backoff-max:`, and is no shorter than the upstream asks for. A change of the value causes a poll
/// at once; where one is already running, its answer may be from before the change, and another poll follows it.
struct PollMachine {
    private let plan: WatchPlan
    private(set) var phase = Phase.resting
    private(set) var failures = 0
    private(set) var value: [UInt8]?
    private var isStale = false
    private var valueAt: UInt64 = 0
    private var notBefore: UInt64 = 0

    enum Phase: Equatable {
        /// Nobody watches.
        case resting
        case waiting(until: UInt64)
        /// - Parameter isOutdated: something has changed since the poll began.
        case asking(isOutdated: Bool)
    }

    enum Answer: Equatable {
        /// - Parameter isStale: a cache has answered in place of an upstream that could not.
        case value([UInt8], isStale: Bool)
        case notModified
        case failed(Problem)
    }

    enum Order: Equatable {
        case ask
        case tell(News)
        /// Ends the running poll: nobody watches any more.
        case abandon
    }

    enum News: Equatable {
        case loading
        /// - Parameter patch: what turns the previous value into this one; nil where the whole value is sent.
        case changed([UInt8], patch: [UInt8]?)
        case notModified
        /// The same value as before, after a failure or a stale answer.
        case recovered
        /// - Parameter seconds: since the value was last known to be right.
        case stale(seconds: Int)
        /// - Parameter staleSeconds: where a value is known.
        case problem(Problem, staleSeconds: Int?)
    }

    /// The longest `Retry-After` that is respected.
    private static let retryAfterMax: UInt64 = 86_400_000_000_000

    init(_ plan: WatchPlan) {
        self.plan = plan
    }

    /// When ``timePassed(at:)`` is to be called.
    var deadline: UInt64? {
        if case .waiting(let until) = phase { until } else { nil }
    }

    var isAsking: Bool {
        if case .asking = phase { true } else { false }
    }

    // MARK: - Facts

    /// The first watcher has come.
    mutating func watched() -> [Order] {
        guard phase == .resting else { return [] }
        phase = .asking(isOutdated: false)
        return value == nil ? [.tell(.loading), .ask] : [.ask]
    }

    /// The last watcher has left.
    mutating func unwatched() -> [Order] {
        defer { phase = .resting }
        return isAsking ? [.abandon] : []
    }

    /// The value has changed, or may have. An upstream that sent `Retry-After` is not asked earlier.
    mutating func changed(at now: UInt64) -> [Order] {
        switch phase {
        case .resting: return []
        case .waiting where now < notBefore:
            phase = .waiting(until: notBefore)
            return []
        case .waiting:
            phase = .asking(isOutdated: false)
            return [.ask]
        case .asking:
            phase = .asking(isOutdated: true)
            return []
        }
    }

    mutating func timePassed(at now: UInt64) -> [Order] {
        guard case .waiting(let until) = phase, now >= until else { return [] }
        phase = .asking(isOutdated: false)
        return [.ask]
    }

    /// - Parameter chance: a random number that makes the wait a little longer or shorter, so that polls spread.
    mutating func answered(_ answer: Answer, at now: UInt64, chance: UInt64) -> [Order] {
        guard case .asking(let isOutdated) = phase else { return [] }
        let news = take(answer, at: now).map { Order.tell($0) }
        let pause = retryAfter(answer)
        notBefore = pause > 0 ? now &+ pause : 0
        if isOutdated, notBefore > now {
            phase = .waiting(until: notBefore)
            return news
        }
        if isOutdated {
            phase = .asking(isOutdated: false)
            return news + [.ask]
        }
        phase = .waiting(until: now &+ wait(after: answer, chance))
        return news
    }

    // MARK: - What an answer says

    private mutating func take(_ answer: Answer, at now: UInt64) -> [News] {
        switch answer {
        case .value(let new, let isStale):
            let wasWell = failures == 0 && !self.isStale
            failures = 0
            var news = compare(new)
            if case .notModified = news, !wasWell { news = .recovered }
            value = new
            if !isStale { valueAt = now }
            self.isStale = isStale
            guard isStale else { return [news] }
            if case .changed = news { return [news, .stale(seconds: age(at: now))] }
            return [.stale(seconds: age(at: now))]
        case .notModified where value != nil:
            let wasWell = failures == 0 && !isStale
            failures = 0
            isStale = false
            valueAt = now
            return [wasWell ? .notModified : .recovered]
        case .notModified:
            let detail = "The upstream says that a value has not changed which it was not asked about (304)."
            return fail(Problem(.upstreamProtocol, detail: detail), at: now)
        case .failed(let problem): return fail(problem, at: now)
        }
    }

    private mutating func fail(_ problem: Problem, at now: UInt64) -> [News] {
        failures += 1
        isStale = value != nil
        return [.problem(problem, staleSeconds: isStale ? age(at: now) : nil)]
    }

    private func age(at now: UInt64) -> Int { valueAt == 0 ? 0 : Int((now &- valueAt) / 1_000_000_000) }

    private func compare(_ new: [UInt8]) -> News {
        guard let value else { return .changed(new, patch: nil) }
        if value == new { return .notModified }
        let difference =
            switch plan.policy.send {
            case .whole: JSONDifference.whole
            case .mergePatch: JSONDifference.mergePatch(from: value, to: new)
            case .jsonPatch: JSONDifference.jsonPatch(from: value, to: new)
            }
        switch difference {
        case .none: return .notModified
        case .patch(let patch) where patch.count < new.count: return .changed(new, patch: patch)
        case .patch, .whole: return .changed(new, patch: nil)
        }
    }

    private func wait(after answer: Answer, _ chance: UInt64) -> UInt64 {
        var wait = plan.everyNanoseconds
        if failures > 0 {
            let (grown, overflow) = wait.multipliedReportingOverflow(by: 1 << UInt64(min(failures, 30)))
            wait = overflow ? plan.backoffMaxNanoseconds : min(grown, plan.backoffMaxNanoseconds)
        }
        wait += chance.multipliedFullWidth(by: wait / 5).high
        wait -= wait / 10
        return max(wait, retryAfter(answer))
    }

    /// Nanoseconds of the upstream's `Retry-After`; 0 where there is none.
    private func retryAfter(_ answer: Answer) -> UInt64 {
        guard case .failed(let problem) = answer, let seconds = problem.retryAfterSeconds, seconds > 0 else { return 0 }
        let asked = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        return asked.overflow ? Self.retryAfterMax : min(asked.partialValue, Self.retryAfterMax)
    }
}
