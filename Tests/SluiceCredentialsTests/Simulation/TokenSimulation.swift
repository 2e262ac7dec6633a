import SluiceContract

@testable import SluiceCredentials
@testable import SluiceGateway

/// The whole life of a credential from a seed: daemons with several loops that share a state folder, an authorization
/// server, and what can happen to all of them. All of it is in one process and on one clock; what sleeps, jumps and is
/// skewed are the dates.
final class TokenSimulation {
    private struct Event {
        var time: UInt64
        var number: Int
        var body: () -> Void
    }

    /// How the way to the server is.
    enum Weather: Int, CaseIterable {
        case fair, slow, requestLost, answerLost, unavailable, restsWanted, stuck
    }

    /// A step that is left out, to see whether it is missed.
    enum Omission: CaseIterable {
        /// Renewals take no lock.
        case lock
        /// Folders are not synced.
        case sync
        /// The refresh token before the last one is not kept.
        case previousToken
        /// A request that has waited for a connection goes out as it is.
        case secondLook
    }

    let seed: UInt64
    let omission: Omission?
    var random: RandomSource
    private(set) var now: UInt64 = 1_000_000_000_000
    /// Seconds since 1970 at the beginning of `now`, by the machine and by the server.
    private var wallBase = 1_800_000_000
    private var serverBase: Int
    private var events: [Event] = []
    private var eventCount = 0
    let disk: SimulatedDisk
    var server: SimulatedServer
    private(set) var daemons: [SimulatedDaemon] = []
    let client: OAuth2Client
    private(set) var violations: [String] = []
    private(set) var trace: [String] = []
    private let isTraced: Bool
    private var weather = Weather.fair
    private var refusesAll = false
    /// Orders until a daemon dies.
    private var ordersLeft: Int?
    /// Requests that ended well, and others.
    var ended = [0, 0]
    private(set) var exchanges = 0
    private var askedAt: [UInt64] = []
    private var seenChanges = 0

    init(seed: UInt64, isTraced: Bool = false, without omission: Omission? = nil) {
        self.seed = seed
        self.omission = omission
        self.isTraced = isTraced
        random = RandomSource(seed: seed)
        var client = OAuth2Client()
        client.tokenURL = "https://accounts.example/token"
        client.clientID = "cli"
        self.client = client
        disk = SimulatedDisk(syncs: omission != .sync)
        server = SimulatedServer(lifetime: [20, 60, 300, 3600][Int(random.below(4))])
        serverBase = 1_800_000_000 + Int(random.below(3)) * 40 - 40
    }

    // MARK: - Time and chance

    var moment: Moment { Moment(now: now, unix: wallBase + Int(now / 1_000_000_000)) }
    private var serverTime: Int { serverBase + Int(now / 1_000_000_000) }

    func seconds(upTo most: Double) -> Double { Double(random.below(1 << 20)) / Double(1 << 20) * most }

    func after(_ seconds: Double, _ body: @escaping () -> Void) {
        eventCount += 1
        let event = Event(time: now + UInt64(max(0, seconds) * 1e9), number: eventCount, body: body)
        // Latest first; of two at the same time the first one comes first.
        var (low, high) = (0, events.count)
        while low < high {
            let middle = (low + high) / 2
            if events[middle].time > event.time { low = middle + 1 } else { high = middle }
        }
        events.insert(event, at: low)
    }

    private func run(until end: UInt64) {
        while let event = events.last, event.time <= end, violations.isEmpty {
            events.removeLast()
            now = event.time
            event.body()
        }
        now = end
    }

    func violate(_ what: String) { violations.append("\(now / 1_000_000) ms: \(what)") }

    func note(_ line: @autoclosure () -> String) {
        if isTraced { trace.append("\(now / 1_000_000) ms: \(line())") }
    }

    /// Whether the daemon dies before its next order.
    func diesNow() -> Bool {
        guard let left = ordersLeft else { return false }
        ordersLeft = left > 0 ? left - 1 : nil
        return left == 0
    }

    // MARK: - The course of things

    func run() {
        do {
            let folder = try StateFolder("/state", on: disk)
            let tokens = server.signIn(at: serverTime)
            try folder.save(
                TokenRecord(
                    tokens, after: nil, .code("c", verifier: "v", redirect: "r"), client, family: 7, at: moment),
                of: "fruit")
            daemons = try (0..<(1 + Int(random.below(3)))).map { try SimulatedDaemon(self, "daemon \($0)") }
        } catch {
            return violate("nothing begins: \(error)")
        }
        let length = Double(min(max(server.lifetime * 6, 300), 3 * 3600))
        for _ in 0..<40 {
            after(seconds(upTo: length)) { self.requests(Int(self.random.below(6)), mustSucceed: false) }
        }
        for _ in 0..<(4 + random.below(12)) { after(seconds(upTo: length)) { self.happen() } }
        run(until: now + UInt64(length * 1e9))
        calm()
        run(until: now + 600_000_000_000)
        for _ in 0..<3 {
            requests(4, mustSucceed: true)
            run(until: now + 30_000_000_000)
        }
        let open = daemons.reduce(0) { $0 + $1.open }
        if open > 0, violations.isEmpty { violate("\(open) requests never end") }
        if let token = server.reuse { violate("the family is revoked: reuse of \(token)") }
        events = []
    }

    /// From here on all is well.
    private func calm() {
        note("calm")
        (weather, refusesAll, ordersLeft) = (.fair, false, nil)
        disk.isFull = false
        disk.interrupt(after: nil)
        for index in daemons.indices { restart(index) }
    }

    private func requests(_ count: Int, mustSucceed: Bool) {
        for daemon in daemons where !daemon.isDead {
            for number in 0..<count { daemon.loops[number % daemon.loops.count].begin(mustSucceed: mustSucceed) }
        }
    }

    private func restart(_ index: Int) {
        guard daemons[index].isDead else { return }
        do { daemons[index] = try SimulatedDaemon(self, daemons[index].name) } catch { violate("\(error)") }
    }

    func died(_ daemon: SimulatedDaemon) {
        guard let index = daemons.firstIndex(where: { $0 === daemon }) else { return }
        after(seconds(upTo: 20)) { self.restart(index) }
    }

    private func happen() {
        let what = random.below(12)
        note("chance \(what)")
        switch what {
        case 0, 1:
            weather = Weather.allCases[Int(random.below(UInt64(Weather.allCases.count)))]
            after(seconds(upTo: 200)) { self.weather = .fair }
        case 2: daemons[Int(random.below(UInt64(daemons.count)))].kill()
        case 3: ordersLeft = Int(random.below(20))
        case 4: disk.interrupt(after: Int(random.below(3)))
        case 5: cutPower()
        case 6: jump(Int(random.below(3)) == 0 ? Int(random.below(86_400)) : Int(random.below(600)))
        case 7: sleep(Int(random.below(7200)))
        case 8:
            disk.isFull = true
            after(seconds(upTo: 60)) { self.disk.isFull = false }
        case 9:
            server.forgetAccessTokens()
            if random.below(12) == 0 { server.end() }
        case 10: server.takeOver()
        default:
            refusesAll = true
            after(seconds(upTo: 40)) { self.refusesAll = false }
        }
    }

    private func cutPower() {
        for daemon in daemons { daemon.kill() }
        disk.cutPower { Int(self.random.below(UInt64($0))) }
    }

    private func jump(_ seconds: Int) { wallBase += random.below(2) == 0 ? seconds : -seconds }

    /// The monotonic clock stands still meanwhile.
    private func sleep(_ seconds: Int) {
        wallBase += seconds
        serverBase += seconds
    }

    func filesChanged() {
        guard disk.changes != seenChanges else { return }
        seenChanges = disk.changes
        for daemon in daemons { daemon.after(seconds(upTo: 0.05)) { daemon.look() } }
    }

    // MARK: - The server and the upstream

    func upstreamTakes(_ token: String) -> Bool { !refusesAll && server.takes(token, at: serverTime) }

    func ask(_ token: String, _ done: @escaping (TokenAnswer) -> Void) {
        exchanges += 1
        checkPace()
        let way = 0.002 + seconds(upTo: 0.1)
        func exchange(then answerAfter: Double?) {
            after(way) { [self] in
                let answer = server.exchange(token, at: serverTime)
                if let answerAfter { after(answerAfter) { done(answer) } }
            }
        }
        func unavailable(_ why: String, after seconds: Double, retryAfter: Int? = nil) {
            after(seconds) { done(.unavailable(why, retryAfterSeconds: retryAfter)) }
        }
        switch weather {
        case .fair: exchange(then: way)
        case .slow: exchange(then: seconds(upTo: 14))
        case .requestLost: unavailable("no route", after: way)
        case .answerLost:
            exchange(then: nil)
            unavailable("no answer", after: 15)
        case .unavailable: unavailable("status 503", after: way)
        case .restsWanted: unavailable("status 429", after: way, retryAfter: Int(random.below(90)))
        case .stuck: exchange(then: 60 + seconds(upTo: 120))
        }
    }

    /// Renewals in a minute: those that tokens of so short a life want, the tries after failures, refusals, and starts.
    private func checkPace() {
        askedAt.append(now)
        askedAt.removeAll { $0 + 60_000_000_000 < now }
        let most = 150 / server.lifetime + daemons.count * 10 + 10
        if askedAt.count > most { violate("\(askedAt.count) requests for tokens within a minute") }
    }
}
