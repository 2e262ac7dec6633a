@testable import SluiceClient

/// A clock that a test turns.
final class ManualClock: Sendable {
    private let time = Locked(ContinuousClock.now)

    var now: ContinuousClock.Instant { time.withLock { $0 } }

    func advance(by duration: Duration) {
        time.withLock { $0 = $0.advanced(by: duration) }
    }
}
