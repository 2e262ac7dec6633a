internal import Synchronization

/// Counts the exchanges of sign-ins that are under way. Their answers may have the only refresh tokens that are left,
/// so a daemon that ends waits for them.
final class SignInExchanges: Sendable {
    private struct State {
        var count = 0
        var isEnding = false
    }

    private let state = Mutex(State())

    var isBusy: Bool { state.withLock { $0.count > 0 } }

    /// - Returns: whether an exchange may begin; ``end()`` has to follow then.
    func begin() -> Bool {
        state.withLock { state in
            if !state.isEnding { state.count += 1 }
            return !state.isEnding
        }
    }

    func end() { state.withLock { $0.count -= 1 } }

    /// The daemon ends: no exchange begins any more.
    func refuse() { state.withLock { $0.isEnding = true } }
}
