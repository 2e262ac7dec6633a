internal import Dispatch
public import SluiceCache
internal import Synchronization

/// Lookups.
extension DiskTier {
    public func find(_ query: TierQuery, _ reply: @escaping @Sendable (StoredResponse?) -> Void) {
        let isTaken = state.withLock { state in
            guard !state.isClosed, !isAway.load(ordering: .relaxed), state.lookups < Self.lookupsMax else {
                return false
            }
            state.lookups += 1
            return true
        }
        guard isTaken else { return reply(nil) }
        let answer = SingleReply(reply)
        reads.async {
            let entry = answer.isGiven ? nil : self.search(query)
            self.state.withLock { $0.lookups -= 1 }
            answer.give(entry)
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + readTimeout) { [weak self] in
            guard answer.give(nil), let self else { return }
            hangs.store(true, ordering: .relaxed)
            // Runs after the lookup that hangs.
            reads.async { self.hangs.store(false, ordering: .relaxed) }
        }
    }

    /// On `reads`.
    private func search(_ query: TierQuery) -> StoredResponse? {
        // Pending purges, as they were before the read; the caller checks for later ones.
        let begun = state.withLock { $0.isClosed ? nil : ($0.generation, $0.purges) }
        guard let (generation, purges) = begun else { return nil }
        do throws(Database.Failure) {
            let reader = try currentReader(generation)
            for key in query.keys {
                switch try reader.find(key, query, folder) {
                case .nothing: continue
                case .useless(let id): note(.remove(id))
                case .entry(let entry):
                    if purges.contains(where: { $0.selects(entry.key, entry.label) }) { continue }
                    note(.used(key.low))
                    return entry
                }
            }
        } catch {
            reader = nil
            if error.isDamage { writes.async { self.replaceFile(error, generation: generation) } }
        }
        return nil
    }

    private func currentReader(_ generation: Int) throws(Database.Failure) -> DiskReader {
        if let reader, reader.generation == generation { return reader }
        let opened = try DiskReader(folder.file("cache.db"), generation: generation)
        reader = opened
        return opened
    }
}
