/// Server side of one HTTP/1.1 connection, without a socket: feed, then drain (RFC 9112).
///
/// One request at a time: pipelined bytes wait until ``responseCompleted()``. The events, with adjacent body bytes
/// joined, do not depend on how the input is split into reads. The phases of the machine:
///
///     idle → head → content | chunks → ending → ended → idle …      after a refusal, or without keep-alive: finished
///                                                └── tunnel → finished
public struct HTTP1ServerMachine: ~Copyable {
    public enum Event {
        /// Everything fed has been read.
        case needMore
        /// The head is filled.
        case request
        /// Content. The bytes are in the driver's buffer or, if they were carried over from an earlier read, in this
        /// machine: code that borrows them has to settle before the driver reads again, and before the machine is
        /// freed.
        case body(UnsafeRawBufferPointer)
        /// The request has ended; the trailers are filled.
        case end
        /// Answer with the problem, then close.
        case refused(Refusal)
        /// A pipelined request waits for ``HTTP1ServerMachine/responseCompleted()``.
        case paused
        /// No more requests will come: the client closed between requests, or the last response is complete.
        case closed
        /// The client closed inside a message.
        case truncated
    }

    enum Phase: Equatable {
        /// Between requests; no byte of the next request has arrived.
        case idle
        case head
        /// Content with a length; `left` bytes are still to come.
        case content(left: Int)
        case chunks
        /// The content has been read, but `.end` has not been returned yet.
        case ending
        /// `.end` has been returned; the response is not complete yet.
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

    /// Makes `input` available for reading; it has to stay valid until ``settle()``.
    public mutating func feed(_ input: UnsafeRawBufferPointer) {
        if phase == .finished { return }
        self.input.feed(input)
    }

    /// Copies the unread bytes, so that the driver may reuse its buffer.
    public mutating func settle() {
        input.settle()
    }

    /// The client has closed its side.
    public mutating func inputClosed() {
        isInputClosed = true
    }

    /// The whole response has been handed over: the next request may be parsed, after the rest of the current request's
    /// content.
    public mutating func responseCompleted() {
        isResponseComplete = true
        if phase == .ended { beginNext() }
    }

    /// The connection has left HTTP (after a 101, or a 2xx to CONNECT): all further bytes are returned as `.body`.
    public mutating func becomeTunnel() {
        precondition(phase == .ended || phase == .ending, "a tunnel begins behind a whole request")
        phase = .tunnel
    }

    /// Bytes this machine had to copy because they could not be read yet; the driver stops reading above a limit.
    public var carriedBytes: Int { input.carriedCount }

    /// Between requests: no byte of the next request has arrived, and the client has not closed.
    public var isIdle: Bool { phase == .idle && input.count == 0 && !isInputClosed }

    /// The next event. The caller has to pass the same `head` and `trailers` until the request has ended.
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
