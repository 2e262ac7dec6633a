internal import Dispatch
#if canImport(Glibc)
    internal import Glibc
#else
    internal import Musl
#endif

/// What the daemon does when it is signalled.
final class Signals {
    private var sources: [any DispatchSourceSignal] = []

    private static let handled = [SIGTERM, SIGINT, SIGHUP]

    /// Holds the handled signals back on this thread and all that it starts. To be called before there are others: a
    /// signal that comes before its source is armed then waits for it, instead of killing the process or being lost.
    static func hold() {
        var set = sigset_t()
        sigemptyset(&set)
        for number in handled { sigaddset(&set, number) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    init(_ daemon: Daemon) {
        // The reader of the access log may go away before us.
        signal(SIGPIPE, SIG_IGN)
        for number in [SIGTERM, SIGINT] {
            handle(number) { daemon.stop() }
        }
        handle(SIGHUP) { daemon.reload() }
    }

    private func handle(_ number: Int32, _ handler: @escaping @Sendable () -> Void) {
        let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
        source.setEventHandler(handler: handler)
        source.activate()
        sources.append(source)
    }
}
