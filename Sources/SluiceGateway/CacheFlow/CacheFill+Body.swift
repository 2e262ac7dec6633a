internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// The body arrives: it is kept for the store and for who has not come so far, and goes to the readers.
extension CacheFill {
    /// Whether the slowest reader is not too far behind; what is stored is kept anyway.
    var hasRoom: Bool {
        if storability == .store { return true }
        let slowest = readers.reduce(count) { min($0, $1.hasHead ? $1.position : count) }
        return count - slowest <= loop.limits.bufferedBytes
    }

    /// Bytes of the body that have arrived.
    var count: Int { base + bytes.count }

    func take(_ run: UnsafeRawBufferPointer, lifetime: RunLifetime) {
        if state == .ended { return }
        let start = count
        if storability == .store, start + run.count > loopCache.store.entryBytesMax { outgrow() }
        var isNeeded = storability == .store
        for walk in readers where walk.hasHead {
            if walk.position == start, !walk.reader.isHeld {
                let end = min(walk.end, start + run.count)
                guard end > start else { continue }
                walk.position = end
                walk.reader.answerBody(UnsafeRawBufferPointer(rebasing: run[..<(end - start)]), lifetime: lifetime)
            } else {
                isNeeded = true
            }
        }
        if isNeeded { bytes.append(contentsOf: run) } else { base = start + run.count; bytes.removeAll() }
        for walk in readers where walk.hasHead && walk.position < min(count, walk.end) { read(walk) }
        tellBody(run)
        if storability != .store { forget() }
    }

    /// What all have read of an answer that is not stored is not kept.
    private func forget() {
        let slowest = readers.reduce(count) { min($0, $1.hasHead ? $1.position : count) }
        guard slowest - base > 64 << 10 else { return }
        bytes.removeFirst(slowest - base)
        base = slowest
    }

    /// It has become too large to be stored.
    private func outgrow() {
        storability = .refuse(.tooLarge)
        detach()
    }

    /// Sends a reader what there is for it.
    func read(_ walk: CacheWalk) {
        let reader = walk.reader
        while walk.hasHead, walk.position >= base, walk.position < min(count, walk.end), !reader.isHeld {
            let end = min(walk.end, count, walk.position + loop.room.piece)
            let part = (walk.position - base)..<(end - base)
            walk.position = end
            bytes.withUnsafeBytes { reader.answerBody(UnsafeRawBufferPointer(rebasing: $0[part]), lifetime: .call) }
        }
        let isWhole = state == .ended && walk.position >= count
        if walk.hasHead, isWhole || walk.position >= walk.end, walk.fill != nil {
            readers.removeAll { $0 === walk }
            walk.fill = nil
            reader.answerEnd()
        }
    }

    /// The client of a reader has taken what it was sent.
    func drained(_ walk: CacheWalk) {
        read(walk)
        relieve()
    }

    /// The answer is there to its last byte.
    func complete() {
        let entry = store()
        let isHolding = state == .holding
        tellEnd(entry)
        end()
        for walk in readers {
            if isHolding, let entry {
                readers.removeAll { $0 === walk }
                note(walk)
                giveOwnFields(to: walk)
                walk.reader.serve(entry, walk)
            } else {
                read(walk)
            }
        }
    }

    // MARK: - Failure

    /// The next who ask hear the same, for a while (`retry-after-error:`).
    func keep(_ problem: Problem) {
        // What a client's own credentials have led to is nobody else's (RFC 9111 §3.5).
        if !cache.policy.isPrivate, isAsking, request.forwardsCredentials(route) { return }
        // Who purges wants the upstream to be asked.
        guard let wait = cache.retryNanoseconds, !isOutdated else { return }
        loopCache.notes.keep(problem, lookup.key, until: loop.now &+ wait)
    }

    func release(failing problem: Problem) {
        tellFailure(problem)
        let siblings = takeSiblings()
        end()
        for sibling in siblings { sibling.fill.leadFailed(problem) }
        let waiting = readers
        readers = []
        for walk in waiting {
            walk.fill = nil
            if !walk.hasHead, walk.reader.answerStale(walk, cache, for: problem, isKept: false) { continue }
            walk.reader.fail(problem)
        }
    }
}
