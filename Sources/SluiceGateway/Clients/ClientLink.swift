internal import SluiceContract
internal import SluiceHTTP
internal import SluiceHTTP2

/// A client's HTTP/1.1 connection: one exchange at a time, pipelined requests in order.
final class ClientLink: Link, AnswerSink {
    /// Detects the HTTP/2 preface; nil once the protocol is known. It fits into the padding of the base class.
    var preface: HTTP2Preface?
    var machine: HTTP1ServerMachine
    /// Read through `borrowed` on the request path: once given back, the corridor keeps it for the rest of the turn.
    private(set) var exchange: Exchange?
    let client: ClientInfo
    let corridor: Corridor
    /// For the HTTP/2 link that may take over.
    let http2: HTTP2Streams
    private let timer = Timer(tag: TimerTag.link.rawValue)
    var requestCount: UInt32 = 0
    private var discardedBytes: UInt32 = 0
    private var state = State.idle
    private var isPumping = false
    var answerContent = AnswerContent.none
    var closesAfterAnswer = false
    /// Unread input may still be on its way: closing at once would reset the connection, and lose the answer.
    private var lingersAfterAnswer = false
    private var bodyPace = BodyPace()
    private var readerPace = ReaderPace()

    private enum State {
        /// Between requests.
        case idle
        /// Some of a head has arrived.
        case readingHead
        /// A request is being answered; its body may still arrive.
        case exchanging
        /// The answer has been sent; the rest of the request's body is read and dropped, to keep the connection.
        case discarding
        /// Nothing more is read, and no request begins.
        case ended
    }

    /// Nanoseconds that a new connection has for its first request once the daemon is stopping.
    static let firstRequestGrace: UInt64 = 500_000_000
    /// An unwanted body is read to its end only up to this length; beyond it, closing is cheaper.
    static let discardBytesMax = 64 << 10
    /// Reading stops while more bytes than this wait for the current exchange: pipelined requests, an unwanted body.
    private static let carriedBytesMax = 16 << 10

    init(_ corridor: Corridor, http2: HTTP2Streams, client: ClientInfo) {
        machine = HTTP1ServerMachine(limits: corridor.loop.http1Limits)
        self.corridor = corridor
        self.http2 = http2
        self.client = client
        super.init(loop: corridor.loop)
    }

    deinit { loop.timers.cancel(timer) }

    // MARK: - Facts

    override func received(_ bytes: UnsafeRawBufferPointer) {
        if preface != nil, isSucceeded(at: bytes) { return }
        machine.feed(bytes)
        pump()
    }

    override func settle() {
        machine.settle()
        loop.coding.settle()
        regulateReading()
    }

    override func inputClosed() {
        machine.inputClosed()
        if let exchange, exchange.isBodyComplete, state == .exchanging {
            // A client that disconnects and one that half-closes look alike. Serving those that have disconnected costs
            // the upstream, so the exchange ends (as nginx, Envoy and Go decide).
            exchange.clientLeft()
            end(.aborted)
        } else {
            pump()
        }
    }

    override func failed(_ failure: TransportFailure) {
        release()
    }

    override func fellBehind() { exchange?.holdUpstream() }

    override func drained() {
        exchange?.clientDrained()
        if exchange == nil { pump() } else { regulateReading() }
    }

    override func timerFired() {
        switch state {
        // Before the first request no answer waits: the waiting bytes are the handshake's.
        case .idle: if requestCount == 0 || waitingBytes == 0 { end(.closing) } else { readerTooLong() }
        case .readingHead:
            refuse(Problem(.requestTimeout, detail: "The request's header section did not arrive in time."))
        case .exchanging:
            if exchange?.isTunnel == true { return }
            // A client is not late while its input is not being read.
            guard let exchange, exchange.wantsBody else { return armBodyTimeout() }
            if exchange.isBodyComplete { return readerTooLong() }
            // The rest of the body may still come, but is not waited for (RFC 9110 §15.5.9).
            closesAfterAnswer = true
            exchange.bodyTimedOut()
        case .discarding: end(.closing)
        case .ended: break
        }
    }

    /// A client that reads its answers is not idle. One that has stopped reading them is cut off with a reset: requests
    /// may wait behind them that a regular close would make look answered. While a fetch is at work, the fetch judges
    /// its reader, because only then may the answer wait for the upstream, too.
    private func readerTooLong() {
        if waitingBytes == 0 { return }
        if let least = readerPace.judge(waitingBytes, within: readerWait, loop), exchange?.fetch == nil {
            guard let exchange, exchange.answer.state == .sending else { return end(.aborted) }
            return exchange.fail(.readerTooSlow(least))
        }
        awaitReader()
    }

    private func awaitReader() {
        loop.timers.arm(timer, for: self, at: readerPace.nextLook(within: readerWait, loop))
    }

    /// How long a client may read nothing of the waiting bytes.
    private var readerWait: UInt64 {
        state == .idle ? min(loop.waits.keepAlive, loop.waits.body) : loop.waits.body
    }

    override func waitingChanged(from bytes: Int) {
        if bytes == 0 {
            // A shorter keep-alive time only limits when the client begins to read.
            let begins = state == .idle && readerWait < loop.waits.body
            readerPace.look(begins ? .max : waitingBytes, at: loop.now)
            // Writes of the handshake do not extend the time for a first request.
            if state == .idle && requestCount > 0 || state == .exchanging && exchange?.isBodyComplete == true {
                awaitReader()
            }
        } else if waitingBytes > bytes {
            readerPace.grew(by: waitingBytes - bytes)
        } else if waitingBytes == 0, state == .idle, requestCount > 0 {
            armKeepAlive()
        }
    }

    /// A client that has sent no request yet, and may still be at its handshake, has the time of a request's head. When
    /// the daemon stops, it gets a shorter grace, because an immediate close would look like a crash.
    func awaitFirstRequest() {
        let wait = loop.isDraining ? min(loop.waits.header, Self.firstRequestGrace) : loop.waits.header
        loop.timers.arm(timer, for: self, at: loop.now &+ wait)
    }

    private func armKeepAlive() {
        loop.timers.arm(timer, for: self, at: loop.now &+ loop.waits.keepAlive)
    }

    override func clientIdentified(_ subjects: [CertificateName]) { client.subjects = subjects }

    override func http2Agreed() { _ = succeed() }

    override func drainBegan() {
        closesAfterAnswer = true
        guard state == .idle else { return }
        if requestCount == 0 { awaitFirstRequest() } else { end(.closing) }
    }

    // MARK: - Reading requests

    /// Takes all events out of the machine that can be handled now.
    func pump() {
        if isPumping || state == .ended { return }
        isPumping = true
        defer {
            isPumping = false
            regulateReading()
        }
        while state != .ended {
            if exchange == nil {
                guard !machine.isIdle, hasRoom() else { return }
                exchange = corridor.takeExchange(for: self)
            }
            guard let exchange = exchange.borrowed else { return }
            let mayBeMore = exchange { exchange in
                if state == .exchanging, !exchange.wantsBody { return false }
                return step(exchange)
            }
            guard mayBeMore else { return }
        }
    }

    /// - Returns: whether the machine may have more.
    private func step(_ exchange: Exchange) -> Bool {
        switch machine.next(&exchange.request.head, trailers: &exchange.request.trailers) {
        case .needMore:
            waitForMore(exchange)
            return false
        case .paused: return false
        case .request:
            state = .exchanging
            if exchange.request.head.framing != .none { armBodyTimeout() }
            exchange.begin(at: client.firstStep)
        case .body(let bytes):
            loop.timers.arm(timer, for: self, at: bodyPace.moved(bytes.count, at: loop.now, loop.waits))
            if state == .discarding {
                discardedBytes += UInt32(bytes.count)
                if discardedBytes > Self.discardBytesMax { end(.lingering) }
            } else {
                exchange.bodyReceived(bytes)
            }
        case .end:
            if state == .discarding { finishExchange() } else { exchange.bodyEnded() }
        case .refused(let refusal):
            refuse(Problem(refusal.kind, detail: "\(refusal.detail)"))
        case .closed:
            giveBackExchange()
            end(.closing)
            return false
        case .truncated:
            exchange.clientLeft()
            end(.aborted)
            return false
        }
        return true
    }

    private func waitForMore(_ exchange: Exchange) {
        guard state == .idle || state == .readingHead else { return }
        giveBackExchange()
        if machine.isIdle {
            if state != .idle { armKeepAlive() }
            state = .idle
        } else if state == .idle {
            state = .readingHead
            loop.timers.arm(timer, for: self, at: loop.now &+ loop.waits.header)
        }
    }

    private func armBodyTimeout() {
        loop.timers.arm(timer, for: self, at: bodyPace.begin(at: loop.now, loop.waits))
    }

    /// A request that cannot be parsed is answered and the connection closed: the beginning of the next one is unknown.
    private func refuse(_ problem: Problem) {
        if exchange == nil { exchange = corridor.takeExchange(for: self) }
        closesAfterAnswer = true
        lingersAfterAnswer = true
        state = .exchanging
        exchange?.refuse(problem)
    }

    func resumeRequestBody() {
        // A client is not late while its input was not read.
        if let exchange, !exchange.isBodyComplete { armBodyTimeout() }
        pump()
    }

    private func regulateReading() {
        let isReadingHead = (state == .idle || state == .readingHead) && hasRoom()
        let wants = state != .ended && (isReadingHead || machine.carriedBytes <= Self.carriedBytesMax)
        if wants != wantsRead {
            wantsRead = wants
            touch()
        }
    }

    // MARK: - The end of answers

    func sendEnd() {
        if answerContent == .chunked { HTTP1Writer.lastChunk(into: &outbox) }
        answerCompleted()
    }

    func sendEnd(trailers: borrowing HeaderBlock) {
        if answerContent == .chunked { HTTP1Writer.lastChunk(trailers: trailers, into: &outbox) }
        answerCompleted()
    }

    func abortAnswer() {
        // A missing last chunk or a short length shows that the answer is incomplete; where the body ends with the
        // connection, only a reset does.
        end(answerContent == .untilClose ? .aborted : .closing)
    }

    var unsentBytes: Int? { outbox.count }

    private func answerCompleted() {
        guard let exchange else { return }
        touch()
        if exchange.isBodyComplete {
            finishExchange()
        } else if closesAfterAnswer {
            end(.lingering)
        } else {
            state = .discarding
            discardedBytes = 0
            pump()
        }
    }

    private func finishExchange() {
        giveBackExchange()
        if closesAfterAnswer { return end(lingersAfterAnswer ? .lingering : .closing) }
        machine.responseCompleted()
        state = .idle
        if waitingBytes == 0 {
            armKeepAlive()
        } else {
            awaitReader()
        }
        pump()
    }

    private func giveBackExchange() {
        guard let exchange = exchange.take() else { return }
        corridor.giveBack(exchange)
    }

    /// The time to finish after the drain began is over.
    override func abort() {
        if state != .ended { end(.aborted) }
    }

    private func end(_ ending: Ending) {
        state = .ended
        self.ending = ending
        touch()
        release()
    }

    /// Another link takes over the transport.
    func letGo() {
        state = .ended
        loop.timers.cancel(timer)
    }

    /// Releases everything but the outbox.
    private func release() {
        letGo()
        if let exchange {
            exchange.clientLeft()
            giveBackExchange()
        }
        loop.clients.forget(self)
    }
}
