import SluiceContract

@testable import SluiceGateway

/// Clients, gateway and origins in one thread, driven by a seed: fragments, stalls, resets, half-closes, clock jumps,
/// reloads. What must hold is looked at after every step.
final class Simulation {
    /// What went wrong, with the step at which it did.
    private(set) var violations: [String] = []
    /// What was done, where it is asked for.
    private(set) var trace: [String] = []
    private let isTraced: Bool
    private var random: SeededGenerator
    private let bench: Bench
    private let startedAt: UInt64
    private var requests: [Int: SimulatedRequest] = [:]
    private var clients: [SimulatedClient] = []
    private var origins: [any OriginPlayer] = []
    private var step = 0
    private var isDraining = false
    private var reloads = 0
    private static let clientsMax = 4
    private static let stepsMax = 160

    private enum Action {
        case open, clientSends, originWorks, connect, tick, jump, stall, unstall, clientLeaves, reload, idleOriginActs
    }

    /// Between which a reload switches. Each simulation has its own: what is in flight is counted there.
    private let tables: [RouteTable] = (0..<3).compactMap { variant in
        guard let configuration = try? World.configuration(variant: variant) else { return nil }
        return try? RouteTable(configuration)
    }

    init(seed: UInt64, isTraced: Bool = false) {
        random = SeededGenerator(seed: seed)
        self.isTraced = isTraced
        bench = Bench(tables[0], tokens: World.tokens, pageBytes: World.inputBytes)
        bench.connectsAtOnce = false
        bench.recordsOrigins = true
        startedAt = bench.gateway.now
    }

    /// Plays to the end.
    func run() {
        bench.violation = { [unowned self] in violation($0) }
        while step < Self.stepsMax, violations.isEmpty {
            step += 1
            act(
                random.pick([
                    .open: 4, .clientSends: 30, .originWorks: 36, .connect: 10, .tick: 8, .jump: 2, .stall: 3,
                    .unstall: 5, .clientLeaves: 1, .reload: 1, .idleOriginActs: 1,
                ]))
            check()
        }
        if violations.isEmpty { windDown() }
        if violations.isEmpty { checkEnd() }
    }

    private func violation(_ text: String) { violations.append("step \(step): \(text)") }

    private func note(_ text: @autoclosure () -> String) {
        if isTraced { trace.append("\(step) \(text())") }
    }

    // MARK: - Actions

    private func act(_ action: Action) {
        switch action {
        case .open: openClient()
        case .clientSends:
            let open = clients.filter { !$0.isDone && !$0.hasLeft }
            guard let client = open.randomElement(using: &random) else { return }
            let count = random.number(1...random.pick([8: 1, 200: 4, World.inputBytes: 4]))
            note("client of \(client.requests) sends \(count)")
            client.sendSome(count)
        case .originWorks:
            adoptOrigins()
            guard let origin = origins.filter({ $0.peer.isConnected }).randomElement(using: &random) else { return }
            work(origin, random.number(1...random.pick([8: 1, 200: 4, World.inputBytes: 6])), isOrderly: false)
        case .connect: connectOne()
        case .tick: advance(milliseconds: random.number(1...200))
        case .jump: advance(milliseconds: random.number(200...15_000))
        case .stall: randomPeer()?.window = random.number(0...2000)
        case .unstall: randomPeer()?.take(random.chance(50) ? .max : random.number(1...4000))
        case .clientLeaves:
            guard let client = clients.randomElement(using: &random) else { return }
            note("client of \(client.requests) leaves")
            client.leave(byReset: random.chance(50))
        case .reload:
            let variant = random.number(0...tables.count - 1)
            note("reload \(variant)")
            reloads += 1
            bench.replace(tables[variant])
        case .idleOriginActs: disturbIdle()
        }
    }

    private func openClient() {
        guard clients.count(where: { !$0.peer.isClosed }) < Self.clientsMax else { return }
        let batch = (0..<random.number(1...4)).map { offset in
            SimulatedRequest(id: requests.count + offset + 1, using: &random)
        }
        for request in batch { requests[request.id] = request }
        let client =
            random.chance(40)
            ? SimulatedHTTP2Client(bench.client(), batch, using: &random) : SimulatedClient(bench.client(), batch)
        clients.append(client)
        note("\(type(of: client)) of \(batch.map { "\($0.id) \($0.method) \($0.upstream) \($0.kind)" })")
    }

    private func adoptOrigins() {
        for peer in bench.origins.dropFirst(origins.count) {
            let isMultiplexed = peer.endpoint.settings.httpVersion == .h2c
            origins.append(
                isMultiplexed
                    ? SimulatedHTTP2Origin(peer, streams: random.number(1...4)) : SimulatedOrigin(peer))
        }
    }

    private func work(_ origin: any OriginPlayer, _ count: Int, isOrderly: Bool) {
        origin.read(&requests, isOrderly: isOrderly, using: &random) { violation($0) }
        note("origin \(origin.peer.upstream) sends up to \(count) of \(origin.outgoingCount)")
        origin.sendSome(count)
    }

    private func connectOne() {
        guard let peer = bench.origins.filter({ !$0.isConnected && !$0.isClosed }).randomElement(using: &random) else {
            return
        }
        if random.chance(88) {
            note("\(peer.upstream) accepts")
            peer.connect()
        } else {
            note("\(peer.upstream) refuses")
            peer.refuse()
        }
    }

    private func advance(milliseconds: Int) {
        note("clock + \(milliseconds) ms")
        bench.advance(by: .milliseconds(milliseconds))
    }

    private func randomPeer() -> Peer? {
        let peers = (clients.map(\.peer) as [Peer] + bench.origins).filter { !$0.isClosed && $0.isConnected }
        return peers.randomElement(using: &random)
    }

    /// An origin closes a connection that is idle, or speaks on it unasked.
    private func disturbIdle() {
        adoptOrigins()
        guard let origin = origins.filter({ $0.isIdle }).randomElement(using: &random) else { return }
        note("idle \(origin.peer.upstream) acts")
        if random.chance(50) { origin.peer.endInput() } else { origin.peer.send("HTTP/1.1 200 OK\r\n\r\n") }
    }

    /// Attempts after the first one, so that a test can see that there were any.
    var retries: Int { bench.gateway.counters.retries }

    // MARK: - Checks

    private var endpoints: [Endpoint] { bench.gateway.generation.upstreams.flatMap(\.endpoints) }

    private func check() {
        for client in clients { client.judge(requests) { violation($0) } }
        let open = bench.origins.count(where: { !$0.isClosed && $0.link.ending == .open })
        if bench.gateway.counters.upstreamConnections != open {
            violation("\(bench.gateway.counters.upstreamConnections) upstream connections counted, \(open) there")
        }
        let connected = clients.filter { !$0.peer.isClosed }.reduce(0) { $0 + $1.exchangesMax }
        if bench.gateway.counters.exchangesOpen > connected {
            violation("\(bench.gateway.counters.exchangesOpen) exchanges where \(connected) are possible")
        }
        checkBudget()
        for endpoint in endpoints where endpoint.pool.count + endpoint.streams.count > World.connectionsMax {
            violation("\(endpoint.pool.count + endpoint.streams.count) connections to '\(endpoint.settings.name)'")
        }
        for gate in World.gates(bench) where gate.inFlight > gate.limit.limit || gate.waiting > gate.limit.queue {
            violation("\(gate.inFlight) in flight and \(gate.waiting) waiting at a limit of \(gate.limit.limit)")
        }
        for client in clients where client.peer.outboxHighWater > client.outboxMax {
            violation("\(client.peer.outboxHighWater) bytes wait for a client")
        }
        for origin in bench.origins where origin.outboxHighWater > World.originOutboxMax {
            violation("\(origin.outboxHighWater) bytes wait for an origin")
        }
    }

    /// A share of the requests and a few a second for each upstream; a reload may bring a new budget.
    private func checkBudget() {
        let upstreams = World.upstreams.count
        let seconds = Int((bench.gateway.now - startedAt) / 1_000_000_000) + 1
        let perSecond = World.retriesPerSecond * upstreams * (seconds + 1 + reloads)
        let counters = bench.gateway.counters
        if counters.retries > perSecond + counters.fetches * World.retriesPercent / 100 + upstreams {
            violation("\(counters.retries) retries of \(counters.fetches) requests in \(seconds) s")
        }
    }

    /// From here on nobody misbehaves any more: whatever is still open has to come to its end.
    private func windDown() {
        for peer in clients.map(\.peer) as [Peer] + bench.origins { peer.take(.max) }
        isDraining = random.chance(15)
        if isDraining {
            note("drain")
            bench.gateway.drain()
            bench.turn()
        }
        for _ in 0..<120 {
            step += 1
            for client in clients where !client.hasLeft { client.sendSome(.max) }
            for peer in bench.origins where !peer.isConnected { peer.connect() }
            adoptOrigins()
            for origin in origins where !origin.peer.isClosed {
                origin.peer.take(.max)
                work(origin, .max, isOrderly: true)
            }
            check()
            if clients.allSatisfy({ $0.isDone || $0.hasLeft }) || !violations.isEmpty { return }
            advance(milliseconds: 500)
        }
    }

    private func checkEnd() {
        for client in clients {
            // Whoever is idle is let go when the daemon stops, with whatever it was about to ask.
            if !isDraining { client.judgeEnd(requests) { violation($0) } }
            client.leave(byReset: true)
        }
        // Health checks go on as long as the daemon does.
        bench.gateway.drain()
        bench.advance(by: .seconds(100))
        let counters = bench.gateway.counters
        if counters.connections != 0 { violation("\(counters.connections) clients are left") }
        if counters.exchangesOpen != 0 { violation("\(counters.exchangesOpen) exchanges are left") }
        if counters.upstreamConnections != 0 {
            violation("\(counters.upstreamConnections) upstream connections are left")
        }
        for endpoint in endpoints where endpoint.pool.count != 0 || endpoint.pool.waitingCount != 0 {
            violation("the pool of '\(endpoint.settings.name)' has \(endpoint.pool.count)")
        }
        for endpoint in endpoints where endpoint.streams.count != 0 || endpoint.streams.waitingCount != 0 {
            violation("'\(endpoint.settings.name)' has \(endpoint.streams.count) connections of HTTP/2")
        }
        for gate in World.gates(bench) where gate.inFlight != 0 || gate.waiting != 0 {
            violation("\(gate.inFlight) in flight and \(gate.waiting) waiting in the end")
        }
        if bench.gateway.loop.timers.count != 0 { violation("\(bench.gateway.loop.timers.count) timers are armed") }
    }
}
