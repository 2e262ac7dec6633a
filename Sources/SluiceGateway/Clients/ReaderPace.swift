/// Whether a client takes what waits for it: now and then it is looked at how much it has taken since the last look.
struct ReaderPace {
    private(set) var lookedAt: UInt64 = 0
    /// What waited at the last look, and what has been added since.
    private var unread = 0

    /// - Parameter waiting: bytes; `.max` where the next look only finds out where the client stands.
    mutating func look(_ waiting: Int, at now: UInt64) {
        unread = waiting
        lookedAt = now
    }

    mutating func grew(by bytes: Int) {
        if unread != .max { unread += bytes }
    }

    /// Looks, where it is time to: after `wait` nanoseconds, and sooner where there is no room left for all.
    /// - Returns: how many bytes it had to take, where it has taken fewer.
    mutating func judge(_ waiting: Int, within wait: UInt64, _ loop: LoopContext) -> Int? {
        let isDue = loop.now >= lookedAt &+ wait
        guard isDue || loop.room.isExhausted && loop.now >= lookedAt &+ SharedRoom.shortTime else { return nil }
        let least = isDue ? loop.waits.bytes(in: wait) : SharedRoom.shortBytes
        let taken = unread - waiting
        look(waiting, at: loop.now)
        return taken < least ? least : nil
    }

    /// When to look next: a client that has stopped reading may hold the room that others need before its time is over.
    func nextLook(within wait: UInt64, _ loop: LoopContext) -> UInt64 {
        min(lookedAt &+ wait, loop.now &+ SharedRoom.shortTime)
    }
}
