internal import SluiceContract

extension LoopContext {
    /// Notes an answer that is not of its binding's type.
    func noteDrift(_ faults: [Problem.Fault], of binding: String, as kind: DriftFinding.Kind = .fault) {
        let registry = metrics.registry
        let news = registry.drift.note(faults, of: binding, at: unixSeconds, as: kind) {
            registry.checkedAnswers(of: $0)
        }
        if let news { notice?(.drift(news)) }
    }
}
