internal import SluiceHTTP
internal import SluiceHTTP2

/// What waits on the streams of one connection for the client's windows.
struct HTTP2Waiting {
    /// Bytes that the gateway's ``SharedRoom`` knows of.
    fileprivate(set) var counted = 0
    /// Content that had been framed when there last was enough of it, and when that was.
    fileprivate var framedBytes = 0
    fileprivate var movedAt: UInt64 = 0
}

// A window that stays closed costs the client nothing, and each answer that waits for it costs us a read. So what waits
// on streams is counted with what waits for all slow readers, and gets shorter reads with them. Once that is many times
// `limits.buffered-total`, a client that takes nothing loses the answers that it does not take.
extension HTTP2Link {
    /// How long a client may leave an answer where it is, nanoseconds.
    var stallTime: UInt64 { isTakingNothing ? min(loop.waits.body, SharedRoom.shortTime) : loop.waits.body }

    private var isTakingNothing: Bool {
        loop.room.isExhausted && loop.now >= waiting.movedAt &+ SharedRoom.shortTime
    }

    /// When to look again, because the room that is missing now may be held by this client.
    var nextLook: UInt64 {
        loop.room.isExhausted && session.pendingBytes > 0 ? loop.now &+ SharedRoom.shortTime : .max
    }

    /// - Parameter grown: the streams that have more to send than at the last look.
    func countWaiting(with grown: [Borrowed<HTTP2Stream>]) {
        let bytes = session.pendingBytes
        if bytes != waiting.counted {
            loop.room.change(by: bytes - waiting.counted)
            waiting.counted = bytes
        }
        if session.framedBytes &- waiting.framedBytes >= SharedRoom.shortBytes {
            waiting.framedBytes = session.framedBytes
            waiting.movedAt = loop.now
        }
        guard loop.room.isExhausted, bytes > 0 else { return }
        arm(noLaterThan: nextLook)
        // Only windows hold back what is left when there is nothing more to write.
        guard isTakingNothing, bytes > loop.room.each, !session.wantsWrite else { return }
        for stream in grown where stream.object.unsentBytes != 0 { stream { $0.cut(self) } }
    }

    /// Nothing waits any more.
    func forgetWaiting() {
        if waiting.counted != 0 { loop.room.change(by: -waiting.counted) }
        waiting.counted = 0
    }
}
