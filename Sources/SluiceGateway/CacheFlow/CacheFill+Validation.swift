internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// A stored answer is asked for again with its validators (RFC 9111 §4.3).
extension CacheFill {
    /// The upstream says that `stale` is still right: its fields are brought up to date, its body stays (§4.3.4).
    func validated(_ stale: StoredResponse, _ update: borrowing HeaderBlock) {
        let delay = Int((loop.now &- startedAt) / 1_000_000_000)
        let (entry, isStorable) = stale.updated(by: update, cache, delay: delay, loop) { dependencies($0) }
        if isStorable { keep(entry, updating: stale) }
        loopCache.tally.validated()
        if !cache.storesSetCookie {
            for index in 0..<update.count where update[index].id == .setCookie && !update.isMarked(index) {
                unstored.append(.setCookie, value: update.value(index))
            }
        }
        answerAll(with: entry, status: 304)
    }

    /// The upstream says that something else is still right than what it was asked about: that updates nothing
    /// (§4.3.4), and who waits asks anew, without what is stored.
    func disowned(_ stale: StoredResponse) {
        loopCache.store.remove(stale.key)
        // Nor with what the tiers have of it: the answer that follows takes its place there.
        for flight in flights { loopCache.noteAsked(flight) }
        tellRelease(isUncacheable: false)
        detach()
        state = .ended
        let waiting = readers
        readers = []
        for walk in waiting {
            walk.fill = nil
            walk.reader.consultAgain()
        }
    }

    private func answerAll(with entry: StoredResponse, status: Int) {
        let waiting = readers
        readers = []
        tellEnd(entry)
        detach()
        state = .ended
        if !waiting.isEmpty { entry.used() }
        for walk in waiting {
            walk.fill = nil
            walk.status.forwardStatus = status
            giveOwnFields(to: walk)
            walk.reader.serve(entry, walk)
        }
    }

    /// The upstream failed with this status; a stale answer takes its place for whom it may (RFC 5861 §4).
    /// - Returns: whether everybody has an answer.
    func serveStale(_ status: Int) -> Bool {
        guard lookup.entry != nil, !readers.isEmpty else { return false }
        let waiting = readers
        readers = []
        for walk in waiting {
            walk.fill = nil
            if !walk.reader.answerStale(walk, cache, status: status) {
                walk.fill = self
                readers.append(walk)
            }
        }
        guard readers.isEmpty else { return false }
        tellFailure(Problem(.upstreamError, status: status, detail: "The upstream answered with status \(status)."))
        detach()
        state = .ended
        return true
    }
}
