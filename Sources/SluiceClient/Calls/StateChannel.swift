/// A state that one side changes and any number of others watch: each sees the state as it is, then the newest after
/// each change. A slow one misses the states in between, and delays no other.
final class StateChannel<State: Sendable>: Sendable {
    private struct Storage {
        var state: State
        /// Grows with every change.
        var version: UInt64 = 0
        var watchers = Watchers<State>()
    }

    private let storage: Locked<Storage>

    init(_ state: State) {
        storage = Locked(Storage(state: state))
    }

    var state: State { storage.withLock { $0.state } }

    /// Changes the state, and tells it while it is held: watchers see all changes in one order.
    ///
    /// - Returns: the state before. It is to be released where no lock is held: what ends with it may be the program's,
    ///   and may ask for the state.
    @discardableResult
    func update(_ change: (inout State) -> Void) -> State {
        storage.withLock { storage in
            storage.version += 1
            var after = storage.state
            change(&after)
            storage.watchers.tell(after)
            swap(&storage.state, &after)
            return after
        }
    }

    /// Changes the state by code of the program, which may ask for the state itself: it runs without the lock, and
    /// again if another thread was faster.
    func revise(_ change: (inout State) -> Void) {
        while true {
            var (state, version) = storage.withLock { ($0.state, $0.version) }
            change(&state)
            let isTaken = storage.withLock { storage in
                guard storage.version == version else { return false }
                storage.version += 1
                storage.watchers.tell(state)
                // The state before is released when the lock is free again.
                swap(&storage.state, &state)
                return true
            }
            if isTaken { return }
        }
    }

    /// The states from now on, the present one first; `left` is called when the watcher has left.
    func states(left: @escaping @Sendable () -> Void = {}) -> AsyncStream<State> {
        let (stream, continuation) = AsyncStream.makeStream(of: State.self, bufferingPolicy: .bufferingNewest(1))
        let id = storage.withLock { storage in
            continuation.yield(storage.state)
            return storage.watchers.add(continuation)
        }
        continuation.onTermination = { [weak self] _ in
            // What it had not taken is released without the lock.
            _ = self?.storage.withLock { $0.watchers.remove(id) }
            left()
        }
        return stream
    }

    deinit {
        storage.withLock { $0.watchers }.finish()
    }
}
