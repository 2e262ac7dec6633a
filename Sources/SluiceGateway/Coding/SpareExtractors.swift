internal import SluiceJSON

/// Extractors for reuse. Each has learnt what the documents of its plan look like, so one of the same plan is
/// preferred.
struct SpareExtractors {
    /// The most extractors that are kept.
    private static let most = 64

    private var waiting: [Extractor] = []

    mutating func take(_ plan: Plan) -> Extractor {
        guard let index = waiting.lastIndex(where: { $0.isMade(for: plan) }) else {
            guard waiting.count >= Self.most else { return Extractor(plan) }
            // Takes the one that has been unused the longest.
            let extractor = waiting.removeFirst()
            extractor.reset(plan)
            return extractor
        }
        let extractor = waiting.remove(at: index)
        extractor.reset(plan)
        return extractor
    }

    /// - Parameter extractors: is empty afterwards.
    mutating func keep(_ extractors: inout [Extractor]) {
        while waiting.count < Self.most, let extractor = extractors.popLast() { waiting.append(extractor) }
        if !extractors.isEmpty { extractors.removeAll(keepingCapacity: true) }
    }

    mutating func removeAll() {
        waiting = []
    }
}
