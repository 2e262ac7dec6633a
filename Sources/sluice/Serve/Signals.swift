internal import Dispatch
#if canImport(Glibc)
    internal import Glibc
#else
    internal import Musl
#endif

/// What the daemon does when it is signalled.
final class Signals {
    private var sources: [any DispatchSourceSignal] = []

    init(_ daemon: Daemon) {
        // The reader of the access log may go away before us.
        signal(SIGPIPE, SIG_IGN)
        for number in [SIGTERM, SIGINT] {
            handle(number) { daemon.stop() }
        }
        handle(SIGHUP) { daemon.reload() }
    }

    private func handle(_ number: Int32, _ handler: @escaping @Sendable () -> Void) {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
        source.setEventHandler(handler: handler)
        source.activate()
        sources.append(source)
    }
}
