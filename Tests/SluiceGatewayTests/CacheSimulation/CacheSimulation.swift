import SluiceCache
import SluiceContract

@testable import SluiceGateway

/// Clients, the gateways of several loops with one cache, and an origin whose resources change, in one thread, driven
/// by a seed. Messages between the loops come late, and in any mixture.
final class CacheSimulation {
    private(set) var violations: [String] = []
    private(set) var trace: [String] = []
    private(set) var hits = 0
    private(set) var finds = 0
    private let isTraced: Bool
    var random: SeededGenerator
    private(set) var benches: [Bench] = []
    private let mailboxes: [LoopMailbox]
    private var clients: [CacheClient] = []
    private var origins: [CacheOrigin] = []
    let history = CacheHistory()
    /// Newest version that a client has been told of, by resource.
    private var told: [Int: Int] = [:]
    private var clientCount = 0
    private var step = 0
    private static let stepsMax = 220
    private static let clientsMax = 8
    private let firstResource: Int
    let tiers: [CacheSimulationTier]
    var purge: (request: PurgeRequest, place: MemoryStore.Place, serial: Int)?

    enum Action {
        case open, originWorks, connect, message, tick, jump, stall, unstall, clientLeaves, change
        case tier, tierTells, tierVanishes, forget, purge
    }

    private static let table: RouteTable? = try? RouteTable(CachedWorld.configuration())

    init(seed: UInt64, isTraced: Bool = false) {
        random = SeededGenerator(seed: seed)
        self.isTraced = isTraced
        firstResource = Int(seed % UInt64(CachedWorld.resources))
        mailboxes = (0..<Int(seed % 3) + 1).map { _ in LoopMailbox() }
        guard let table = Self.table else { preconditionFailure("the configuration cannot be served") }
        // Sometimes there is little room, and what was stored goes.
        var settings = CacheSettings()
        if seed % 5 == 4 { settings.memoryBytes = 60 << 10 }
        let store = MemoryStore(settings)
        // Half of the seeds have tiers behind the memory: a disk, a shared one, or both.
        let places: [TierPlace] = [[.disk], [.shared], [.disk, .shared]][Int(seed / 6 % 3)]
        tiers = seed / 3 % 2 == 0 ? [] : places.map { CacheSimulationTier($0, store.epochs) }
        let cache = SharedCache(store, tiers: tiers.isEmpty ? nil : TierChain(tiers))
        benches = mailboxes.map { Bench(table, pageBytes: 2500, cache: cache, address: $0.address) }
        for bench in benches { bench.connectsAtOnce = false }
    }

    func run() {
        for bench in benches { bench.violation = { [unowned self] in violation($0) } }
        while step < Self.stepsMax, violations.isEmpty {
            step += 1
            act(
                random.pick([
                    .open: 30, .originWorks: 36, .connect: 12, .message: 24, .tick: 8, .jump: 2, .stall: 3, .unstall: 6,
                    .clientLeaves: 3, .change: 2, .purge: 2, .tier: tiers.isEmpty ? 0 : 50,
                    .tierTells: tiers.isEmpty ? 0 : 50, .tierVanishes: tiers.isEmpty ? 0 : 1,
                    .forget: tiers.isEmpty ? 0 : 8,
                ]))
            check()
        }
        if violations.isEmpty { windDown() }
        if violations.isEmpty { checkEnd() }
        finds = tiers.reduce(0) { $0 + $1.found }
        hits = benches.reduce(0) { $0 + $1.gateway.loopCache.tally.counts.hits }
    }

    private func violation(_ text: String) { violations.append("step \(step): \(text)") }

    func note(_ text: @autoclosure () -> String) {
        if isTraced { trace.append("\(step) \(text())") }
    }

    private var now: UInt64 { benches[0].gateway.now }

    // MARK: - Actions

    private func act(_ action: Action) {
        switch action {
        case .open: openClient()
        case .originWorks:
            guard let origin = origins.filter({ !$0.peer.isClosed }).randomElement(using: &random) else { return }
            work(origin, random.number(1...random.pick([30: 1, 400: 3, 20_000: 6])), isOrderly: false)
        case .connect: connectOne()
        case .message: deliver(random.number(0...mailboxes.count - 1), random.number(1...3))
        case .tick: advance(milliseconds: random.number(1...400))
        case .jump:
            // Messages and tiers may be late, but not by so much.
            finishTiers()
            deliverAll()
            check()
            advance(milliseconds: random.number(400...30_000))
        case .stall: clients.randomElement(using: &random)?.stall(random.number(0...2000))
        case .unstall: clients.randomElement(using: &random)?.peer.take(random.chance(50) ? .max : 4000)
        case .clientLeaves:
            guard let client = clients.randomElement(using: &random) else { return }
            note("client \(client.id) leaves")
            // What nobody waits for any more is given up, and its rest may still be on its way when the next one asks.
            history.touch(client.resource)
            client.leave()
        case .change:
            // Behind the gateway's back: what is stored of it may still be answered while it is fresh.
            let id = random.number(0...CachedWorld.resources - 1)
            note("\(id) changes")
            history.change(id)
        default: actOnStore(action)
        }
        adopt()
    }

    private func openClient() {
        clients.removeAll { client in
            guard client.isDone else { return false }
            client.leave()
            return true
        }
        guard clients.count < Self.clientsMax else { return }
        clientCount += 1
        let loop = random.number(0...benches.count - 1)
        // Few at a time, so that they meet.
        let resource = (firstResource + step / 40 * 3 + random.number(0...3)) % CachedWorld.resources
        let client = CacheClient(
            clientCount, benches[loop].client(), resource: resource, told: told, history, using: &random)
        clients.append(client)
        note("loop \(loop): client \(client.id) \(client.method) \(resource) \(client.part ?? "") of \(clients.count)")
    }

    private func adopt() {
        let known = Set(origins.map { ObjectIdentifier($0.peer) })
        for peer in benches.flatMap(\.origins) where !known.contains(ObjectIdentifier(peer)) && !peer.isClosed {
            origins.append(CacheOrigin(peer))
        }
        origins.removeAll { $0.peer.isClosed }
    }

    private func work(_ origin: CacheOrigin, _ count: Int, isOrderly: Bool) {
        for id in 0..<CachedWorld.resources {
            let isAsked = clients.contains { $0.resource == id && !$0.isDone }
            if !isAsked, !origins.contains(where: { $0.question == id }) { history.settle(id) }
        }
        let others = origins.filter { $0 !== origin && !$0.peer.isClosed }
        if let fault = origin.read(history, now: now, isOrderly: isOrderly, beside: others, using: &random) {
            violation(fault)
        }
        note("origin at \(origin.asked) sends up to \(count) of \(origin.outgoingCount)")
        origin.sendSome(count, history)
    }

    private func connectOne() {
        let waiting = benches.flatMap(\.origins).filter { !$0.isConnected && !$0.isClosed }
        guard let peer = waiting.randomElement(using: &random) else { return }
        if random.chance(95) { peer.connect() } else { peer.refuse() }
    }

    private func deliver(_ loop: Int, _ count: Int) {
        let messages = mailboxes[loop].take(count)
        note("\(messages.count) messages to loop \(loop)")
        for message in messages {
            benches[loop].gateway.receive(message)
            benches[loop].turn()
        }
    }

    private func deliverAll() {
        while true {
            var count = 0
            for (loop, mailbox) in mailboxes.enumerated() {
                for message in mailbox.take() {
                    benches[loop].gateway.receive(message)
                    benches[loop].turn()
                    count += 1
                }
            }
            if count == 0 { return }
            step += 1
            if step > 100_000 { return violation("messages without end") }
        }
    }

    private func advance(milliseconds: Int) {
        note("clock + \(milliseconds) ms")
        for bench in benches { bench.advance(by: .milliseconds(milliseconds)) }
    }

    // MARK: - Checks

    private func check() {
        for client in clients where !client.hasLeft {
            if let fault = client.fault(history, now: now) {
                violation("client \(client.id) (\(client.method) \(client.resource) \(client.part ?? "")): \(fault)")
            }
            guard let answer = client.peer.answers.first, client.method == "PUT", answer.isComplete,
                let version = answer["X-Version"].flatMap({ Int($0) })
            else { continue }
            told[client.resource] = max(told[client.resource] ?? 0, version)
        }
    }

    /// From here on nobody misbehaves any more: everybody has an answer in the end.
    private func windDown() {
        for client in clients { client.peer.take(.max) }
        for _ in 0..<80 {
            step += 1
            finishStores()
            deliverAll()
            for peer in benches.flatMap(\.origins) where !peer.isConnected { peer.connect() }
            adopt()
            for origin in origins where !origin.peer.isClosed { work(origin, .max, isOrderly: true) }
            check()
            if clients.allSatisfy(\.isDone) || !violations.isEmpty { return }
            advance(milliseconds: 500)
        }
    }

    private func checkEnd() {
        for client in clients where !client.isDone { violation("client \(client.id) has no answer") }
        for client in clients { client.leave() }
        for _ in 0..<3 {
            deliverAll()
            for bench in benches { bench.turn() }
        }
        for (loop, bench) in benches.enumerated() {
            let loopCache = bench.gateway.loopCache
            // What was fetched for nobody in particular may still be on its way.
            advance(milliseconds: 15_000)
            deliverAll()
            if !loopCache.fills.isEmpty { violation("\(loopCache.fills.count) fills are left on loop \(loop)") }
            if !loopCache.detached.isEmpty {
                violation("\(loopCache.detached.count) detached fills are left on loop \(loop)")
            }
            if !loopCache.askingTiers.isEmpty {
                violation("\(loopCache.askingTiers.count) wait for tiers on loop \(loop)")
            }
            if !loopCache.followers.isEmpty {
                violation("\(loopCache.followers.count) followers are left on loop \(loop)")
            }
            let counters = bench.gateway.counters
            if counters.exchangesOpen != 0 { violation("\(counters.exchangesOpen) exchanges are left") }
            if counters.fillsOpen != 0 { violation("\(counters.fillsOpen) fills are left") }
            for endpoint in bench.gateway.generation.upstreams.flatMap(\.endpoints)
            where endpoint.pool.count != endpoint.pool.idle.count || endpoint.pool.waitingCount != 0 {
                violation("the pool has \(endpoint.pool.count) and \(endpoint.pool.waitingCount) wait")
            }
            if !loopCache.shared.isIdle { violation("a loop still claims to ask") }
        }
    }
}
