/// What happens to something, told to any number of watchers: all of it, as long as they follow.
final class EventChannel<Event: Sendable>: Sendable {
    private let watchers = Locked(Watchers<Event>())

    /// Events that wait for a slow watcher; of more, the oldest are dropped.
    static var waitingMax: Int { 1024 }

    func tell(_ events: [Event]) {
        if events.isEmpty { return }
        watchers.withLock { watchers in
            for event in events { watchers.tell(event) }
        }
    }

    /// The events from now on; `left` is called when the watcher has left.
    func events(left: @escaping @Sendable () -> Void) -> AsyncStream<Event> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Event.self, bufferingPolicy: .bufferingNewest(Self.waitingMax))
        let id = watchers.withLock { $0.add(continuation) }
        continuation.onTermination = { [weak self] _ in
            _ = self?.watchers.withLock { $0.remove(id) }
            left()
        }
        return stream
    }

    deinit {
        watchers.withLock { $0 }.finish()
    }
}
