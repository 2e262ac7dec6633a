internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

// Writing answers.
extension ClientLink {
    /// How the content of the current answer is framed (RFC 9112 §6.3).
    enum AnswerContent {
        case none
        /// By the announced length.
        case length
        case chunked
        case untilClose
    }

    func sendInterim(_ head: borrowing ResponseHead) {
        guard let exchange, exchange.request.head.version == .http11 else { return }
        HTTP1Writer.statusLine(status: head.status, reason: head.reason, into: &outbox)
        HTTP1Writer.fields(head.fields, into: &outbox)
        HTTP1Writer.endOfHead(into: &outbox)
        touch()
    }

    func sendHead(status: Int, reason: UnsafeRawBufferPointer, fields: borrowing HeaderBlock, framing: AnswerFraming) {
        guard let exchange = exchange.borrowed else { preconditionFailure("an answer without an exchange") }
        exchange { exchange in
            writeHead(exchange, status: status, reason: reason, fields: fields, framing: framing)
        }
    }

    private func writeHead(
        _ exchange: Exchange, status: Int, reason: UnsafeRawBufferPointer, fields: borrowing HeaderBlock,
        framing: AnswerFraming
    ) {
        beginHead(exchange)
        HTTP1Writer.statusLine(status: status, reason: reason, into: &outbox)
        HTTP1Writer.fields(fields, into: &outbox)
        if exchange.ownFields.count > 0 { HTTP1Writer.fields(exchange.ownFields, into: &outbox) }
        let isHead = exchange.request.head.method == .head
        switch framing {
        case .empty(let announced):
            answerContent = .none
            if let announced { HTTP1Writer.field(.contentLength, decimal: announced, into: &outbox) }
        case .length(let length):
            answerContent = isHead ? .none : .length
            HTTP1Writer.field(.contentLength, decimal: length, into: &outbox)
        case .stream:
            if exchange.request.head.version == .http11 {
                answerContent = isHead ? .none : .chunked
                outbox.append("Transfer-Encoding: chunked\r\n")
            } else {
                answerContent = isHead ? .none : .untilClose
                closesAfterAnswer = true
            }
        }
        endHead(exchange)
    }

    private func beginHead(_ exchange: Exchange) {
        requestCount += 1
        let isLast = requestCount >= loop.limits.keepAliveRequests
        if isLast || !exchange.request.head.keepAlive || loop.isDraining || leavesTooMuchUnread(exchange) {
            closesAfterAnswer = true
        }
    }

    private func endHead(_ exchange: Exchange) {
        if closesAfterAnswer {
            outbox.append("Connection: close\r\n")
        } else if exchange.request.head.version == .http10 {
            outbox.append("Connection: keep-alive\r\n")
        }
        HTTP1Writer.endOfHead(into: &outbox)
        touch()
    }

    func sendHead(of entry: StoredResponse, now: UInt64) {
        guard let exchange else { preconditionFailure("an answer without an exchange") }
        beginHead(exchange)
        answerContent = exchange.request.head.method == .head || entry.status == 204 ? .none : .length
        entry.writeHead(now: now, into: &outbox)
        if exchange.ownFields.count > 0 { HTTP1Writer.fields(exchange.ownFields, into: &outbox) }
        endHead(exchange)
    }

    func sendBody(_ run: UnsafeRawBufferPointer, lifetime: RunLifetime) {
        guard answerContent != .none, run.count > 0 else { return }
        if answerContent == .chunked { HTTP1Writer.chunkStart(count: run.count, into: &outbox) }
        switch lifetime {
        case .drain: outbox.borrow(run)
        case .call: outbox.append(run)
        }
        if answerContent == .chunked { HTTP1Writer.chunkEnd(into: &outbox) }
        touch()
    }

    func sendBody(moving held: inout Outbox) {
        guard answerContent != .none, !held.isEmpty else { return held.removeAll() }
        if answerContent == .chunked { HTTP1Writer.chunkStart(count: held.count, into: &outbox) }
        outbox.append(moving: &held)
        if answerContent == .chunked { HTTP1Writer.chunkEnd(into: &outbox) }
        touch()
    }

    func openTunnel(_ fields: borrowing HeaderBlock) {
        HTTP1Writer.statusLine(status: 101, into: &outbox)
        HTTP1Writer.fields(fields, into: &outbox)
        outbox.append("Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n")
        // A regular close is the tunnel's end; only a reset shows that bytes are missing.
        answerContent = .untilClose
        closesAfterAnswer = true
        machine.becomeTunnel()
        touch()
        pump()
    }

    /// Whether the unread rest of the request's body exceeds the limit for discarding: the connection cannot be kept
    /// then, and a client that has pipelined more has to know that its requests are not read (RFC 9112 §9.6).
    func leavesTooMuchUnread(_ exchange: Exchange) -> Bool {
        if exchange.isBodyComplete { return false }
        switch exchange.request.head.framing {
        case .none, .untilClose: return false
        case .length(let length): return length - exchange.request.body.receivedBytes > Self.discardBytesMax
        // The length of a chunked body is unknown.
        case .chunked: return true
        }
    }
}
