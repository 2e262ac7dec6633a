internal import SluiceContract

extension LoopContext {
    /// An answer of a binding is not as its type says.
    func noteDrift(_ faults: [Problem.Fault], of binding: String, as kind: DriftFinding.Kind = .fault) {
        let registry = metrics.registry
        let news = registry.drift.note(faults, of: binding, at: unixSeconds, as: kind) {
            registry.checkedAnswers(of: $0)
        }
        if let news { notice?(.drift(news)) }
    }
}
