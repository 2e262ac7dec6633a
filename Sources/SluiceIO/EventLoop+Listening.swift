internal import SluiceGateway
internal import SluiceSockets
internal import Glibc

extension EventLoop {
    func listen(_ acceptor: Acceptor) {
        guard poller.add(acceptor.descriptor, registration: 0, .read) == 0 else { return }
        listeners.append(acceptor)
    }

    /// Accepts the clients that already wait in the queues of the listening sockets, because the kernel resets those
    /// that are left when a socket is closed. Only those are left for which there is no descriptor.
    /// - Parameters:
    ///   - own: sockets that no other loop watches. Each is closed as soon as nobody waits there: until then the kernel
    ///     goes on giving it clients.
    ///   - inherited: sockets that the service manager keeps open: who waits there is served by the next daemon.
    func acceptRemaining(closing own: [Int32] = [], leaving inherited: [Int32] = []) {
        var unclosed = Set(own)
        for listener in listeners where !inherited.contains(listener.descriptor) {
            listener.acceptAll(self)
            guard unclosed.remove(listener.descriptor) != nil else { continue }
            // The next client may get the number of this descriptor.
            listeners.removeAll { $0 === listener }
            poller.remove(listener.descriptor)
            close(listener.descriptor)
        }
        // Those that the poller has refused have no listener.
        for descriptor in unclosed { close(descriptor) }
    }

    /// Stops accepting connections, except those to the monitor if `keepingMonitor` is set.
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
