internal import SluiceHTTP

/// One connection to a gateway, without a socket: it is told facts, and has wishes and answers to be taken.
///
///     free ── begin ──→ busy ── the answer's end has been taken ──→ free
///       └──── closed ───→ spent ←── failed, or one side was cut short ──┘
struct CallMachine: ~Copyable {
    enum Life {
        /// May take a call.
        case free
        /// Has one.
        case busy
        /// Is to be closed.
        case spent
    }

    /// What is left to write of the request's content, beyond what is in the outbox.
    enum RequestSide {
        case whole
        case bytes(ArraySlice<UInt8>)
        /// Comes from the caller, with a length or in chunks.
        case counted(left: Int)
        case chunked
        /// Cannot be written to its end.
        case cut
    }

    enum AnswerSide {
        case none
        case awaited
        /// Arrived, but not taken yet.
        case head(status: Int, fields: [CallField])
        case content
    }

    let limits: TransportLimits
    private(set) var life = Life.free
    /// Bytes for the gateway; a writer has to report what it has written (``sent(_:)``).
    private(set) var outbox = Outbox()
    var request = RequestSide.whole
    private var answer = AnswerSide.none
    /// The answer's content, until it is taken.
    private var content: [UInt8] = []
    /// The answer's end has come, and whether the connection can serve again.
    private var end: Bool?
    private var failure: CallFailure?
    private var http: HTTP1ClientMachine
    private var head = ResponseHead()
    private var trailers = HeaderBlock()
    /// Whether the call may go again. The call itself is its caller's: what is released in here is released with a lock
    /// held, and a body may have an end of its own.
    private var repeats = OutgoingCall.Repeats.never
    /// Calls that this connection has answered.
    private var answered = 0
    private var hasSent = false

    init(limits: TransportLimits) {
        self.limits = limits
        http = HTTP1ClientMachine(limits: limits.framing)
    }

    // MARK: - Wishes

    /// Whether what comes is to be read now; an answer that is not taken stops the gateway.
    var wantsInput: Bool {
        switch life {
        case .free: true
        case .busy: end == nil && !isOver && content.count < max(1, limits.bufferedBytes)
        case .spent: false
        }
    }

    /// When more of a streamed request is wanted.
    enum Appetite {
        case now
        /// Once some of what there is has been written.
        case later
        /// The call is over, or its answer comes without the rest.
        case never
    }

    var appetite: Appetite {
        if case .cut = request { return .never }
        if life != .busy || isOver { return .never }
        return hasRoom ? .now : .later
    }

    private var hasRoom: Bool { outbox.count < max(1, limits.bufferedBytes) }

    /// Whether a call was answered here before: what comes unasked can be behind its answer.
    var hasServed: Bool { answered > 0 }

    /// Nothing of the answer has been taken.
    var awaitsAnswer: Bool {
        switch answer {
        case .awaited, .head: true
        case .none, .content: false
        }
    }

    /// Nothing more is sent or received; what has come may still be taken.
    var isOver: Bool { life == .spent || failure != nil }

    // MARK: - The request

    mutating func begin(_ call: OutgoingCall) {
        precondition(life == .free, "a call on a connection that has one")
        life = .busy
        repeats = call.repeats
        hasSent = false
        end = nil
        answer = .awaited
        http.requestSent(method: call.method)
        call.writeHead(into: &outbox)
        switch call.request.body {
        case .none: request = .whole
        case .bytes(let bytes):
            request = .bytes(bytes[...])
            refill()
        case .stream(let length?, _): request = length == 0 ? .whole : .counted(left: length)
        case .stream(nil, _): request = .chunked
        }
    }

    /// So many bytes of the outbox have been written.
    mutating func sent(_ count: Int) {
        if count > 0 { hasSent = true }
        outbox.consume(count)
        refill()
    }

    /// Nothing can be written any more. The answer may have come already, or say why (RFC 9112 §9.5).
    mutating func outputFailed() {
        outbox.removeAll()
        request = .cut
    }

    private mutating func refill() {
        guard case .bytes(let rest) = request, hasRoom else { return }
        let piece = rest.prefix(max(1, limits.bufferedBytes))
        piece.withUnsafeBytes { outbox.append($0) }
        let left = rest.dropFirst(piece.count)
        request = left.isEmpty ? .whole : .bytes(left)
    }

    /// More of a streamed body.
    mutating func append(content piece: [UInt8]) {
        guard appetite != .never, !piece.isEmpty else { return }
        piece.withUnsafeBytes { piece in
            switch request {
            case .chunked:
                HTTP1Writer.chunkStart(count: piece.count, into: &outbox)
                outbox.append(piece)
                HTTP1Writer.chunkEnd(into: &outbox)
            case .counted(let left) where piece.count <= left:
                outbox.append(piece)
                request = left == piece.count ? .whole : .counted(left: left - piece.count)
            case .counted, .whole:
                fail(.transport(.badRequest("the body has more bytes than its length says")))
            case .bytes, .cut: preconditionFailure("more content for a request that had it whole, or takes none")
            }
        }
    }

    /// A streamed body has ended.
    mutating func endContent() {
        guard appetite != .never else { return }
        switch request {
        case .chunked:
            HTTP1Writer.lastChunk(into: &outbox)
            request = .whole
        case .counted(let left):
            fail(.transport(.badRequest("the body ended \(left) bytes before its length")))
        case .whole, .bytes, .cut: break
        }
    }

    // MARK: - The answer

    /// Bytes have come; they are not needed any more once this returns.
    mutating func received(_ bytes: UnsafeRawBufferPointer) {
        if isOver { return }
        http.feed(bytes)
        drain()
        http.settle()
    }

    /// The gateway has closed its side.
    /// - Parameter isTruncated: by a reset.
    mutating func inputClosed(isTruncated: Bool) {
        if isOver { return }
        http.inputClosed(isTruncated: isTruncated)
        drain()
    }

    /// The call is over without its answer.
    mutating func fail(_ failure: CallFailure) {
        switch life {
        case .spent: return
        case .free:
            life = .spent
            self.failure = failure
        case .busy:
            if self.failure == nil { self.failure = failure }
            outbox.removeAll()
        }
    }

    private mutating func drain() {
        while failure == nil {
            switch http.next(&head, trailers: &trailers) {
            case .needMore: return
            case .interim: continue
            case .response: answer = .head(status: head.status, fields: Self.fields(of: head.fields))
            case .body(let bytes): content.append(contentsOf: bytes)
            case .end(let isReusable):
                end = isReusable
                return
            case .malformed(let reason): return fail(.transport(.badAnswer(Self.text(reason))))
            case .closedIdle:
                life = .spent
                return
            case .truncated(let beforeFirstByte): return fail(lost(beforeFirstByte: beforeFirstByte))
            }
        }
    }

    /// RFC 9112 §9.3.1, RFC 9110 §9.2.2: a kept connection may have been closed while the request was on its way.
    private func lost(beforeFirstByte: Bool) -> CallFailure {
        let error = TransportError.connectionLost(
            beforeFirstByte
                ? "The gateway closed the connection without an answer."
                : "The gateway closed the connection before the answer was whole.")
        let mayRepeat =
            switch repeats {
            case .never: false
            case .unsent: !hasSent
            case .always: true
            }
        return beforeFirstByte && answered > 0 && mayRepeat ? .stale(error) : .transport(error)
    }

    // MARK: - Taking the answer

    enum HeadStep {
        case wait
        /// - Parameter isWhole: the content is all there is.
        case answer(status: Int, fields: [CallField], content: [UInt8], isWhole: Bool)
        case failed(CallFailure)
    }

    mutating func takeHead() -> HeadStep {
        if case .head(let status, let fields) = answer {
            answer = .content
            let isWhole = end != nil
            let content = takeAll()
            if isWhole { finish() }
            return .answer(status: status, fields: fields, content: content, isWhole: isWhole)
        }
        if let failure = ending() { return .failed(failure) }
        return .wait
    }

    /// Why nothing more will come, once that is so.
    private mutating func ending() -> CallFailure? {
        if failure != nil { life = .spent }
        guard life == .spent else { return nil }
        return failure ?? .stale(.connectionLost("The gateway closed the connection."))
    }

    enum ContentStep {
        case wait
        case bytes([UInt8], isLast: Bool)
        case end
        case failed(CallFailure)
    }

    mutating func takeContent() -> ContentStep {
        if !content.isEmpty {
            let isLast = end != nil
            let bytes = takeAll()
            if isLast { finish() }
            return .bytes(bytes, isLast: isLast)
        }
        if end != nil {
            finish()
            return .end
        }
        if let failure = ending() { return .failed(failure) }
        return .wait
    }

    private mutating func takeAll() -> [UInt8] {
        defer { content = [] }
        return content
    }

    private mutating func finish() {
        answered += 1
        answer = .none
        var isSent = outbox.isEmpty
        if case .whole = request {} else { isSent = false }
        // An answer that did not wait for all of the request leaves its rest on the way (RFC 9112 §9.3).
        life = end == true && isSent && failure == nil ? .free : .spent
        if life == .spent { outbox.removeAll() }
    }

    private static func fields(of block: borrowing HeaderBlock) -> [CallField] {
        var fields: [CallField] = []
        fields.reserveCapacity(block.count)
        for index in 0..<block.count {
            fields.append(
                CallField(
                    String(decoding: block.name(index), as: UTF8.self),
                    String(decoding: block.value(index), as: UTF8.self)))
        }
        return fields
    }

    /// The machine speaks of an upstream, which to this caller is the gateway.
    private static func text(_ reason: StaticString) -> String {
        let text = "\(reason)"
        let subject = "The upstream"
        return text.hasPrefix(subject) ? "The gateway" + text.dropFirst(subject.count) : text
    }
}
