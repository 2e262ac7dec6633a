/// How much of a request has gone out, and whether it can be sent once more.
struct RequestProgress {
    enum Sent {
        case nothing
        /// The head, and what has come of the body.
        case head
        case all
    }

    /// What became of the bytes that the client sent while the fetch was at work. Those that were held before it began
    /// stay with the request. Another attempt does not change this: bytes are gone for good.
    enum Streamed {
        case none
        /// They went out, and are with those that were held.
        case kept
        /// They went out, and the request cannot be sent again.
        case consumed
    }

    private(set) var sent = Sent.nothing
    private(set) var streamed = Streamed.none
    /// A body of so many bytes is kept for another attempt.
    var keptBytesMax = 0

    var canBeSentAgain: Bool { streamed != .consumed }
    /// A body that is not held is on its way.
    var isStreaming: Bool { streamed != .none && sent == .head }

    mutating func headSent() { sent = .head }

    /// Bytes of the body go out as the client sends them.
    /// - Parameter heldCount: bytes of the body that are held already.
    /// - Returns: whether they are to be held as well.
    mutating func bodySent(_ count: Int, heldCount: Int) -> Bool {
        if streamed != .consumed { streamed = heldCount + count <= keptBytesMax ? .kept : .consumed }
        return streamed == .kept
    }

    mutating func requestEnded() { sent = .all }

    /// Nothing of what was sent counts any more.
    mutating func attemptEnded() { sent = .nothing }
}
