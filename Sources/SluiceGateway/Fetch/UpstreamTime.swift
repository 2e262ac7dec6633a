/// How long upstreams work for one request, in all its attempts. The time of overlapping attempts counts once.
struct UpstreamTime {
    /// The time of the attempts that are over.
    private var past: UInt64 = 0
    /// The attempts that are running, and when the first of them was sent.
    private var departed = 0
    private var since: UInt64 = 0
    /// The attempts so far, including those that got no connection.
    private(set) var attempts = 0

    mutating func attemptDeparted(at now: UInt64) {
        if departed == 0 { since = now }
        departed += 1
        attempts += 1
    }

    /// An attempt got no connection.
    mutating func attemptFailed() { attempts += 1 }

    mutating func attemptEnded(at now: UInt64) {
        guard departed > 0 else { return }
        departed -= 1
        if departed == 0 { past &+= now &- since }
    }

    /// An attempt was not sent after all.
    mutating func attemptWithdrawn() {
        guard departed > 0 else { return }
        departed -= 1
        attempts -= 1
    }

    /// The time so far, including the running attempts.
    func nanoseconds(at now: UInt64) -> UInt64 { departed > 0 ? past &+ (now &- since) : past }
}
