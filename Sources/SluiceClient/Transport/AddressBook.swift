internal import SluiceSockets
internal import Synchronization

/// The addresses of the gateway. A name is looked up on a thread of its own, once for all who ask at the time.
final class AddressBook: Sendable {
    typealias Answer = Result<[SocketAddress], TransportError>

    private enum State {
        case unknown
        case lookingUp([CheckedContinuation<Answer, Never>])
        case known([SocketAddress], until: UInt64)
    }

    private let place: GatewayAddress.Place
    private let state = Mutex(State.unknown)
    /// An address is asked for again after this.
    private static let keptNanoseconds: UInt64 = 30_000_000_000

    init(_ place: GatewayAddress.Place) {
        self.place = place
    }

    /// In the order in which they should be tried.
    func addresses() async throws(TransportError) -> [SocketAddress] {
        switch place {
        case .unix(let path):
            guard let address = SocketAddress(unixPath: path) else {
                throw .unreachable("\(path) is no path of a socket")
            }
            return [address]
        case .tcp(let host, let port):
            if let addresses = NameLookup.immediate(host: host, port: port) { return addresses }
            return try await lookUp(host, port).get()
        }
    }

    private func lookUp(_ host: String, _ port: Int) async -> Answer {
        await withCheckedContinuation { continuation in
            let now = MonotonicClock.now()
            let (known, isFirst) = state.withLock { state -> (Answer?, Bool) in
                switch state {
                case .known(let addresses, let until) where now < until: return (.success(addresses), false)
                case .unknown, .known:
                    state = .lookingUp([continuation])
                    return (nil, true)
                case .lookingUp(let others):
                    state = .lookingUp(others + [continuation])
                    return (nil, false)
                }
            }
            if let known { return continuation.resume(returning: known) }
            guard isFirst else { return }
            ServiceThread.run("sluice-names") { [self] in
                finish(
                    NameLookup.system(host: host, port: port).mapError { .unreachable("\(host): \($0)") })
            }
        }
    }

    private func finish(_ answer: Answer) {
        let waiting = state.withLock { state in
            defer {
                state =
                    switch answer {
                    case .success(let addresses):
                        .known(addresses, until: MonotonicClock.now() &+ Self.keptNanoseconds)
                    case .failure: .unknown
                    }
            }
            if case .lookingUp(let waiting) = state { return waiting }
            return []
        }
        for continuation in waiting { continuation.resume(returning: answer) }
    }
}
