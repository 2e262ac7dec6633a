internal import SluiceJSON

/// Extractors that wait to be used again. Each has learnt how the documents of its plan look, so one of the same plan
/// is taken where there is one.
struct SpareExtractors {
    /// How many wait at most.
    private static let most = 64

    private var waiting: [Extractor] = []

    mutating func take(_ plan: Plan) -> Extractor {
        guard let index = waiting.lastIndex(where: { $0.isMade(for: plan) }) else {
            guard waiting.count >= Self.most else { return Extractor(plan) }
            // The one that has waited longest.
            let extractor = waiting.removeFirst()
            extractor.reset(plan)
            return extractor
        }
        let extractor = waiting.remove(at: index)
        extractor.reset(plan)
        return extractor
    }

    /// - Parameter extractors: none is left in it.
    mutating func keep(_ extractors: inout [Extractor]) {
        while waiting.count < Self.most, let extractor = extractors.popLast() { waiting.append(extractor) }
        if !extractors.isEmpty { extractors.removeAll(keepingCapacity: true) }
    }

    mutating func removeAll() {
        waiting = []
    }
}
