import SluiceContract

@testable import SluiceGateway

/// One event loop of a daemon, as far as credentials go: what `FetchCredential` does with a real vault.
final class SimulatedLoop {
    final class Request {
        let startedAt: UInt64
        let mustSucceed: Bool
        var refused: Int?
        /// Of the wait that it is in.
        var waits = 0

        init(at time: UInt64, mustSucceed: Bool) {
            startedAt = time
            self.mustSucceed = mustSucceed
        }
    }

    enum Outcome: Equatable {
        case answered
        case refused
        case problem(Problem.Kind)
        case overdue
    }

    private unowned let daemon: SimulatedDaemon
    private var reader: CredentialVault.Reader
    private var waiting: [Request] = []

    init(_ daemon: SimulatedDaemon) {
        self.daemon = daemon
        reader = CredentialVault.Reader(daemon.vault)
    }

    func begin(mustSucceed: Bool) {
        daemon.open += 1
        go(on: Request(at: daemon.world.now, mustSucceed: mustSucceed))
    }

    private func standing(of request: Request) -> CredentialVault.Reader.Standing {
        let moment = daemon.world.moment
        let standing = reader.standing(at: moment.now, unix: moment.unix)
        guard case .usable = standing, let refused = request.refused, reader.version == refused else { return standing }
        return daemon.vault.isLast(refused, at: moment.now) ? .usable : .coming
    }

    private func go(on request: Request) {
        switch standing(of: request) {
        case .usable: queue(request)
        case .coming:
            waiting.append(request)
            request.waits += 1
            let number = request.waits
            daemon.after(daemon.waitSeconds) { [self] in
                guard request.waits == number, let index = waiting.firstIndex(where: { $0 === request }) else { return }
                waiting.remove(at: index)
                if case .usable = standing(of: request) { return queue(request) }
                end(request, .overdue)
            }
            daemon.vault.ask(request.refused.map { .another(thanVersion: $0) } ?? .secret)
        case .lacking(let problem): end(request, .problem(problem?.kind ?? .internalError))
        }
    }

    /// Some requests wait for a connection, and look once more when it is theirs.
    private func queue(_ request: Request) {
        guard daemon.world.random.below(4) == 0 else { return send(request) }
        daemon.after(daemon.world.seconds(upTo: 3)) { [self] in
            if daemon.world.omission == .secondLook, reader.line != nil { return send(request) }
            if case .usable = standing(of: request) { send(request) } else { go(on: request) }
        }
    }

    private func send(_ request: Request) {
        let version = reader.version
        guard let line = reader.line else { return daemon.world.violate("a request goes out without its credential") }
        let written = line.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        let token = String(written.dropFirst("Authorization: Bearer ".count).dropLast("\r\n".count))
        daemon.check(token)
        daemon.after(0.005 + daemon.world.seconds(upTo: 0.2)) { [self] in
            if daemon.world.upstreamTakes(token) { return end(request, .answered) }
            if request.refused != nil || daemon.vault.isLast(version, at: daemon.world.now) {
                daemon.vault.ask(.another(thanVersion: version))
                return end(request, .refused)
            }
            request.refused = version
            go(on: request)
        }
    }

    /// Some credential has changed.
    func changed() {
        let requests = waiting
        waiting = []
        for request in requests {
            switch standing(of: request) {
            case .usable:
                request.waits += 1
                queue(request)
            case .coming: waiting.append(request)
            case .lacking(let problem):
                request.waits += 1
                end(request, .problem(problem?.kind ?? .internalError))
            }
        }
    }

    private func end(_ request: Request, _ outcome: Outcome) {
        let world = daemon.world
        daemon.open -= 1
        world.ended[outcome == .answered ? 0 : 1] += 1
        let seconds = Double(world.now - request.startedAt) / 1e9
        if seconds > 3 * daemon.waitSeconds + 10 { world.violate("a request took \(seconds) s") }
        guard request.mustSucceed else { return }
        let expected = world.server.isEnded ? Outcome.problem(.signInNeeded) : .answered
        if outcome != expected { world.violate("at the end a request is \(outcome) and not \(expected)") }
    }
}
