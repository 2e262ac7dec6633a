internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// Answers out of what is stored.
extension Exchange: CacheReader {
    /// Bytes of a body that are copied to the client at once; a longer one is borrowed, a piece at a time.
    private static let copiedBytesMax = 32 << 10

    /// A fresh answer to a request that asks nothing in particular, as it is stored.
    func answerFresh(_ entry: StoredResponse) {
        entry.used()
        loopCache.tally.hit()
        isPlainHit = true
        answerHead(of: entry)
        if entry.bodyCount <= Self.copiedBytesMax {
            answerBody(entry.body, lifetime: .call)
            return answerEnd()
        }
        let walk = makeWalk(CacheControl(), CacheStatus(.hit))
        cacheWalk = walk
        walk.entry = entry
        walk.end = entry.bodyCount
        readStored(walk)
    }

    /// The answer to a request with conditions, ranges or directives; or a stale one.
    func serve(_ entry: StoredResponse, _ control: CacheControl, detail: String? = nil) -> Step {
        var status = CacheStatus(.hit)
        status.detail = detail
        loopCache.tally.hit()
        let walk = makeWalk(control, status)
        cacheWalk = walk
        serve(entry, walk)
        return .rest
    }

    /// Answers with `entry`, as `walk.status` says of how it was come by.
    func serve(_ entry: StoredResponse, _ walk: CacheWalk) {
        walk.fill = nil
        walk.entry = entry
        let age = entry.age(loop.now)
        if walk.status.outcome == .hit {
            // The request that caused it to be stored is no use of it.
            entry.used()
            walk.status.ttl = -entry.time(loop.now).staleness
        }
        var fields = HeaderBlock()
        StoredHead.read(entry.lines, into: &fields)
        guard answerHead(status: entry.status, &fields, age: age, length: entry.bodyCount, walk) else { return }
        readStored(walk)
    }

    /// A stale answer in the place of an error, where binding and upstream allow it (RFC 5861 §4).
    /// - Parameter isKept: the error is one that is answered again, without asking the upstream.
    /// - Returns: whether it was answered.
    func answerStale(_ walk: CacheWalk, _ cache: CacheRoute, for problem: Problem, isKept: Bool) -> Bool {
        guard problem.yieldsToStale else { return false }
        return answerStale(walk, cache, status: isKept ? nil : problem.upstreamStatus)
    }

    /// - Parameter status: what the upstream has answered, if it has.
    func answerStale(_ walk: CacheWalk, _ cache: CacheRoute, status: Int?) -> Bool {
        guard let entry = walk.entry,
            Reuse.mayServeOnError(entry.time(loop.now), request: walk.control, serve: cache.serve)
        else { return false }
        walk.status.forwardStatus = status
        walk.status.detail = "stale-if-error"
        entry.used()
        serve(entry, walk)
        return true
    }

    /// Writes the head of an answer whose fields are known, after the client's conditions and its range.
    ///
    /// What is announced and what is read of the stored body are decided together: `walk` has the part that follows.
    /// - Parameter length: of the complete body; nil where that is not known yet.
    /// - Returns: whether a body follows.
    func answerHead(
        status stored: Int, _ fields: inout HeaderBlock, age: Int, length: Int?, _ walk: CacheWalk
    ) -> Bool {
        walk.hasHead = true
        let selection = StoredSelection(stored, fields, for: request, length: length, now: loop.unixSeconds)
        let (status, framing) = selection.apply(to: &fields, status: stored, length: length)
        (walk.position, walk.end) = selection.part(length: length)
        codeStored(&fields, selection, status: stored, length: length)
        for index in 0..<walk.ownFields.count {
            fields.append(name: walk.ownFields.name(index), value: walk.ownFields.value(index))
        }
        if age > 0 || walk.status.outcome == .hit { fields.append(.age, text: "\(age)") }
        fields.append(.cacheStatus, text: walk.status.text)
        answer(status: status, reason: .empty, fields: fields, framing: framing)
        if !selection.hasBody(status: stored) || request.head.method == .head {
            walk.fill?.satisfied(walk)
            walk.fill = nil
            answerEnd()
            return false
        }
        return true
    }

    /// What is stored is not coded; each client gets the coding that it takes (`compress:`), and then a weak validator,
    /// because the bytes are others (RFC 9110 §8.8.3.3). A 304 has the fields that the 200 would have (§15.4.5); a part
    /// is one of the bytes as they are stored, and varies as its whole does (§15.3.7).
    private func codeStored(_ fields: inout HeaderBlock, _ selection: StoredSelection, status: Int, length: Int?) {
        guard let route, route.cuts(status: status), let compression = route.binding.compression else { return }
        let isCoded: Bool
        switch selection {
        case .whole:
            chooseCoding(compression, &fields, length: length)
            isCoded = coder != nil
        case .notModified:
            fields.append(.vary, "Accept-Encoding")
            isCoded = coding(of: compression, length: length) != nil
        case .part, .failed, .unsatisfiable:
            fields.append(.vary, "Accept-Encoding")
            isCoded = false
        }
        guard isCoded, let index = fields.firstIndex(of: .etag), !Preconditions.isWeak(fields.value(index)) else {
            return
        }
        let etag = Array("W/".utf8) + fields.value(index)
        fields.mark(index)
        etag.withUnsafeBytes { fields.append(.etag, value: $0) }
    }

    /// Goes on with a stored body as far as the client takes it.
    private func readStored(_ walk: CacheWalk) {
        guard let entry = walk.entry else { return }
        while walk.position < walk.end, !isHeld {
            let end = min(walk.end, walk.position + loop.room.piece)
            let run = UnsafeRawBufferPointer(rebasing: entry.body[walk.position..<end])
            walk.position = end
            if run.count <= Self.copiedBytesMax {
                answerBody(run, lifetime: .call)
            } else {
                loop.keepForTurn(entry)
                answerBody(run, lifetime: .drain)
            }
        }
        if walk.position >= walk.end { answerEnd() }
    }

    /// The client has taken what it was sent.
    func cacheDrained(_ walk: CacheWalk) {
        if let fill = walk.fill { fill.drained(walk) } else { readStored(walk) }
    }

    func consultAgain() { walk(.consultCache) }

    func askUpstream() { walk(.fetch) }

    /// Waits no more for an answer that is on its way.
    func leaveFill() {
        guard let walk = cacheWalk, let fill = walk.fill else { return }
        walk.fill = nil
        fill.leave(walk)
    }
}
