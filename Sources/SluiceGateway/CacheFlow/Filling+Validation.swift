internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// A stored answer is asked for again with its validators (RFC 9111 §4.3).
extension Filling {
    /// Puts the cache's own conditions in the place of the client's: those are answered from what is stored.
    func prepareRequest(_ fields: inout HeaderBlock) {
        for index in 0..<fields.count {
            switch fields[index].id {
            case .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince, .ifRange, .range: fields.mark(index)
            default: break
            }
        }
        guard let stale = lookup.entry else { return }
        if let etag = stale.validatorETag { fields.append(.ifNoneMatch, value: etag) }
        if let modified = stale.validatorLastModified { fields.append(.ifModifiedSince, value: modified) }
    }

    /// The upstream says that `stale` is still right: its fields are brought up to date, its body stays (§4.3.4).
    func validated(_ stale: StoredResponse, _ update: borrowing HeaderBlock) {
        let delay = Int((gateway.now &- startedAt) / 1_000_000_000)
        let (entry, isStorable) = stale.updated(by: update, cache, delay: delay, gateway) { dependencies($0) }
        if isStorable { keep(entry, updating: stale) }
        gateway.desk.tally.validated()
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
        gateway.desk.store.remove(stale.key)
        // Nor with what the tiers have of it: the answer that follows takes its place there.
        for flight in flights { gateway.desk.markAsked(flight, now: gateway.now) }
        tellRelease(isUncacheable: false)
        land()
        state = .ended
        let waiting = readers
        readers = []
        for reader in waiting {
            reader.filling = nil
            reader.exchange.walk(.consultCache)
        }
    }

    private func answerAll(with entry: StoredResponse, status: Int) {
        let waiting = readers
        readers = []
        tellEnd(entry)
        land()
        state = .ended
        if !waiting.isEmpty { entry.used() }
        for reader in waiting {
            reader.filling = nil
            reader.status.forwardStatus = status
            giveOwnFields(to: reader)
            reader.exchange.serve(entry, reader)
        }
    }

    /// The upstream failed with this status; a stale answer takes its place for whom it may (RFC 5861 §4).
    /// - Returns: whether everybody has an answer.
    func serveStale(_ status: Int) -> Bool {
        guard lookup.entry != nil, !readers.isEmpty else { return false }
        let waiting = readers
        readers = []
        for reader in waiting {
            reader.filling = nil
            if !reader.exchange.answerStale(reader, cache, status: status) {
                reader.filling = self
                readers.append(reader)
            }
        }
        guard readers.isEmpty else { return false }
        tellFailure(Problem(.upstreamError, status: status, detail: "The upstream answered with status \(status)."))
        land()
        state = .ended
        return true
    }
}
