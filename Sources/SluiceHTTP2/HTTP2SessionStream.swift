public import SluiceHTTP

/// One stream of an ``HTTP2Session``: the part that client and server have in common, mainly the message that we send.
open class HTTP2SessionStream {
    public internal(set) final var id: Int32 = 0
    /// The stream is closed; nothing can be sent on it.
    public internal(set) final var isClosed = false
    /// Bytes of our message that have not been framed yet; ``settle()`` copies the borrowed ones.
    public internal(set) final var pending = Outbox()
    /// Bytes of our message's content that have been framed.
    public internal(set) final var sentBytes = 0

    /// Filled when the peer's message has ended.
    public final var trailers = HeaderBlock()

    /// Place in the session's list of open streams.
    final var place = -1
    /// Bytes of the field section that is arriving.
    final var fieldBytes = 0
    /// Fields of that section that have been kept.
    final var fieldCount = 0
    /// The final head has been received; a further field section holds the trailers.
    final var isPastHead = false
    /// We have ended the stream ourselves: later frames on it are ignored.
    final var isCancelled = false
    /// Our message is complete: the pending bytes are its last.
    final var isOutputEnded = false
    final var hasOutputTrailers = false
    final var outputTrailers = HeaderBlock()
    /// The library waits to be resumed once there is more to send.
    final var isDeferred = false
    /// The sender waits for ``pending`` to become short.
    final var awaitsRoom = false
    /// The peer has opened the stream's window beyond the maximum.
    final var hasOverflowed = false

    public init() {}

    /// More of a message than this waits for the peer's window only if it was added in one piece.
    static let pendingBytesMax = 64 << 10

    /// Whether more may be added to our message; if not, the session reports `room` once there is.
    /// - Parameter most: bytes that may wait, where that is less than ``pendingBytesMax``.
    public final func hasRoom(atMost most: Int = .max) -> Bool {
        if pending.count > min(most, Self.pendingBytesMax) { awaitsRoom = true }
        return !awaitsRoom
    }

    /// Copies the bytes that our message borrows, so that their buffer may be reused.
    public final func settle() {
        pending.settle()
    }

    final func beginOutput(_ id: Int32) {
        self.id = id
        fieldBytes = 0
        fieldCount = 0
        isPastHead = false
        isCancelled = false
        isClosed = false
        sentBytes = 0
        isOutputEnded = false
        hasOutputTrailers = false
        isDeferred = false
        awaitsRoom = false
        hasOverflowed = false
    }

    /// Ready for another stream; keeps the memory of the heads.
    func reset() {
        if trailers.count > 0 { trailers.removeAll() }
        if outputTrailers.count > 0 { outputTrailers.removeAll() }
        if !pending.isEmpty { pending.removeAll() }
    }
}

/// The streams of a session that have not been forgotten; each stores its place in the list.
struct HTTP2StreamList<Stream: HTTP2SessionStream> {
    private(set) var streams: [Stream] = []

    mutating func append(_ stream: Stream) {
        stream.place = streams.count
        streams.append(stream)
    }

    /// - Returns: whether it was in the list.
    mutating func remove(_ stream: Stream) -> Bool {
        guard stream.place >= 0 else { return false }
        if let last = streams.popLast(), last !== stream {
            streams[stream.place] = last
            last.place = stream.place
        }
        stream.place = -1
        return true
    }
}
