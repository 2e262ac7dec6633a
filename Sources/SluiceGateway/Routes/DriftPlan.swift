internal import SluiceContract
internal import SluiceJSON
internal import Synchronization

/// How the answers of a binding are looked at beside what goes out of them: by the type that is declared, where that
/// holds nothing back (`on-drift: pass`), and now and then by one that knows all there is (`drift:`).
final class DriftPlan: Sendable {
    /// The declared type; nil where what goes out is held to it.
    let declared: Plan?
    /// The declared type as one that has no other keys and no other cases; nil where nothing is to be noticed.
    private let close: Plan?
    private let everyNanoseconds: UInt64
    /// When the next answer is looked at, on whichever loop it comes.
    private let dueAt = Atomic<UInt64>(0)

    /// New things of one answer that are told.
    private static let noticesMax = 32

    /// - Parameters:
    ///   - value: the type of the answer's value.
    ///   - path: where the value stands.
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

    /// The plan of what is new, where it is time for another look.
    func closeLook(at now: UInt64) -> Plan? {
        guard let close else { return nil }
        let due = dueAt.load(ordering: .relaxed)
        guard now >= due else { return nil }
        let (isMine, _) = dueAt.compareExchange(expected: due, desired: now &+ everyNanoseconds, ordering: .relaxed)
        return isMine ? close : nil
    }
}
