internal import SluiceContract
internal import SluiceJSON

/// Looks at one answer beside what goes out of it (``DriftPlan``).
final class DriftWatch {
    /// By the declared type, which what goes out is not held to.
    private let declared: Extractor?
    /// By the type that has nothing new.
    private let close: Extractor?

    /// - Returns: nil where this answer is not looked at.
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
        // What the close type has found beside, the cut has counted or it is no drift.
        if let declared { loop.counters.drift += declared.driftCount }
        for extractor in [declared, close].compactMap(\.self) { loop.giveBack(extractor) }
    }

    /// Where the value is not of its type.
    var faults: [Problem.Fault] {
        guard let declared, declared.isFailed, !declared.failureIsSyntax else { return [] }
        return declared.faults
    }

    /// Keys and cases that are new, in an answer that is of its type.
    var news: [(kind: DriftFinding.Kind, faults: [Problem.Fault])] {
        guard let close, !close.failureIsSyntax, faults.isEmpty else { return [] }
        let keys = close.faults.filter { $0.reason == .undeclaredKey }
        // All else that is at fault is a string that no closed set has: the declared type has taken the answer.
        let cases = close.faults.filter { $0.reason == .value && $0.found.hasPrefix("string ") }
        let all: [(kind: DriftFinding.Kind, faults: [Problem.Fault])] = [(.newKey, keys), (.unknownCase, cases)]
        return all.filter { !$0.faults.isEmpty }
    }
}
