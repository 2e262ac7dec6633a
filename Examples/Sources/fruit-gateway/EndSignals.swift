import Dispatch
import Glibc

/// SIGTERM and SIGINT, which end a service in order.
final class EndSignals {
    private let sources: [any DispatchSourceSignal]

    init(_ told: @escaping @Sendable () -> Void) {
        sources = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler(handler: told)
            source.resume()
            return source
        }
    }

    func end() {
        for source in sources { source.cancel() }
    }
}
