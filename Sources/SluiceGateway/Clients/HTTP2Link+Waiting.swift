internal import SluiceHTTP
internal import SluiceHTTP2

/// The bytes on one connection's streams that wait for the client's flow-control windows.
struct HTTP2Waiting {
    /// Waiting bytes that are counted in the loop's ``SharedRoom``.
    fileprivate(set) var counted = 0
    /// The content framed when the client last took its share, and when that was.
    fileprivate var framedBytes = 0
    fileprivate var movedAt: UInt64 = 0
}

// A closed window costs the client nothing, but each answer that waits for it costs the gateway the bytes of a read. So
// bytes that wait on streams count like those of other slow readers, and lead to shorter reads. Once the total is a
// multiple of `limits.buffered-total`, a client that takes nothing loses its waiting answers.
extension HTTP2Link {
    /// How long an answer may wait for the client, in nanoseconds.
    var stallTime: UInt64 { isTakingNothing ? min(loop.waits.body, SharedRoom.shortTime) : loop.waits.body }

    private var isTakingNothing: Bool {
        loop.room.isExhausted && loop.now >= waiting.movedAt &+ SharedRoom.shortTime
    }

    /// When to check again, because this client may hold the room that is missing.
    var nextLook: UInt64 {
        loop.room.isExhausted && session.pendingBytes > 0 ? loop.now &+ SharedRoom.shortTime : .max
    }

    /// - Parameter grown: the streams that have more to send than at the last check.
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
        // When nothing more can be framed, the rest waits for windows alone.
        guard isTakingNothing, bytes > loop.room.each, !session.wantsWrite else { return }
        for stream in grown where stream.object.unsentBytes != 0 { stream { $0.cut(self) } }
    }

    /// The connection is over: nothing waits any more.
    func forgetWaiting() {
        if waiting.counted != 0 { loop.room.change(by: -waiting.counted) }
        waiting.counted = 0
    }
}
