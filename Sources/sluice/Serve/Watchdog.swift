internal import Dispatch
internal import SluiceIO

/// Sends watchdog signals to the service manager, twice within its interval, but only when every event loop has
/// answered: a stuck loop should get the daemon restarted (sd_watchdog_enabled(3)).
final class Watchdog: Sendable {
    private let notifier: ServiceNotifier
    private let server: Server
    /// Of its own: it tells of the loops, and a configuration that takes long to read is no reason to restart.
    private let queue = DispatchQueue(label: "sluice.watchdog")
    private let nanoseconds: UInt64

    /// Nil where the service manager has no watchdog for us.
    init?(_ service: ServiceManager, server: Server) {
        guard let notifier = service.notifier, let interval = service.watchdogInterval else { return nil }
        self.notifier = notifier
        self.server = server
        nanoseconds = max(1_000_000, interval / 2)
    }

    func start() {
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(clamping: nanoseconds))) { [self] in
            // The answer comes from a loop, which must not wait for a socket.
            server.ping { self.queue.async { self.notifier.watchdog() } }
            start()
        }
    }
}
