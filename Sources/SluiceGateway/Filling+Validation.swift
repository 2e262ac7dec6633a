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
        var merged = HeaderBlock()
        StoredHead.read(stale.lines, into: &merged)
        for index in 0..<update.count where !update.isMarked(index) && isUpdated(update[index].id) {
            merged.markAll(update.name(index))
        }
        for index in 0..<update.count where !update.isMarked(index) && isUpdated(update[index].id) {
            merged.append(name: update.name(index), value: update.value(index))
        }
        var fresh = HeaderBlock()
        for index in 0..<merged.count where !merged.isMarked(index) {
            fresh.append(name: merged.name(index), value: merged.value(index))
        }
        if let index = update.firstIndex(of: .age) { fresh.append(.age, value: update.value(index)) }
        let facts = CacheFacts(status: stale.status, fresh, now: gateway.unixSeconds)
        let freshness = Freshness(facts, cache.policy)
        let delay = Int((gateway.now &- startedAt) / 1_000_000_000)
        var head = StoredHead(
            status: stale.status, freshness: freshness,
            initialAge: Freshness.initialAge(facts, responseDelay: delay, now: gateway.unixSeconds),
            responseTime: gateway.now)
        for index in 0..<fresh.count where fresh[index].id != .age {
            head.append(name: fresh.name(index), value: fresh.value(index))
        }
        head.validatorETag =
            update.firstIndex(of: .etag).map { Array(update.value($0)) }
            ?? stale.validatorETag.map { Array($0) }
        head.validatorLastModified =
            update.firstIndex(of: .lastModified).map { Array(update.value($0)) }
            ?? stale.validatorLastModified.map { Array($0) }
        head.dependencies = dependencies(fresh)
        head.label = stale.label
        let entry = StoredResponse(head, key: stale.key, bodyCount: stale.bodyCount) { put in put(stale.body) }
        if !facts.control.flags.contains(.noStore) { keep(entry) }
        gateway.desk.tally.validated()
        answerAll(with: entry, status: 304)
    }

    /// What a 304 says of the stored answer; not what speaks of its body, nor of the slice (RFC 9111 §3.2).
    private func isUpdated(_ id: FieldID) -> Bool {
        switch id {
        case .contentLength, .contentEncoding, .contentRange, .age, .setCookie: return false
        case .contentType, .etag, .acceptRanges, .contentLocation, .contentDisposition: return !cache.isTyped
        default: return true
        }
    }

    private func answerAll(with entry: StoredResponse, status: Int) {
        let waiting = readers
        readers = []
        tellEnd(entry)
        land()
        state = .ended
        for reader in waiting {
            reader.filling = nil
            reader.status.forwardStatus = status
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
