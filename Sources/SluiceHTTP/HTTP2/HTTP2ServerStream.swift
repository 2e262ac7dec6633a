/// One stream of an ``HTTP2ServerSession``: a request and its answer. Streams are used again.
///
/// Whoever serves it derives a class of its own, which the session makes through `makeStream`.
open class HTTP2ServerStream {
    public internal(set) final var id: Int32 = 0
    /// Filled when the session tells of the request; may be swapped for another, whose memory is then used again.
    public final var request = RequestHead()
    /// Filled when the request has ended.
    public final var trailers = HeaderBlock()
    /// Nothing more of the request will come.
    public internal(set) final var isRequestEnded = false
    /// The stream is closed; nothing can be sent on it.
    public internal(set) final var isClosed = false
    /// Bytes of the answer that have not been framed yet. Borrowed ones are copied by ``settle()``.
    public internal(set) final var pending = Outbox()
    /// Bytes of the answer's content that have been framed.
    public internal(set) final var sentBytes = 0

    /// Why the request is refused, once that is known.
    final var refusal: Refusal?
    final var fieldBytes = 0
    /// The last section's fields belong to the trailers.
    final var isReadingTrailers = false
    /// Place in the session's list of open streams.
    final var place = -1
    final var isAnswerBegun = false
    /// The answer is complete; what is pending is the last of it.
    final var isAnswerEnded = false
    final var hasAnswerTrailers = false
    final var answerTrailers = HeaderBlock()
    /// The library waits to be told that there is more to send.
    final var isDeferred = false
    /// Somebody waits for ``pending`` to become short.
    final var awaitsRoom = false

    public init() {}

    /// More of an answer than this waits for the client's window only if it came in one piece.
    static let pendingBytesMax = 64 << 10

    /// Whether more may be added to the answer; if not, the session tells once it may.
    public final func hasRoom() -> Bool {
        if pending.count > Self.pendingBytesMax { awaitsRoom = true }
        return !awaitsRoom
    }

    /// Copies what the answer borrows, so that the buffer it stands in may be reused.
    public final func settle() {
        pending.settle()
    }

    final func open(_ id: Int32) {
        self.id = id
        isRequestEnded = false
        isClosed = false
        sentBytes = 0
        refusal = nil
        fieldBytes = 0
        isReadingTrailers = false
        isAnswerBegun = false
        isAnswerEnded = false
        hasAnswerTrailers = false
        isDeferred = false
        awaitsRoom = false
    }

    /// Ready for another stream; keeps the memory of the heads.
    final func reset() {
        request.reset()
        if trailers.count > 0 { trailers.removeAll() }
        if answerTrailers.count > 0 { answerTrailers.removeAll() }
        if !pending.isEmpty { pending.removeAll() }
    }
}
