internal import SluiceContract
internal import SluiceJSON
internal import Synchronization

/// How the answers of a binding are checked for drift, beside what clients get of them: against the declared type,
/// where answers pass whatever they hold (`on-drift: pass`), and from time to time against a closed form of that type,
/// which notices everything new (`drift:`).
final class DriftPlan: Sendable {
    /// Plan of the declared type; nil where the answer that goes out is checked against that type anyway.
    let declared: Plan?
    /// Plan of the declared type with no other keys and no other cases; nil where nothing is to be noticed.
    private let close: Plan?
    private let everyNanoseconds: UInt64
    /// When the next answer is checked; shared by all loops.
    private let dueAt = Atomic<UInt64>(0)

    /// New things that are reported of one answer, at most.
    private static let noticesMax = 32

    /// - Parameters:
    ///   - value: the type of the answer's value.
    ///   - path: where the value is in the answer.
    /// - Returns: nil if drift is not looked for.
    init?(
        _ binding: Binding, value: TypeExpression, at path: FieldPath, keys: KeyStyle, _ common: RouteCommon
    ) throws(PlanError) {
        let passes = binding.onDrift == .pass
        if binding.rows != nil || !passes && binding.drift == nil { return nil }
        func extraction(_ type: TypeExpression) -> Extraction {
            Extraction(path: path, type: type, unknown: binding.unknownKeys, keys: keys, direction: .fromUpstream)
        }
        declared =
            if passes {
                try Plan(
                    [extraction(value)], types: common.types, limits: common.limits, reportCount: binding.reportCount)
            } else { nil }
        everyNanoseconds = binding.drift?.every.nanosecondsClamped ?? 0
        guard let notices = binding.drift.map({ Set($0.notice) }), !notices.isEmpty else {
            close = nil
            return
        }
        close = try Plan(
            [extraction(value.noticing(notices))], types: NamedTypes(common.definitions(of: binding).noticing(notices)),
            limits: common.limits, reportCount: Self.noticesMax)
    }

    /// The plan that notices new things, if the next check is due.
    func closeLook(at now: UInt64) -> Plan? {
        guard let close else { return nil }
        let due = dueAt.load(ordering: .relaxed)
        guard now >= due else { return nil }
        let (isMine, _) = dueAt.compareExchange(expected: due, desired: now &+ everyNanoseconds, ordering: .relaxed)
        return isMine ? close : nil
    }
}
