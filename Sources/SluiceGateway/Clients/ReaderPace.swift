/// Whether a client reads the waiting bytes: checks from time to time how many it has read since the last check.
struct ReaderPace {
    private(set) var lookedAt: UInt64 = 0
    /// Bytes that waited at the last check, and those added since.
    private var unread = 0

    /// - Parameter waiting: bytes; `.max` where the next check only finds out the starting point.
    mutating func look(_ waiting: Int, at now: UInt64) {
        unread = waiting
        lookedAt = now
    }

    mutating func grew(by bytes: Int) {
        if unread != .max { unread += bytes }
    }

    /// Checks the pace when it is due: after `wait` nanoseconds, or sooner where the shared room is used up.
    /// - Returns: how many bytes the client had to read, where it has read fewer.
    mutating func judge(_ waiting: Int, within wait: UInt64, _ loop: LoopContext) -> Int? {
        let isDue = loop.now >= lookedAt &+ wait
        guard isDue || loop.room.isExhausted && loop.now >= lookedAt &+ SharedRoom.shortTime else { return nil }
        let least = isDue ? loop.waits.bytes(in: wait) : SharedRoom.shortBytes
        let taken = unread - waiting
        look(waiting, at: loop.now)
        return taken < least ? least : nil
    }

    /// When to check next: a client that has stopped reading may hold room that others need before its time is over.
    func nextLook(within wait: UInt64, _ loop: LoopContext) -> UInt64 {
        min(lookedAt &+ wait, loop.now &+ SharedRoom.shortTime)
    }
}
