internal import SluiceContract
internal import SluiceJSON

/// Checks one answer for drift while it is passed on (``DriftPlan``).
final class DriftWatch {
    /// Checks against the declared type, where the answer itself is not checked against it.
    private let declared: Extractor?
    /// Checks against the declared type closed to new keys and new cases.
    private let close: Extractor?

    /// - Returns: nil where this answer is not checked.
    init?(_ plan: DriftPlan, _ loop: LoopContext) {
        let closeLook = plan.closeLook(at: loop.now)
        if plan.declared == nil, closeLook == nil { return nil }
        declared = plan.declared.map { loop.takeExtractor($0) }
        close = closeLook.map { loop.takeExtractor($0) }
    }

    func feed(_ bytes: UnsafeRawBufferPointer) {
        declared?.feed(bytes)
        close?.feed(bytes)
    }

    func finish() {
        declared?.finish()
        close?.finish()
    }

    func end(_ loop: LoopContext) {
        // Drift that only `close` has found is not added: the extraction has counted it already, or it is none.
        if let declared { loop.counters.drift += declared.driftCount }
        for extractor in [declared, close].compactMap(\.self) { loop.giveBack(extractor) }
    }

    /// Where the value is not of its type.
    var faults: [Problem.Fault] {
        guard let declared, declared.isFailed, !declared.failureIsSyntax else { return [] }
        return declared.faults
    }

    /// New keys and new cases in an answer that is of its declared type.
    var news: [(kind: DriftFinding.Kind, faults: [Problem.Fault])] {
        guard let close, !close.failureIsSyntax, faults.isEmpty else { return [] }
        let keys = close.faults.filter { $0.reason == .undeclaredKey }
        // Any other fault is a string that is in no closed set: the declared type has accepted the answer.
        let cases = close.faults.filter { $0.reason == .value && $0.found.hasPrefix("string ") }
        let all: [(kind: DriftFinding.Kind, faults: [Problem.Fault])] = [(.newKey, keys), (.unknownCase, cases)]
        return all.filter { !$0.faults.isEmpty }
    }
}
