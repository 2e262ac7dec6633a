/// Client side of one upstream connection, without a socket: feed, then drain (RFC 9112).
///
/// One response at a time, to the request announced with ``requestSent(method:expectsUpgrade:)``. An ambiguous response
/// is `.malformed`, and the connection cannot be used again. The phases of the machine:
///
///     idle → head → content | chunks | untilClose → ending → idle …      else: finished
///            ↑  │
///            └──┘ interim responses
public struct HTTP1ClientMachine: ~Copyable {
    public enum Event {
        /// Everything fed has been read.
        case needMore
        /// The head holds a 1xx response; another response follows.
        case interim
        /// The head is filled; a 101 that the request asked for, and a 2xx to CONNECT, are framed `.untilClose`.
        case response
        /// Content. The bytes are in the driver's buffer or, if they were carried over from an earlier read, in this
        /// machine: code that borrows them has to settle before the driver reads again, and before the machine is
        /// freed.
        case body(UnsafeRawBufferPointer)
        /// The response has ended; the trailers are filled.
        case end(reusable: Bool)
        case malformed(StaticString)
        /// End of file, or unexpected bytes, while no response is expected: drop the connection from the pool.
        case closedIdle
        /// The upstream closed before the response was complete.
        case truncated(beforeFirstByte: Bool)
    }

    enum Phase: Equatable {
        /// No response is expected.
        case idle
        case head
        /// Content with a length; `left` bytes are still to come.
        case content(left: Int)
        case chunks
        case untilClose
        /// The content has been read, but `.end` has not been returned yet.
        case ending
        case finished
    }

    let limits: HTTP1Limits
    var input = InputBuffer()
    var phase = Phase.idle
    var method = Method.other
    var expectsUpgrade = false
    var reader = HTTP1HeadReader()
    var chunks = ChunkedDecoder()
    var interimCount = 0
    var keepsAlive = false
    /// There were bytes after the end of the response. They have not been read: they may be the beginning of another
    /// request's response (RFC 9112 §6.3, §11.1).
    public internal(set) var hasSurplus = false
    var isInputClosed = false
    var isInputTruncated = false
    /// Whether any byte of the expected response has arrived: if not, and the request is idempotent, the request may be
    /// sent again (RFC 9110 §9.2.2).
    public internal(set) var hasReceivedFirstByte = false

    public init(limits: HTTP1Limits) {
        self.limits = limits
    }

    /// Tells the machine that a request was sent: a response is expected from now on.
    ///
    /// Bytes that arrived before are not part of the response: they make it `.malformed`.
    /// - Parameters:
    ///   - method: HEAD and CONNECT matter for framing (RFC 9112 §6.3).
    ///   - expectsUpgrade: whether the request asked for another protocol; a 101 is malformed otherwise.
    public mutating func requestSent(method: Method, expectsUpgrade: Bool = false) {
        precondition(phase == .idle || phase == .finished, "a request while a response is outstanding")
        self.method = method
        self.expectsUpgrade = expectsUpgrade
        hasReceivedFirstByte = input.count > 0
        hasSurplus = false
        interimCount = 0
        guard phase == .idle else { return }
        phase = .head
        if input.count > 0 { phase = .finished }
        reader = HTTP1HeadReader()
    }

    /// Makes `input` available for reading; it has to stay valid until ``settle()``.
    public mutating func feed(_ input: UnsafeRawBufferPointer) {
        if phase == .finished { return }
        if input.count > 0 { hasReceivedFirstByte = true }
        self.input.feed(input)
    }

    /// Copies the unread bytes, so that the driver may reuse its buffer.
    public mutating func settle() {
        input.settle()
    }

    /// The upstream has closed its side.
    /// - Parameter isTruncated: the upstream did not close in an orderly way: it sent a reset, or no TLS closure alert.
    ///   Content that ends with the connection is then incomplete (RFC 9112 §8, §9.8).
    public mutating func inputClosed(isTruncated: Bool = false) {
        isInputClosed = true
        isInputTruncated = isTruncated
    }

    /// Bytes this machine had to copy because they could not be read yet.
    public var carriedBytes: Int { input.carriedCount }

    /// Whether it pays to read and discard the rest of the response, so that the connection can be reused.
    /// - Parameter most: the most bytes of content that may still be to come, where their number is known.
    public func isWorthEnding(upTo most: Int) -> Bool {
        switch phase {
        case .content(let left): keepsAlive && left <= most
        case .chunks, .ending: keepsAlive
        case .idle, .head, .untilClose, .finished: false
        }
    }

    /// No response is expected, nothing has arrived, and the input is not closed.
    public var isIdle: Bool { phase == .idle && input.count == 0 && !isInputClosed }

    /// The next event. The caller has to pass the same `head` and `trailers` until the response has ended.
    public mutating func next(_ head: inout ResponseHead, trailers: inout HeaderBlock) -> Event {
        switch phase {
        case .idle: watchIdle()
        case .head: parseHead(&head)
        case .content(let left): readContent(left)
        case .chunks: readChunks(&trailers)
        case .untilClose: readUntilClose(&trailers)
        case .ending: endWithoutTrailers(&trailers)
        case .finished: tellFinished()
        }
    }

    func starved() -> Event {
        isInputClosed ? .truncated(beforeFirstByte: !hasReceivedFirstByte) : .needMore
    }

    mutating func malformed(_ reason: StaticString) -> Event {
        phase = .finished
        input.discardAll()
        return .malformed(reason)
    }

    private mutating func watchIdle() -> Event {
        guard input.count > 0 || isInputClosed else { return .needMore }
        phase = .finished
        input.discardAll()
        return .closedIdle
    }

    /// The connection is of no further use: reports any bytes that arrived before a request was sent or after the last
    /// response.
    private mutating func tellFinished() -> Event {
        guard input.count > 0 else { return .closedIdle }
        return malformed("The upstream sent bytes before it was asked.")
    }
}
