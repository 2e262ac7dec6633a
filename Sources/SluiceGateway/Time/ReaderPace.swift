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

    func hasTaken(_ least: Int, leaving waiting: Int) -> Bool { unread - waiting >= least }
}
