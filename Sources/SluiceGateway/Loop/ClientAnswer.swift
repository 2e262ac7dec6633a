internal import SluiceCache
internal import SluiceCoding
internal import SluiceContract
internal import SluiceHTTP

/// One answer on its way to its client: its head, its body, perhaps in a content coding, and its end.
///
/// It knows neither the route nor the source of the answer. Its return values tell its owner when the source has to
/// stop, and its owner tells it when the client has caught up. It is reused with its owner.
final class ClientAnswer {
    private let loop: LoopContext
    private(set) var sink: (any AnswerSink)?
    private(set) var state = State.idle
    private(set) var form = Form.message
    private(set) var status = 0
    /// Bytes of the body that were sent to the client.
    private(set) var bytes = 0
    /// The client has fallen behind, and the source has to wait.
    private(set) var isHeld = false
    private var coding = Coding.none
    private var content = Content.sent

    enum State {
        case idle
        /// No head has been sent.
        case awaited
        /// The head of the answer has been sent.
        case sending
        /// The answer is complete, or was given up.
        case over
    }

    /// The kind of answer.
    enum Form {
        case message
        /// A stored answer, sent unchanged.
        case stored
        /// Bytes pass both ways, until either side ends.
        case tunnel
    }

    private enum Content {
        case sent
        /// An answer to HEAD has the fields of the answer to GET, and no body (RFC 9110 §9.3.2).
        case leftOut
    }

    private enum Coding {
        case none
        case coder(AnswerCoder)
        /// An answer to HEAD has the fields of the coded answer to GET.
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
        content = .sent
    }

    // MARK: - Its client

    /// The client has disconnected.
    func clientLeft() {
        state = .over
        sink = nil
    }

    /// Sends the answer through another sink, which wraps the present one.
    func lead(through other: (any AnswerSink) -> any AnswerSink) {
        if let sink { self.sink = other(sink) }
    }

    /// Bytes that wait for the client; nil where they cannot be counted for this answer alone.
    var unsentBytes: Int? { sink?.unsentBytes }

    /// The request's body can be taken now, or more of it.
    func resumeRequestBody() { sink?.resumeRequestBody() }

    /// The answer is made of this response, too. Before its head has been sent, the head itself can say so.
    func join(_ response: borrowing ResponseHead) { if state != .awaited { sink?.join(response) } }

    // MARK: - Head

    func interim(_ head: borrowing ResponseHead) {
        if state == .awaited { sink?.sendInterim(head) }
    }

    func begin(
        to method: Method, status: Int, reason: UnsafeRawBufferPointer, fields: borrowing HeaderBlock,
        framing: AnswerFraming
    ) {
        begin(.message, to: method, status: status)
        sink?.sendHead(status: status, reason: reason, fields: fields, framing: isCoded ? .stream : framing)
    }

    /// Sends the head of a stored answer unchanged.
    func begin(_ entry: StoredResponse, to method: Method) {
        begin(.stored, to: method, status: entry.status)
        sink?.sendHead(of: entry, now: loop.now)
    }

    func beginTunnel(status: Int, fields: borrowing HeaderBlock) {
        begin(.tunnel, to: nil, status: status)
        sink?.openTunnel(fields)
    }

    private func begin(_ form: Form, to method: Method?, status: Int) {
        precondition(state == .awaited, "a second answer for one request")
        state = .sending
        self.form = form
        self.status = status
        if method == .head { content = .leftOut }
    }

    // MARK: - Body

    /// Sends a piece of the body.
    /// - Parameter owner: continues the work that is postponed to another turn.
    /// - Returns: whether the client has fallen behind with it, so that the source has to stop.
    func send(_ run: UnsafeRawBufferPointer, lifetime: RunLifetime, for owner: some Resumable) -> Bool {
        guard state == .sending, content == .sent else { return false }
        switch coding {
        case .none: return pass(run, lifetime: lifetime)
        case .coder(let coder): return code(run, coder, for: owner)
        case .announced: return false
        }
    }

    /// Sends all bytes in `held`.
    func send(moving held: inout Outbox, for owner: some Resumable) -> Bool {
        guard state == .sending, content == .sent, let sink else {
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

    /// - Returns: whether the source has to stop; false where it has stopped already.
    func hold() -> Bool {
        if isHeld { return false }
        isHeld = true
        return true
    }

    // MARK: - End

    /// The source has ended.
    /// - Returns: whether the whole body has been sent; else the rest follows, and the end after it.
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

    /// No more of the answer will come, and the client has to notice that it is incomplete.
    func abort() {
        state = .over
        sink?.abortAnswer()
    }

    // MARK: - Its pace

    /// The client has read the waiting bytes.
    /// - Returns: whether the source may go on; false where it had not stopped, or postponed bytes come first.
    func clientDrained(for owner: some Resumable) -> Bool {
        if case .coder(let coder) = coding, !coder.drained() {
            coder.postpone(of: owner, in: loop.coding)
            return false
        }
        return release()
    }

    /// - Returns: whether the source may go on; false where it had not stopped.
    func release() -> Bool {
        defer { isHeld = false }
        return isHeld
    }

    // MARK: - Content coding

    /// Whether the answer is sent in a content coding: the binding offers one (`compress:`) and the client accepts it.
    var isCoded: Bool {
        if case .none = coding { false } else { true }
    }

    /// Chooses a coding for the answer that is about to begin, and adds it to the fields.
    /// - Parameters:
    ///   - request: says which codings the client accepts (RFC 9110 §12.5.3).
    ///   - length: bytes of the answer; nil where it is not known yet, because it is long.
    func chooseCoding(
        _ compression: Compression, for request: borrowing RequestHead, _ fields: inout HeaderBlock, length: Int?
    ) {
        // In any case: another client might get another coding (RFC 9110 §12.5.5).
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

    /// Continues coding that was postponed.
    /// - Returns: its outcome; nil where nothing was postponed.
    func resumeCoding(for owner: some Resumable) -> AnswerCoder.Outcome? {
        guard state == .sending, case .coder(let coder) = coding, coder.isPostponed else { return nil }
        let outcome = coder.resume(in: loop.coding) { sendCoded($0) }
        if case .waits = outcome { coder.postpone(of: owner, in: loop.coding) }
        return outcome
    }

    /// - Returns: whether the client can take more.
    private func sendCoded(_ run: UnsafeRawBufferPointer) -> Bool {
        _ = pass(run, lifetime: .drain)
        return sink?.hasRoom() == true
    }
}

extension Compression {
    /// The coding that the client prefers; nil where the answer is sent without one.
    func coding(for fields: borrowing HeaderBlock, length: Int?) -> ContentCoding? {
        let isWorthwhile = (length ?? .max) >= minBytes
        return AcceptEncoding(fields).best(of: codings, isWorthwhile: isWorthwhile)
    }
}
