internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// A reader's way through the cache where it is more than a plain hit: what it asked for, what it waits for, and how
/// far it has read. The reader keeps it, and is kept by its client's connection.
final class CacheWalk {
    unowned(unsafe) let reader: CacheReader
    /// Directives of the request.
    let control: CacheControl
    var status: CacheStatus
    /// The stored answer that is being read, or may be answered if the upstream fails.
    var entry: StoredResponse?
    /// The fill whose answer it waits for, or reads as it arrives.
    var fill: CacheFill? {
        didSet { if let oldValue { note(oldValue) } }
    }
    /// Time that upstreams had spent on a fill's answer when this reader left the fill.
    private var leftNanoseconds: UInt64 = 0
    private var leftAttempts = 0
    private var leftIsEndless = false
    /// How long its client waits; nil is as long as it takes.
    var patience: Patience?
    /// The bytes of the body still to be sent: from `position` to `end`.
    private(set) var position = 0
    private(set) var end = Int.max
    private(set) var hasHead = false
    /// Fields of the answer that are for this client alone, and are not stored: its cookies, and what the upstream's
    /// `Cache-Control` names.
    var ownFields = HeaderBlock()
    /// Number of purges when it began.
    let purgeNumber: UInt64

    /// Bytes of a body that are copied to the client at once; a longer one is borrowed, a piece at a time.
    static let copiedBytesMax = 32 << 10

    init(_ reader: CacheReader, _ control: CacheControl, _ status: CacheStatus, since purgeNumber: UInt64) {
        self.reader = reader
        self.control = control
        self.status = status
        self.purgeNumber = purgeNumber
    }

    // MARK: - What is stored

    /// Answers with `entry`; `status` says how it was obtained.
    func serve(_ entry: StoredResponse) {
        fill = nil
        self.entry = entry
        let now = reader.loop.now
        let age = entry.age(now)
        if status.outcome == .hit {
            // The request that caused the entry to be stored does not count as a use.
            entry.used()
            status.ttl = -entry.time(now).staleness
        }
        var fields = HeaderBlock()
        StoredHead.read(entry.lines, into: &fields)
        guard begin(status: entry.status, &fields, age: age, length: entry.bodyCount) else { return }
        readStored()
    }

    /// Answers with the body of `entry`, whose head has been sent.
    func readWhole(_ entry: StoredResponse) {
        self.entry = entry
        end = entry.bodyCount
        readStored()
    }

    /// A stale answer in the place of an error, where binding and upstream allow it (RFC 5861 §4).
    /// - Parameter isKept: the error is one that is answered again, without asking the upstream.
    /// - Returns: whether it was answered.
    func serveStale(_ cache: CacheRoute, for problem: Problem, isKept: Bool) -> Bool {
        guard problem.yieldsToStale else { return false }
        return serveStale(cache, status: isKept ? nil : problem.upstreamStatus)
    }

    /// - Parameter upstreamStatus: the status that the upstream answered with, if any.
    func serveStale(_ cache: CacheRoute, status upstreamStatus: Int?) -> Bool {
        guard let entry, reader.request.takesStale(entry, control, cache, at: reader.loop.now) else { return false }
        status.forwardStatus = upstreamStatus
        status.detail = "stale-if-error"
        entry.used()
        serve(entry)
        return true
    }

    /// Goes on with a stored body as far as the client takes it.
    private func readStored() {
        guard let entry else { return }
        let (reader, loop) = (reader, reader.loop)
        while position < end, !reader.answer.isHeld {
            let next = min(end, position + loop.room.piece)
            let run = UnsafeRawBufferPointer(rebasing: entry.body[position..<next])
            position = next
            if run.count > Self.copiedBytesMax { loop.keepForTurn(entry) }
            send(run, lifetime: run.count > Self.copiedBytesMax ? .drain : .call)
        }
        if position >= end { reader.answerEnd() }
    }

    // MARK: - Head

    /// Writes the head of an answer whose fields are known, according to the request's conditions and range.
    ///
    /// The announced length and the bytes to be read of the stored body are decided together.
    /// - Parameter length: of the complete body; nil where that is not known yet.
    /// - Returns: whether a body follows.
    func begin(status stored: Int, _ fields: inout HeaderBlock, age: Int, length: Int?) -> Bool {
        let request = reader.request
        hasHead = true
        if patience != nil { loseWait() }
        let selection = StoredSelection(stored, fields, for: request, length: length, now: reader.loop.unixSeconds)
        let (answered, framing) = selection.apply(to: &fields, status: stored, length: length)
        (position, end) = selection.part(length: length)
        code(&fields, selection, status: stored, length: length)
        for index in 0..<ownFields.count {
            fields.append(name: ownFields.name(index), value: ownFields.value(index))
        }
        if age > 0 || status.outcome == .hit { fields.append(.age, text: "\(age)") }
        fields.append(.cacheStatus, text: status.text)
        reader.answer(status: answered, reason: .empty, fields: fields, framing: framing)
        if !selection.hasBody(status: stored) || request.head.method == .head {
            fill?.satisfied(self)
            fill = nil
            reader.answerEnd()
            return false
        }
        return true
    }

    /// Writes a head as the upstream sent it: no other client gets it, and its body follows as it arrives.
    func beginOriginal(
        status: Int, reason: UnsafeRawBufferPointer, _ fields: borrowing HeaderBlock, _ framing: AnswerFraming,
        _ route: Route
    ) {
        var own = HeaderBlock()
        let isOfSlice = status == 304 && route.cuts(status: 200)
        for index in 0..<fields.count where !fields.isMarked(index) {
            if isOfSlice, AnswerFields.speakOfWhole(fields[index].id) { continue }
            own.append(name: fields.name(index), value: fields.value(index))
        }
        let length: Int? =
            switch framing {
            case .empty: 0
            case .length(let length): length
            case .stream: nil
            }
        // The upstream has not seen the client's conditions and range, which belong to the cache (RFC 9110 §13.2.1).
        if status == 200, !route.cuts(status: status) {
            let request = reader.request
            let selection = StoredSelection(status, own, for: request, length: length, now: reader.loop.unixSeconds)
            if !selection.isWhole {
                _ = begin(status: status, &own, age: 0, length: length)
                return
            }
        }
        own.append(.cacheStatus, text: self.status.text)
        if let compression = route.binding.compression {
            if isOfSlice { own.append(.vary, "Accept-Encoding") }
            if route.cuts(status: status) { reader.negotiateCoding(compression, &own, length: length) }
        }
        hasHead = true
        if patience != nil { loseWait() }
        end = length ?? .max
        reader.answer(status: status, reason: reason, fields: own, framing: framing)
    }

    /// Notes for `Cache-Status` whether the answer is stored.
    func note(_ storability: Storability) {
        switch storability {
        case .store: status.isStored = true
        case .refuse(let reason): status.detail = reason.rawValue
        }
    }

    /// Stored bodies have no content coding. Each client gets a coding that it accepts (`compress:`), and then a weak
    /// validator, because the bytes differ (RFC 9110 §8.8.3.3). A 304 has the fields that the 200 would have (§15.4.5);
    /// a part is taken from the stored bytes, and has the `Vary` of the whole (§15.3.7).
    private func code(_ fields: inout HeaderBlock, _ selection: StoredSelection, status: Int, length: Int?) {
        guard let route = reader.request.route, route.cuts(status: status), let compression = route.binding.compression
        else { return }
        let isCoded: Bool
        switch selection {
        case .whole:
            reader.negotiateCoding(compression, &fields, length: length)
            isCoded = reader.answer.isCoded
        case .notModified:
            fields.append(.vary, "Accept-Encoding")
            isCoded = compression.coding(for: reader.request.head.fields, length: length) != nil
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

    // MARK: - What arrives

    /// Sends what has arrived of a body, as far as the client takes it.
    /// - Parameter bytes: the body from `base` on.
    func read(_ bytes: [UInt8], from base: Int) {
        let (reader, count) = (reader, base + bytes.count)
        while hasHead, position >= base, position < min(count, end), !reader.answer.isHeld {
            let next = min(end, count, position + reader.loop.room.piece)
            let part = (position - base)..<(next - base)
            position = next
            bytes.withUnsafeBytes { send(UnsafeRawBufferPointer(rebasing: $0[part]), lifetime: .call) }
        }
    }

    /// A piece of the body has arrived, which begins at `start`.
    /// - Returns: whether it has been passed on; else the reader comes back for it.
    func pass(_ run: UnsafeRawBufferPointer, from start: Int, lifetime: RunLifetime) -> Bool {
        guard position == start, !reader.answer.isHeld else { return false }
        let end = min(end, start + run.count)
        guard end > start else { return true }
        position = end
        send(UnsafeRawBufferPointer(rebasing: run[..<(end - start)]), lifetime: lifetime)
        return true
    }

    /// Whether it has all that it needs of a body of which `count` bytes have arrived.
    func isDone(at count: Int, isWhole: Bool) -> Bool {
        hasHead && (isWhole && position >= count || position >= end)
    }

    /// The result is not needed: this reader has no fetch of its own to pause, and is sent nothing while its answer is
    /// held.
    private func send(_ run: UnsafeRawBufferPointer, lifetime: RunLifetime) {
        _ = reader.answer.send(run, lifetime: lifetime, for: reader)
    }

    // MARK: - What becomes of it without the fill

    /// The answer is not for its client, which consults the cache again.
    func consultAgain() {
        fill = nil
        reader.consultAgain()
    }

    /// The answer ends early: the reader consults the cache again, or fails where it has already sent a head.
    func breakOff() {
        guard hasHead else { return consultAgain() }
        fill = nil
        reader.fail(Problem(.upstreamTruncated, detail: "The answer broke off."))
    }

    /// Refuses a request with `only-if-cached` (RFC 9111 §5.2.1.7).
    func refuse() {
        fill = nil
        status.detail = "only-if-cached"
        reader.fail(.notStored)
    }

    /// Answers with an entry that a tier had.
    func serve(_ entry: StoredResponse, from place: TierPlace?) {
        status = CacheStatus(.hit)
        status.detail = place?.rawValue
        serve(entry)
    }

    /// Takes the fields that are not stored: only the client that caused the request gets them.
    func take(own unstored: borrowing HeaderBlock) {
        if unstored.count > 0, !status.isCollapsed { ownFields.copy(unstored) }
    }

    /// Whether a tier's entry answers its request without the upstream.
    func isAnswered(by entry: StoredResponse, _ terms: FillTerms, now: UInt64) -> Bool {
        let decision = Reuse.decide(entry.time(now), request: control, serve: terms.cache.serve)
        return entry.variance == nil && (decision == .fresh || decision == .stale)
            && !reader.request.mayFareBetter(than: entry, terms.route, terms.cache)
    }

    // MARK: - Its end

    /// The client has taken what it was sent.
    func clientDrained() {
        if let fill { fill.drained(self) } else { readStored() }
    }

    /// Leaves the fill that it waits for.
    func leaveFill() {
        guard let fill else { return }
        self.fill = nil
        fill.leave(self)
    }

    /// What its answer depends on, if it is stored or being stored.
    var dependencies: [Epochs.Dependency]? { fill?.draft.head?.dependencies ?? entry?.dependencies }

    // MARK: - Time at upstreams

    private func note(_ left: CacheFill) {
        leftNanoseconds = left.upstreamTime.nanoseconds(at: left.loop.now)
        leftAttempts = left.upstreamTime.attempts
        leftIsEndless = left.isAnswerEndless
    }

    /// Time that upstreams spent on the answer while this reader waited for it.
    func upstreamNanoseconds(at now: UInt64) -> UInt64 {
        fill?.upstreamTime.nanoseconds(at: now) ?? leftNanoseconds
    }

    /// Upstream attempts for the answer while this reader waited for it.
    var upstreamAttempts: Int { fill?.upstreamTime.attempts ?? leftAttempts }

    var isAnswerEndless: Bool { fill?.isAnswerEndless ?? leftIsEndless }
}

extension [CacheWalk] {
    /// The answer is not for these readers: they consult the cache again.
    func consultAgain() {
        for walk in self { walk.consultAgain() }
    }

    /// Those that have begun to answer fail; the others consult the cache again.
    func breakOff() {
        for walk in self { walk.breakOff() }
    }
}
