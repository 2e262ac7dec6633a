internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// Answers out of what is stored.
extension Exchange {
    /// Bytes of a body that are copied to the client at once; a longer one is borrowed, a piece at a time.
    private static let copiedBytesMax = 32 << 10

    /// A fresh answer to a request that asks nothing in particular, as it is stored.
    func answerFresh(_ entry: StoredResponse) {
        entry.used()
        gateway.desk.tally.hit()
        answerHead(of: entry)
        if entry.bodyCount <= Self.copiedBytesMax {
            answerBody(entry.body, lifetime: .call)
            return answerEnd()
        }
        let walk = CacheWalk(self, CacheControl(), CacheStatus(.hit))
        cacheWalk = walk
        walk.entry = entry
        walk.end = entry.bodyCount
        readStored(walk)
    }

    /// The answer to a request with conditions, ranges or directives; or a stale one.
    func serve(_ entry: StoredResponse, _ control: CacheControl, detail: String? = nil) -> Step {
        var status = CacheStatus(.hit)
        status.detail = detail
        gateway.desk.tally.hit()
        let walk = CacheWalk(self, control, status)
        cacheWalk = walk
        serve(entry, walk)
        return .rest
    }

    /// Answers with `entry`, as `walk.status` says of how it was come by.
    func serve(_ entry: StoredResponse, _ walk: CacheWalk) {
        entry.used()
        walk.filling = nil
        walk.entry = entry
        let age = entry.age(gateway.now)
        if walk.status.outcome == .hit { walk.status.ttl = -entry.time(gateway.now).staleness }
        var fields = HeaderBlock()
        StoredHead.read(entry.lines, into: &fields)
        guard answerHead(status: entry.status, &fields, age: age, length: entry.bodyCount, walk) else { return }
        readStored(walk)
    }

    /// A stale answer in the place of an error, where binding and upstream allow it (RFC 5861 §4).
    /// - Parameter isKept: the error is one that is answered again, without asking the upstream.
    /// - Returns: whether it was answered.
    func answerStale(_ walk: CacheWalk, _ cache: CacheRoute, for problem: Problem, isKept: Bool = false) -> Bool {
        guard problem.yieldsToStale else { return false }
        return answerStale(walk, cache, status: isKept ? nil : problem.upstreamStatus)
    }

    /// - Parameter status: what the upstream has answered, if it has.
    func answerStale(_ walk: CacheWalk, _ cache: CacheRoute, status: Int?) -> Bool {
        guard let entry = walk.entry,
            Reuse.mayServeOnError(entry.time(gateway.now), request: walk.request, serve: cache.serve)
        else { return false }
        walk.status.forwardStatus = status
        walk.status.detail = "stale-if-error"
        serve(entry, walk)
        return true
    }

    /// Writes the head of an answer whose fields are known, after the client's conditions and its range.
    /// - Parameter length: of the complete body; nil where that is not known yet.
    /// - Returns: whether a body follows.
    func answerHead(
        status: Int, _ fields: inout HeaderBlock, age: Int, length: Int?, _ walk: CacheWalk
    ) -> Bool {
        walk.hasHead = true
        var status = status
        var framing = length.map { AnswerFraming.length($0) } ?? .stream
        walk.end = length ?? .max
        if status == 200 {
            let validators = Preconditions.Validators(fields)
            switch Preconditions.evaluate(request.fields, validators, now: gateway.unixSeconds) {
            case .proceed:
                // Ranges are for GET (RFC 9110 §14.2).
                guard let length, request.method == .get,
                    Preconditions.rangeApplies(request.fields, validators, now: gateway.unixSeconds)
                else { break }
                (status, framing) = applyRange(&fields, length: length, walk)
            case .notModified:
                status = 304
                fields.markRepresentation()
                framing = .empty(announcing: nil)
            case .failed:
                status = 412
                fields.markRepresentation()
                framing = .length(0)
            }
        }
        if status == 200 || status == 304 { codeStored(&fields, status: status, length: length) }
        if status == 204 { framing = .empty(announcing: nil) }
        if age > 0 || walk.status.outcome == .hit {
            Array(String(age).utf8).withUnsafeBytes { fields.append(.age, value: $0) }
        }
        Array(walk.status.text.utf8).withUnsafeBytes { fields.append(.cacheStatus, value: $0) }
        answer(status: status, reason: .empty, fields: fields, framing: framing)
        if [304, 412, 416, 204].contains(status) || request.method == .head {
            walk.filling?.satisfied(walk)
            walk.filling = nil
            answerEnd()
            return false
        }
        return true
    }

    /// What is stored is not coded; each client gets the coding that it takes (`compress:`), and then a weak validator,
    /// because the bytes are others (RFC 9110 §8.8.3.3).
    private func codeStored(_ fields: inout HeaderBlock, status: Int, length: Int?) {
        guard let route, route.cache?.isTyped == true, let compression = route.binding.compression else { return }
        if status == 304 { return fields.append(.vary, "Accept-Encoding") }
        negotiateCoding(compression, &fields, length: length)
        guard coder != nil, let index = fields.firstIndex(of: .etag) else { return }
        let etag = Array("W/".utf8) + fields.value(index)
        fields.mark(index)
        etag.withUnsafeBytes { fields.append(.etag, value: $0) }
    }

    private func applyRange(_ fields: inout HeaderBlock, length: Int, _ walk: CacheWalk) -> (Int, AnswerFraming) {
        switch ByteRange(request.fields, length: length) {
        case .whole: return (200, .length(length))
        case .part(let part):
            (walk.position, walk.end) = (part.lowerBound, part.upperBound)
            let text = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(length)"
            Array(text.utf8).withUnsafeBytes { fields.append(.contentRange, value: $0) }
            return (206, .length(part.count))
        case .unsatisfiable:
            fields.markRepresentation()
            Array("bytes */\(length)".utf8).withUnsafeBytes { fields.append(.contentRange, value: $0) }
            return (416, .length(0))
        }
    }

    /// Goes on with a stored body as far as the client takes it.
    private func readStored(_ walk: CacheWalk) {
        guard let entry = walk.entry else { return }
        while walk.position < walk.end, !isHeld {
            let end = min(walk.end, walk.position + gateway.room.each / 2)
            let run = UnsafeRawBufferPointer(rebasing: entry.body[walk.position..<end])
            walk.position = end
            if run.count <= Self.copiedBytesMax {
                answerBody(run, lifetime: .call)
            } else {
                gateway.keepForTurn(entry)
                answerBody(run, lifetime: .drain)
            }
        }
        if walk.position >= walk.end { answerEnd() }
    }

    /// The client has taken what it was sent.
    func cacheDrained(_ walk: CacheWalk) {
        if let filling = walk.filling { filling.drained(walk) } else { readStored(walk) }
    }

    /// Waits no more for an answer that is on its way.
    func leaveFilling() {
        guard let walk = cacheWalk, let filling = walk.filling else { return }
        walk.filling = nil
        filling.leave(walk)
    }
}

extension HeaderBlock {
    /// Marks what speaks of content that does not follow (RFC 9110 §15.4.5).
    fileprivate mutating func markRepresentation() {
        for index in 0..<count {
            switch self[index].id {
            case .contentType, .contentEncoding, .contentLanguage, .contentRange, .contentDisposition: mark(index)
            default: break
            }
        }
    }
}
