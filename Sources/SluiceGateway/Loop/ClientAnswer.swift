internal import SluiceCache
internal import SluiceCoding
internal import SluiceContract
internal import SluiceHTTP

/// One answer on its way to its client: its head, its body, perhaps in a content coding, and its end.
///
/// It knows neither the route nor where the answer comes from. Whether the source has to stop, its owner hears in
/// what is returned; that the client takes more again, it is told. It is used again with its owner.
final class ClientAnswer {
    private let loop: LoopContext
    private(set) var sink: (any AnswerSink)?
    private(set) var state = State.idle
    private(set) var form = Form.message
    private(set) var status = 0
    /// Bytes of the body that the client was sent.
    private(set) var bytes = 0
    /// The client takes no more at present.
    private(set) var isHeld = false
    private var coding = Coding.none

    enum State {
        case idle
        /// No head is out.
        case awaited
        /// The head of the answer is out.
        case sending
        /// The answer is complete or given up.
        case over
    }

    /// What goes out.
    enum Form {
        case message
        /// What was stored, as it is stored.
        case stored
        /// Bytes pass both ways, until either side ends.
        case tunnel
    }

    private enum Coding {
        case none
        case coder(AnswerCoder)
        /// An answer to HEAD has the fields of one to GET and nothing behind them.
        case announced
    }

    init(_ loop: LoopContext) {
        self.loop = loop
    }

    func open(_ sink: any AnswerSink) {
        self.sink = sink
        state = .awaited
    }

    func reset() {
        sink = nil
        state = .idle
        form = .message
        status = 0
        bytes = 0
        isHeld = false
        if case .coder(let coder) = coding { loop.coding.giveBack(coder) }
        coding = .none
    }

    // MARK: - Its client

    /// The client is gone.
    func clientLeft() {
        state = .over
        sink = nil
    }

    /// Has what goes to the client go through another sink.
    func lead(through other: (any AnswerSink) -> any AnswerSink) {
        if let sink { self.sink = other(sink) }
    }

    /// Bytes that wait for the client; nil where that is not known of this answer alone.
    var unsentBytes: Int? { sink?.unsentBytes }

    /// The request's body can be taken now, or more of it.
    func resumeRequestBody() { sink?.resumeRequestBody() }

    /// The answer is made of this response, too; what its head says is known before it begins.
    func join(_ response: borrowing ResponseHead) { if state != .awaited { sink?.join(response) } }

    // MARK: - Head

    func interim(_ head: borrowing ResponseHead) {
        if state == .awaited { sink?.sendInterim(head) }
    }

    func begin(status: Int, reason: UnsafeRawBufferPointer, fields: borrowing HeaderBlock, framing: AnswerFraming) {
        begin(.message, status: status)
        sink?.sendHead(status: status, reason: reason, fields: fields, framing: isCoded ? .stream : framing)
    }

    /// A stored answer's head as it stands.
    func begin(_ entry: StoredResponse) {
        begin(.stored, status: entry.status)
        sink?.sendHead(of: entry, now: loop.now)
    }

    func beginTunnel(status: Int, fields: borrowing HeaderBlock) {
        begin(.tunnel, status: status)
        sink?.openTunnel(fields)
    }

    private func begin(_ form: Form, status: Int) {
        precondition(state == .awaited, "a second answer for one request")
        state = .sending
        self.form = form
        self.status = status
    }

    // MARK: - Body

    /// A piece of the body.
    /// - Parameter owner: goes on with what has to wait for another turn.
    /// - Returns: whether the client has fallen behind by it, so that the source has to stop.
    func send(_ run: UnsafeRawBufferPointer, lifetime: RunLifetime, for owner: some Resumable) -> Bool {
        guard state == .sending else { return false }
        switch coding {
        case .none: return pass(run, lifetime: lifetime)
        case .coder(let coder): return code(run, coder, for: owner)
        case .announced: return false
        }
    }

    /// All that waits in `held`.
    func send(moving held: inout Outbox, for owner: some Resumable) -> Bool {
        guard state == .sending, let sink else {
            held.removeAll()
            return false
        }
        if isCoded {
            var isBehind = false
            held.forEachRun { run, _ in if send(run, lifetime: .drain, for: owner) { isBehind = true } }
            held.removeAll()
            return isBehind
        }
        bytes += held.count
        sink.sendBody(moving: &held)
        return fallsBehind(sink)
    }

    private func pass(_ run: UnsafeRawBufferPointer, lifetime: RunLifetime) -> Bool {
        guard let sink else { return false }
        bytes += run.count
        sink.sendBody(run, lifetime: lifetime)
        return fallsBehind(sink)
    }

    private func fallsBehind(_ sink: any AnswerSink) -> Bool { !isHeld && !sink.hasRoom() && hold() }

    /// - Returns: whether the source has to stop; not where it has stopped already.
    func hold() -> Bool {
        if isHeld { return false }
        isHeld = true
        return true
    }

    // MARK: - End

    /// The source has nothing more.
    /// - Returns: whether all of it is out; else the rest follows, and the end behind it.
    func finishBody(for owner: some Resumable) -> Bool {
        guard case .coder(let coder) = coding else { return true }
        if coder.end(in: loop.coding, { sendCoded($0) }) { return true }
        coder.postpone(of: owner, in: loop.coding)
        return false
    }

    func end() {
        state = .over
        sink?.sendEnd()
    }

    func end(trailers: borrowing HeaderBlock) {
        state = .over
        sink?.sendEnd(trailers: trailers)
    }

    /// What has been sent is all that there will be, and the client has to be able to tell.
    func abort() {
        state = .over
        sink?.abortAnswer()
    }

    // MARK: - Its pace

    /// The client has taken what it was sent.
    /// - Returns: whether the source may go on; else it has not stopped, or what waits here comes first.
    func clientDrained(for owner: some Resumable) -> Bool {
        if case .coder(let coder) = coding, !coder.drained() {
            coder.postpone(of: owner, in: loop.coding)
            return false
        }
        return release()
    }

    /// - Returns: whether the source may go on; not where it has not stopped.
    func release() -> Bool {
        defer { isHeld = false }
        return isHeld
    }

    // MARK: - Content coding

    /// It goes out in a content coding, because the binding offers one (`compress:`) and the client takes it.
    var isCoded: Bool {
        if case .none = coding { false } else { true }
    }

    /// Chooses a coding for the answer that is about to begin, and says so in its fields.
    /// - Parameters:
    ///   - request: what the client takes (RFC 9110 §12.5.3).
    ///   - length: bytes of the answer; nil where it is not known yet, because it is long.
    func chooseCoding(
        _ compression: Compression, for request: borrowing RequestHead, _ fields: inout HeaderBlock, length: Int?
    ) {
        // Whatever is chosen: another client might get another (RFC 9110 §12.5.5).
        fields.append(.vary, "Accept-Encoding")
        guard let name = compression.coding(for: request.fields, length: length),
            let coder = loop.coding.takeCoder(name)
        else { return }
        Array(name.rawValue.utf8).withUnsafeBytes { fields.append(.contentEncoding, value: $0) }
        if request.method == .head {
            loop.coding.giveBack(coder)
            coding = .announced
        } else {
            coding = .coder(coder)
        }
    }

    private func code(_ run: UnsafeRawBufferPointer, _ coder: AnswerCoder, for owner: some Resumable) -> Bool {
        let wasHeld = isHeld
        if !coder.code(run, in: loop.coding, { sendCoded($0) }) {
            coder.postpone(of: owner, in: loop.coding)
            if coder.waitingBytes > loop.limits.bufferedBytes { isHeld = true }
        }
        return isHeld && !wasHeld
    }

    /// Goes on with what had to wait.
    /// - Returns: what became of it; nil where nothing has waited.
    func resumeCoding(for owner: some Resumable) -> AnswerCoder.Outcome? {
        guard state == .sending, case .coder(let coder) = coding, coder.isPostponed else { return nil }
        let outcome = coder.resume(in: loop.coding) { sendCoded($0) }
        if case .waits = outcome { coder.postpone(of: owner, in: loop.coding) }
        return outcome
    }

    /// - Returns: whether the client takes more.
    private func sendCoded(_ run: UnsafeRawBufferPointer) -> Bool {
        _ = pass(run, lifetime: .drain)
        return sink?.hasRoom() == true
    }
}

extension Compression {
    /// The coding that the client likes best; nil where the answer goes out as it is.
    func coding(for fields: borrowing HeaderBlock, length: Int?) -> ContentCoding? {
        let isWorthwhile = (length ?? .max) >= minBytes
        return AcceptEncoding(fields).best(of: codings, isWorthwhile: isWorthwhile)
    }
}
