/// How much of a request has been sent, and whether it can be sent again.
struct RequestProgress {
    enum Sent {
        case nothing
        /// The head, and the part of the body that has arrived.
        case head
        case all
    }

    /// Whether bytes that the client sent while the fetch was at work can be sent again. Those that were held before it
    /// began stay with the request. Another attempt does not change this: consumed bytes are gone for good.
    enum Streamed {
        case none
        /// They were sent, and are held with the others.
        case kept
        /// They were sent, and the request cannot be sent again.
        case consumed
    }

    private(set) var sent = Sent.nothing
    private(set) var streamed = Streamed.none
    /// A body of up to so many bytes is kept for another attempt.
    var keptBytesMax = 0

    var canBeSentAgain: Bool { streamed != .consumed }
    /// Bytes of the body that the client is still sending have been forwarded.
    var isStreaming: Bool { streamed != .none && sent == .head }

    mutating func headSent() { sent = .head }

    /// Bytes of the body are forwarded as the client sends them.
    /// - Parameter heldCount: bytes of the body that are held already.
    /// - Returns: whether to hold these bytes as well.
    mutating func bodySent(_ count: Int, heldCount: Int) -> Bool {
        if streamed != .consumed { streamed = heldCount + count <= keptBytesMax ? .kept : .consumed }
        return streamed == .kept
    }

    mutating func requestEnded() { sent = .all }

    /// The next attempt sends the request from its beginning.
    mutating func attemptEnded() { sent = .nothing }
}
