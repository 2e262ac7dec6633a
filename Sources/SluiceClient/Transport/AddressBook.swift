internal import SluiceSockets

/// The addresses of the gateway. A name is looked up on a thread of its own, once for all calls that need it at the
/// time.
final class AddressBook: Sendable {
    typealias Answer = Result<[SocketAddress], TransportError>
    /// Called once, from any thread, possibly before `find` returns.
    typealias Delivery = @Sendable (Answer) -> Void

    private enum State {
        case unknown
        case lookingUp([Delivery])
        case known([SocketAddress], until: UInt64)
    }

    private let place: GatewayAddress.Place
    private let state = Locked(State.unknown)
    /// An address is asked for again after this.
    private static let keptNanoseconds: UInt64 = 30_000_000_000

    init(_ place: GatewayAddress.Place) {
        self.place = place
    }

    /// Finds them, in the order in which they should be tried.
    func find(_ deliver: @escaping Delivery) {
        switch place {
        case .unix(let path):
            guard let address = SocketAddress(unixPath: path) else {
                return deliver(.failure(.unreachable("\(path) is no path of a socket")))
            }
            deliver(.success([address]))
        case .tcp(let host, let port):
            if let addresses = NameLookup.immediate(host: host, port: port) { return deliver(.success(addresses)) }
            lookUp(host, port, deliver)
        }
    }

    private func lookUp(_ host: String, _ port: Int, _ deliver: @escaping Delivery) {
        let now = MonotonicClock.now()
        let (known, isFirst) = state.withLock { state -> ([SocketAddress]?, Bool) in
            switch state {
            case .known(let addresses, let until) where now < until: return (addresses, false)
            case .unknown, .known:
                state = .lookingUp([deliver])
                return (nil, true)
            case .lookingUp(let others):
                state = .lookingUp(others + [deliver])
                return (nil, false)
            }
        }
        if let known { return deliver(.success(known)) }
        guard isFirst else { return }
        ServiceThread.run("sluice-names") { [self] in
            finish(NameLookup.system(host: host, port: port).mapError { .unreachable("\(host): \($0)") })
        }
    }

    private func finish(_ answer: Answer) {
        let until = MonotonicClock.now() &+ Self.keptNanoseconds
        let waiting = state.withLock { state -> [Delivery] in
            var waiting: [Delivery] = []
            if case .lookingUp(let all) = state { waiting = all }
            state = if case .success(let addresses) = answer { .known(addresses, until: until) } else { .unknown }
            return waiting
        }
        for deliver in waiting { deliver(answer) }
    }
}
