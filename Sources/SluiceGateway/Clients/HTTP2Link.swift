internal import SluiceContract
internal import SluiceHTTP
internal import SluiceHTTP2

/// A client's HTTP/2 connection: many exchanges at a time, one for each stream.
final class HTTP2Link: Link {
    let client: ClientInfo
    let corridor: Corridor
    private let http2: HTTP2Streams
    let session: HTTP2ServerSession
    private let timer = Timer(tag: TimerTag.link.rawValue)
    /// Streams whose answers hold borrowed bytes, until the next ``fillOutbox()``.
    private var grown: [Borrowed<HTTP2Stream>] = []
    /// Content that has been handed on and may be borrowed until the next input.
    private var loans: [HTTP2Stream.Loan] = []
    /// Streams that are over; they may be borrowed until the next input.
    private var resting: [HTTP2Stream] = []
    private var isHandling = false
    private var isEnded = false
    /// A stream has been opened: a connection is kept alive only after its first request.
    private var hasServed = false
    private var drain = Drain.none
    /// Since when no stream is open, or an incomplete field section has been arriving.
    private var waitsSince: UInt64
    private var unsentBytes = Int.max
    /// The content framed at the last check.
    private var framedAtLook = 0
    var waiting = HTTP2Waiting()

    private enum Drain {
        case none
        /// The client has been told to open no more streams; those it opened before it got that are still served.
        case announced
        /// New streams are not served.
        case final
    }

    /// How long a client that does not answer pings may open streams after the announcement.
    private static let announceNanoseconds: UInt64 = 1_000_000_000

    init(_ corridor: Corridor, _ http2: HTTP2Streams, client: ClientInfo) {
        self.client = client
        self.corridor = corridor
        self.http2 = http2
        waitsSince = corridor.loop.now
        session = HTTP2ServerSession(
            engine: http2.engine, now: corridor.loop.now,
            takesExtendedConnect: corridor.generation.table.offersTunnels
        ) { http2.take() }
        super.init(loop: corridor.loop)
        fillsOutbox = true
        arm(at: loop.now &+ loop.waits.header)
        if loop.isDraining { drainBegan() }
        touch()
    }

    deinit { loop.timers.cancel(timer) }

    // MARK: - Facts

    override func received(_ bytes: UnsafeRawBufferPointer) {
        if isEnded { return }
        giveBackResting()
        if !loans.isEmpty { loans.removeAll() }
        let wasInside = session.isInsideFields
        session.receive(bytes, now: loop.now)
        if session.isInsideFields, !wasInside {
            waitsSince = loop.now
            arm(at: loop.now &+ loop.waits.header)
        }
        handleEvents()
        touch()
    }

    override func inputClosed() {
        // A client that has half-closed can open no window and cancel no stream: it counts as disconnected.
        end(.closing)
    }

    override func failed(_ failure: TransportFailure) { release() }

    override func drained() { touch() }

    override func drainBegan() {
        guard !isEnded, drain == .none else { return }
        drain = .announced
        // Even without open streams, a request may be on its way.
        session.announceEnd()
        session.ping()
        arm(at: loop.now &+ Self.announceNanoseconds)
        touch()
    }

    override func abort() { end(.aborted) }

    // MARK: - Events

    private func handleEvents() {
        if isHandling { return }
        isHandling = true
        defer { isHandling = false }
        while !isEnded, let event = session.nextEvent() { handle(event) }
    }

    private func handle(_ event: HTTP2ServerSession.Event) {
        switch event {
        case .request(let stream):
            hasServed = true
            let due = loop.now &+ loop.waits.body
            arm(noLaterThan: due)
            with(stream) { $0.begin(self) }
        case .refused(let stream, let refusal):
            hasServed = true
            with(stream) { $0.refuse(self, Problem(refusal.kind, detail: "\(refusal.detail)")) }
        case .body(let stream, let bytes): with(stream) { $0.bodyReceived(bytes, self) }
        case .end(let stream): with(stream) { $0.requestEnded() }
        case .room(let stream): with(stream) { $0.giveRoom() }
        case .closed(let stream):
            let stream = own(stream.takeUnretainedValue())
            stream.left()
            resting.append(stream)
            session.forget(stream)
            if !session.hasOpen { waitsSince = loop.now }
        case .pong: announcementHeard()
        }
    }

    /// Every stream of the session is an ``HTTP2Stream``.
    private func own(_ stream: HTTP2ServerStream) -> HTTP2Stream { unsafeDowncast(stream, to: HTTP2Stream.self) }

    @inline(__always)
    private func with(_ stream: Unmanaged<HTTP2ServerStream>, _ body: (HTTP2Stream) -> Void) {
        stream._withUnsafeGuaranteedRef { body(unsafeDowncast($0, to: HTTP2Stream.self)) }
    }

    private func announcementHeard() {
        guard drain == .announced else { return }
        drain = .final
        session.refuseNewStreams()
        touch()
    }

    func keep(_ loan: HTTP2Stream.Loan) { loans.append(loan) }

    // MARK: - Writing

    /// An answer has more to send, some of it perhaps borrowed.
    func answerGrew(_ stream: HTTP2Stream) {
        grown.append(Borrowed(stream))
        touch()
    }

    /// Frames the pending output of all streams, so that it leaves in one write.
    override func fillOutbox() {
        if isEnded { return }
        repeat {
            session.write(into: &outbox, atMost: loop.room.each + 1)
            handleEvents()
            // Output caused by the events is framed, too, as far as there is room.
        } while !isEnded && session.wantsWrite && hasRoom() && session.hasProgress
        for stream in grown { stream { $0.settle() } }
        if session.pendingBytes | waiting.counted != 0, !isEnded { countWaiting(with: grown) }
        grown.removeAll(keepingCapacity: true)
        if isEnded { return }
        if session.isOver { return end(.lingering) }
        // Nothing more is read from a client that does not read its answers.
        wantsRead = hasRoom()
    }

    // MARK: - Time

    func arm(noLaterThan deadline: UInt64) {
        if timer.deadline.map({ $0 > deadline }) ?? true { arm(at: deadline) }
    }

    private func arm(at deadline: UInt64) { loop.timers.arm(timer, for: self, at: deadline) }

    override func timerFired() {
        if isEnded { return }
        let now = loop.now
        if drain == .announced { announcementHeard() }
        let isUnfinished = session.isInsideFields || !session.hasPeerSettings
        if isUnfinished, now >= waitsSince &+ loop.waits.header {
            session.endForSlowness()
            return touch()
        }
        if isStalled() { return end(.aborted) }
        let idleUntil = waitsSince &+ (hasServed ? loop.waits.keepAlive : loop.waits.header)
        if !session.hasOpen, !isUnfinished, now >= idleUntil {
            session.refuseNewStreams()
            waitsSince = now
            return touch()
        }
        var next = min(now &+ loop.waits.body, nextLook)
        if isUnfinished { next = min(next, waitsSince &+ loop.waits.header) }
        if !session.hasOpen, !isUnfinished { next = min(next, idleUntil) }
        var late = 0
        var isStuck = false
        let open = session.open.count
        for stream in session.open {
            switch own(stream).check(at: now, self) {
            case .fine(let due): next = min(next, due ?? .max)
            case .requestIsLate: late += 1
            case .answerIsStuck:
                late += 1
                isStuck = true
            }
        }
        // A client that is late with all its streams is not served any more; pending output is still sent.
        if late > 0, late == open { refuse(isStuck: isStuck) }
        arm(at: max(next, now &+ 1))
    }

    private func refuse(isStuck: Bool) {
        // A window that the client never opens is abuse; a body that does not come may be bad luck.
        if isStuck { session.endForAbuse() } else { session.refuseNewStreams() }
        touch()
    }

    /// Whether bytes wait, and the client has taken none of them since the last check.
    private func isStalled() -> Bool {
        defer {
            unsentBytes = outbox.isEmpty ? .max : outbox.count
            framedAtLook = session.framedBytes
        }
        // A full outbox takes no more frames: if one was added, others have been written.
        return !outbox.isEmpty && outbox.count >= unsentBytes && session.framedBytes == framedAtLook
    }

    // MARK: - Ending

    private func end(_ ending: Ending) {
        if isEnded { return }
        self.ending = ending
        touch()
        release()
    }

    /// Releases everything but the outbox.
    private func release() {
        if isEnded { return }
        isEnded = true
        loop.timers.cancel(timer)
        forgetWaiting()
        grown.removeAll()
        for stream in session.open {
            own(stream).left()
            resting.append(own(stream))
        }
        for stream in resting { session.forget(stream) }
        giveBackResting()
        loop.counters.connectionsHTTP2 -= 1
        loop.clients.forget(self)
    }

    private func giveBackResting() {
        if resting.isEmpty { return }
        for stream in resting { http2.giveBack(stream) }
        resting.removeAll(keepingCapacity: true)
    }
}
