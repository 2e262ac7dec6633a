internal import Synchronization

/// The latest purges, for answers that were being fetched at the time: a fetch notes the purge number when it begins,
/// and its answer is checked against later purges. Answers that are already stored are found by a walk.
public final class PurgeLog: Sendable {
    /// Remembered purges. An answer whose fetch saw more than that is not stored.
    static let keptMax = 256

    private let count = Atomic<UInt64>(0)
    /// The oldest first.
    private let latest = Mutex<[PurgeRequest]>([])

    /// The effect of later purges on an answer.
    public enum Verdict: Sendable, Equatable {
        case untouched
        /// It is stored, and is stale (RFC 9111 §4.2.4).
        case stale
        case gone
    }

    /// How many purges there have been.
    public var number: UInt64 { count.load(ordering: .acquiring) }

    func add(_ request: PurgeRequest) {
        latest.withLock { latest in
            if latest.count == Self.keptMax { latest.removeFirst() }
            latest.append(request)
            count.add(1, ordering: .releasing)
        }
    }

    /// - Parameters:
    ///   - start: ``number`` when the request began.
    ///   - selects: whether a purge selects the answer.
    public func judge(since start: UInt64, _ selects: (PurgeRequest) -> Bool) -> Verdict {
        if start == number { return .untouched }
        return latest.withLock { latest in
            let missed = Int(clamping: count.load(ordering: .relaxed) - start)
            if missed > latest.count { return .gone }
            var verdict = Verdict.untouched
            for request in latest.suffix(missed) where selects(request) {
                if !request.isSoft { return .gone }
                verdict = .stale
            }
            return verdict
        }
    }
}
