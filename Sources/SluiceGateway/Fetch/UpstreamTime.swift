/// How long upstreams are at work for one request, in all its attempts. Those that run beside each other overlap: their
/// time counts once.
struct UpstreamTime {
    /// Of the attempts that are over.
    private var past: UInt64 = 0
    /// Attempts under way, and when the first of them went out.
    private var departed = 0
    private var since: UInt64 = 0
    /// So far, with connections that could not be made.
    private(set) var attempts = 0

    mutating func attemptDeparted(at now: UInt64) {
        if departed == 0 { since = now }
        departed += 1
        attempts += 1
    }

    /// There was no connection for it.
    mutating func attemptFailed() { attempts += 1 }

    mutating func attemptEnded(at now: UInt64) {
        guard departed > 0 else { return }
        departed -= 1
        if departed == 0 { past &+= now &- since }
    }

    /// An attempt has not gone out after all.
    mutating func attemptWithdrawn() {
        guard departed > 0 else { return }
        departed -= 1
        attempts -= 1
    }

    /// With what is under way.
    func nanoseconds(at now: UInt64) -> UInt64 { departed > 0 ? past &+ (now &- since) : past }
}
