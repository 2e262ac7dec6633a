import Synchronization

/// A state that one side changes and any number of others watch: each sees the state as it is, then the newest after
/// each change. One that is slow misses what lies in between, and holds up nobody.
final class StateChannel<State: Sendable>: Sendable {
    private struct Storage {
        var state: State
        var watchers: [UInt64: AsyncStream<State>.Continuation] = [:]
        var nextWatcher: UInt64 = 0
    }

    private let storage: Mutex<Storage>

    init(_ state: State) {
        storage = Mutex(Storage(state: state))
    }

    var state: State { storage.withLock { $0.state } }

    /// Changes the state, and tells it while it is held: watchers see all changes in one order.
    @discardableResult
    func update<Result>(_ change: (inout State) -> Result) -> Result where Result: Sendable {
        storage.withLock { storage in
            let result = change(&storage.state)
            for watcher in storage.watchers.values { watcher.yield(storage.state) }
            return result
        }
    }

    /// The states from now on, the present one first; `left` is told when the one who watches has gone.
    func states(left: @escaping @Sendable () -> Void = {}) -> AsyncStream<State> {
        let (stream, continuation) = AsyncStream.makeStream(of: State.self, bufferingPolicy: .bufferingNewest(1))
        let id = storage.withLock { storage in
            storage.nextWatcher += 1
            storage.watchers[storage.nextWatcher] = continuation
            continuation.yield(storage.state)
            return storage.nextWatcher
        }
        continuation.onTermination = { [weak self] _ in
            self?.forget(id)
            left()
        }
        return stream
    }

    private func forget(_ id: UInt64) {
        _ = storage.withLock { $0.watchers.removeValue(forKey: id) }
    }

    deinit {
        for watcher in storage.withLock({ $0.watchers }).values { watcher.finish() }
    }
}
