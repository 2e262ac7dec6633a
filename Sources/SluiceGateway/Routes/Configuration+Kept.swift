internal import SluiceContract

extension Configuration {
    /// Bindings whose answers are stored or watched, by themselves or as parts of others.
    var bindingsBehindWhatIsKept: [Binding] {
        var kept = Set(bindings.indices.filter { bindings[$0].cache != nil || bindings[$0].watch != nil })
        var waiting = Array(kept)
        while let next = waiting.popLast() {
            for part in bindings[next].composition?.parts ?? [] {
                guard let target = part.target(among: bindings), kept.insert(target.binding).inserted else { continue }
                waiting.append(target.binding)
            }
        }
        return kept.map { bindings[$0] }
    }
}
