internal import SluiceContract
internal import SluiceHTTP
internal import SluiceHTTP2

/// One stream of a client's ``HTTP2Link``: the sink of one exchange. Streams are reused.
final class HTTP2Stream: HTTP2ServerStream, AnswerSink {
    /// Kept alive by the gateway until the stream is closed.
    private(set) var link: Borrowed<HTTP2Link>?
    private(set) var exchange: Exchange?
    /// Content that the exchange could not take yet; no more than the stream's window.
    private var incoming = ByteScratch()
    private var intake = Intake.flowing
    /// Content that waited is being handed to the exchange.
    private var isHandingOn = false
    var isAnswerBodyless = false
    private var bodyPace = BodyPace()
    /// When more of the request is due, in the loop's nanoseconds.
    private var bodyDueAt: UInt64 = 0
    /// When the client last took its share of the answer, and how much it had taken by then.
    private var movedAt: UInt64 = 0
    private var movedBytes = 0

    /// How much of the request has arrived.
    private enum Intake {
        /// The exchange has not begun: it begins at the end of the stream, which has not arrived.
        case beginHeld
        /// Content goes to the exchange, or into `incoming`.
        case flowing
        /// The end has arrived, and waits behind `incoming`.
        case endHeld
    }

    /// Content that waited and has been handed on.
    final class Loan {
        var content = ByteScratch()
    }

    var client: ClientInfo { link?.object.client ?? ClientInfo() }

    // MARK: - The request

    func begin(_ link: HTTP2Link) {
        self.link = Borrowed(link)
        let exchange = link.corridor.takeExchange(for: self)
        self.exchange = exchange
        bodyDueAt = bodyPace.begin(at: link.loop.now, link.loop.waits)
        isAnswerBodyless = false
        // The two heads swap their memory, which serves the next request.
        swap(&exchange.request.head, &request)
        // A request that may still turn out to be malformed is not forwarded as if it were complete (RFC 9113 §8.1.1).
        intake = exchange.request.head.framing == .length(0) && !isRequestEnded ? .beginHeld : .flowing
        if intake == .flowing { exchange.begin(at: client.firstStep) }
    }

    /// The request is answered with a problem and not looked at any further.
    func refuse(_ link: HTTP2Link, _ problem: Problem) {
        self.link = Borrowed(link)
        let exchange = link.corridor.takeExchange(for: self)
        self.exchange = exchange
        intake = .flowing
        isAnswerBodyless = request.method == .head
        swap(&exchange.request.head, &request)
        exchange.refuse(problem)
    }

    func bodyReceived(_ bytes: UnsafeRawBufferPointer, _ link: HTTP2Link) {
        bodyDueAt = bodyPace.moved(bytes.count, at: link.loop.now, link.loop.waits)
        guard let exchange else { return link.session.taken(bytes.count, of: self) }
        guard incoming.count == 0, exchange.wantsBody, !isLast(bytes.count, exchange) else {
            return incoming.append(bytes)
        }
        link.session.taken(bytes.count, of: self)
        exchange.bodyReceived(bytes)
    }

    func requestEnded() {
        if intake == .beginHeld {
            intake = .flowing
            exchange?.begin(at: client.firstStep)
        }
        // The request may have been answered by now, and the exchange serve another one.
        guard let exchange else { return }
        // An exchange that takes no content now, because its upstream is not connected yet, cannot take the end either.
        if incoming.count > 0 || !exchange.wantsBody {
            intake = .endHeld
            resumeRequestBody()
        } else {
            end(exchange)
        }
    }

    /// Whether these bytes reach the announced length before the stream has ended. They wait for its end then, because
    /// more bytes would make the request malformed.
    private func isLast(_ count: Int, _ exchange: Exchange) -> Bool {
        guard !isRequestEnded, case .length(let length) = exchange.request.head.framing else { return false }
        return exchange.request.body.receivedBytes + count >= length
    }

    private func end(_ exchange: Exchange) {
        intake = .flowing
        if trailers.count > 0 { swap(&exchange.request.trailers, &trailers) }
        exchange.bodyEnded()
    }

    func resumeRequestBody() {
        guard let link, let exchange else { return }
        // A client is not late while its input was not read.
        if !isRequestEnded { link { bodyDueAt = bodyPace.begin(at: $0.loop.now, $0.loop.waits) } }
        guard exchange.wantsBody, !isLast(incoming.count, exchange) else { return }
        if incoming.count == 0 {
            // Content may be being handed on right now, and the end has to follow it.
            if intake == .endHeld, !isHandingOn { end(exchange) }
            return
        }
        link { link in
            link.session.taken(incoming.count, of: self)
            // The window update has to be written, and this call may come from another connection.
            link.touch()
        }
        // The content is borrowed until the touched links have been drained: it must not move until then.
        let loan = Loan()
        swap(&incoming, &loan.content)
        link { $0.keep(loan) }
        isHandingOn = true
        exchange.bodyReceived(loan.content.bytes)
        isHandingOn = false
        if intake == .endHeld, let exchange = self.exchange, exchange.wantsBody { end(exchange) }
    }

    // MARK: - The answer

    func sendInterim(_ head: borrowing ResponseHead) {
        link?.object.session.submitInterim(status: head.status, head.fields, on: self)
        link?.object.touch()
    }

    func sendHead(status: Int, reason: UnsafeRawBufferPointer, fields: borrowing HeaderBlock, framing: AnswerFraming) {
        guard let link, let exchange else { preconditionFailure("an answer without an exchange") }
        var contentLength: Int?
        isAnswerBodyless = exchange.request.head.method == .head
        switch framing {
        case .empty(let announced):
            isAnswerBodyless = true
            contentLength = announced
        case .length(let length):
            contentLength = length
            if length == 0 { isAnswerBodyless = true }
        case .stream: break
        }
        link { link in
            link.session.submitAnswer(
                status: status, fields, and: exchange.ownFields, contentLength: contentLength,
                hasContent: !isAnswerBodyless, on: self)
            link.touch()
        }
    }

    func openTunnel(_ fields: borrowing HeaderBlock) {
        guard let link, let exchange else { preconditionFailure("a tunnel without an exchange") }
        isAnswerBodyless = false
        link { link in
            link.session.submitAnswer(
                status: 200, fields, and: exchange.ownFields, contentLength: nil, hasContent: true, on: self)
            link.touch()
        }
        resumeRequestBody()
    }

    func sendBody(_ run: UnsafeRawBufferPointer, lifetime: RunLifetime) {
        guard !isAnswerBodyless, run.count > 0, let link else { return }
        link { link in
            if pending.isEmpty {
                movedAt = link.loop.now
                movedBytes = sentBytes
            }
            link.session.submitContent(run, isBorrowed: lifetime == .drain, on: self)
            link.answerGrew(self)
        }
    }

    func sendEnd() {
        link?({ _ = $0.session.submitEnd(on: self) })
        answerCompleted()
    }

    func sendEnd(trailers: borrowing HeaderBlock) {
        link?.object.session.submitEnd(trailers: trailers, on: self)
        answerCompleted()
    }

    func abortAnswer() {
        // RFC 8441 §5: a tunnel's connection that breaks becomes a cancelled stream.
        link?.object.session.reset(self, exchange?.isTunnel == true ? .cancel : .internalError)
        answerCompleted()
    }

    /// The rest of the request is not needed; the session discards it.
    private func answerCompleted() {
        guard let link else { return }
        giveBackExchange()
        link { $0.touch() }
    }

    func hasRoom() -> Bool { hasRoom(atMost: link?.object.loop.room.each ?? 0) }

    func giveRoom() { exchange?.clientDrained() }

    // MARK: - Time

    /// Checks whether the client keeps up: sends the request that it has begun, reads the answer that waits.
    func check(at now: UInt64, _ link: HTTP2Link) -> Pace {
        let waits = link.loop.waits
        var due: UInt64?
        if !isRequestEnded, let exchange, !exchange.isTunnel, exchange.wantsBody, !exchange.request.isGRPCCall {
            guard now < bodyDueAt else {
                exchange.bodyTimedOut()
                return .requestIsLate
            }
            due = bodyDueAt
        }
        if pending.isEmpty { return .fine(until: due) }
        if sentBytes - movedBytes >= waits.bytes(in: waits.body) {
            movedBytes = sentBytes
            movedAt = now
        }
        let stallTime = link.stallTime
        guard now < movedAt &+ stallTime else {
            cut(link)
            return .answerIsStuck
        }
        return .fine(until: min(due ?? .max, movedAt &+ stallTime))
    }

    /// Whether a client keeps up.
    enum Pace {
        /// When to check again; nil where nothing is waited for.
        case fine(until: UInt64?)
        case requestIsLate, answerIsStuck
    }

    var unsentBytes: Int? { pending.count }

    /// A client that does not take its answer loses it.
    func cut(_ link: HTTP2Link) {
        exchange?.clientLeft()
        giveBackExchange()
        link.session.reset(self, .enhanceYourCalm)
        link.touch()
    }

    // MARK: - The end

    /// The stream is over, in whatever state its exchange is.
    func left() {
        exchange?.clientLeft()
        giveBackExchange()
        link = nil
        incoming.removeAll()
    }

    private func giveBackExchange() {
        guard let exchange = exchange.take() else { return }
        exchange.corridor.giveBack(exchange)
    }
}
