/// Server side of one HTTP/1.1 connection, without a socket: feed, then drain (RFC 9112).
///
/// One request at a time: pipelined bytes wait until ``responseCompleted()``. Events, the body bytes in them joined,
/// are the same however the input is cut. The life of the machine:
///
///     idle → head → content | chunks → ending → ended → idle …      after a refusal, or without keep-alive: finished
///                                                └── tunnel → finished
public struct HTTP1ServerMachine: ~Copyable {
    public enum Event {
        /// Everything fed has been read.
        case needMore
        /// The head is filled.
        case request
        /// Content. It is in the driver's buffer or, after a cut, in this machine: a borrower has to settle before the
        /// driver reads again, and before the machine is freed.
        case body(UnsafeRawBufferPointer)
        /// The request has ended; the trailers are filled.
        case end
        /// Answer with the problem, then close.
        case refused(Refusal)
        /// A pipelined request waits for ``HTTP1ServerMachine/responseCompleted()``.
        case paused
        /// Nothing more will come: the client closed between requests, or the last response is complete.
        case closed
        /// The client closed inside a message.
        case truncated
    }

    enum Phase: Equatable {
        /// Between requests; nothing of the next one has come.
        case idle
        case head
        /// Content with a length; bytes to come.
        case content(left: Int)
        case chunks
        /// The content has been read, `.end` not told yet.
        case ending
        /// `.end` has been told; the response is outstanding.
        case ended
        case tunnel
        case finished
    }

    let limits: HTTP1Limits
    var input = InputBuffer()
    var phase = Phase.idle
    var reader = HTTP1HeadReader()
    var chunks = ChunkedDecoder()
    var isInputClosed = false
    var isResponseComplete = false
    var keepsAlive = true

    public init(limits: HTTP1Limits) {
        self.limits = limits
    }

    /// Takes a look at `input`, which has to stay valid until ``settle()``.
    public mutating func feed(_ input: UnsafeRawBufferPointer) {
        if phase == .finished { return }
        self.input.feed(input)
    }

    /// Copies what has not been read, so that the driver may reuse its buffer.
    public mutating func settle() {
        input.settle()
    }

    /// The client has closed its side.
    public mutating func inputClosed() {
        isInputClosed = true
    }

    /// The response has been given whole: the next request may be parsed, after what is left of this one's content.
    public mutating func responseCompleted() {
        isResponseComplete = true
        if phase == .ended { beginNext() }
    }

    /// The connection has left HTTP (after a 101, or a 2xx to CONNECT): all bytes from here on come as `.body`.
    public mutating func becomeTunnel() {
        precondition(phase == .ended || phase == .ending, "a tunnel begins behind a whole request")
        phase = .tunnel
    }

    /// Bytes this machine had to copy because they could not be read yet; the driver stops reading above a limit.
    public var carriedBytes: Int { input.carriedCount }

    /// Between requests: nothing of the next one has come, and the client has not closed.
    public var isIdle: Bool { phase == .idle && input.count == 0 && !isInputClosed }

    /// The next event. The same `head` and `trailers` have to come back until the request has ended.
    public mutating func next(_ head: inout RequestHead, trailers: inout HeaderBlock) -> Event {
        switch phase {
        case .idle: beginHead(&head)
        case .head: parseHead(&head)
        case .content(let left): readContent(left)
        case .chunks: readChunks(&trailers)
        case .ending: endWithoutTrailers(&trailers)
        case .ended: waitForResponse()
        case .tunnel: readTunnel()
        case .finished: .closed
        }
    }

    func starved() -> Event {
        isInputClosed ? .truncated : .needMore
    }

    mutating func refuse(_ refusal: Refusal) -> Event {
        phase = .finished
        input.discardAll()
        return .refused(refusal)
    }

    mutating func beginNext() {
        phase = keepsAlive ? .idle : .finished
        if !keepsAlive { input.discardAll() }
    }
}
