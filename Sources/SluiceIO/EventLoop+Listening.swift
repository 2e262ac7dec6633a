internal import SluiceGateway
internal import SluiceSockets

extension EventLoop {
    func listen(_ acceptor: Acceptor) {
        guard poller.add(acceptor.descriptor, registration: 0, .read) == 0 else { return }
        listeners.append(acceptor)
    }

    /// Clients who are in the queue of a listening socket already shall not find it closed.
    func acceptRemaining() {
        for listener in listeners { listener.accept(self) }
    }

    /// No connection is accepted any more, unless it is one to the monitor.
    func stopListening(keepingMonitor: Bool = false) {
        let kept = listeners.filter { keepingMonitor && $0.isMonitor }
        for listener in listeners where !kept.contains(where: { $0 === listener }) {
            poller.remove(listener.descriptor)
        }
        listeners = kept
    }

    /// The process has no descriptor left: listening stops for a moment, or the loop would spin on clients that it
    /// cannot take.
    func descriptorsExhausted() {
        if acceptsAgainAt > 0 { return }
        acceptsAgainAt = gateway.now &+ 100_000_000
        for listener in listeners { poller.change(listener.descriptor, registration: 0, []) }
    }

    func acceptAgain() {
        guard acceptsAgainAt > 0, gateway.now >= acceptsAgainAt else { return }
        acceptsAgainAt = 0
        for listener in listeners { poller.change(listener.descriptor, registration: 0, .read) }
    }
}
