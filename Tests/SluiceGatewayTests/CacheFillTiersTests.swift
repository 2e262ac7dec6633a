import SluiceCache
import SluiceContract
import Synchronization
import Testing

@testable import SluiceGateway

/// What stands behind the memory store: it is asked before the upstream, once for all who wait.
@Suite struct CacheFillTiersTests {
    /// A tier whose answers come when the test says so.
    final class Tier: CacheTier {
        let place: TierPlace
        private let state = Mutex(State())

        struct State {
            var entries: [CacheKey: StoredResponse] = [:]
            var waiting: [(query: TierQuery, reply: @Sendable (StoredResponse?) -> Void)] = []
            var lookups = 0
            var isResting = false
        }

        init(_ place: TierPlace = .disk) { self.place = place }

        var isResting: Bool { state.withLock { $0.isResting } }
        var lookups: Int { state.withLock { $0.lookups } }
        var entries: [CacheKey: StoredResponse] { state.withLock { $0.entries } }
        func rest() { state.withLock { $0.isResting = true } }

        func find(_ query: TierQuery, _ reply: @escaping @Sendable (StoredResponse?) -> Void) {
            state.withLock { state in
                state.waiting.append((query, reply))
                state.lookups += 1
            }
        }

        func keep(_ entry: StoredResponse, receivedAt: Int) { state.withLock { $0.entries[entry.key] = entry } }
        func invalidated(_ slot: UInt32) {}
        func purge(_ request: PurgeRequest) {
            if case .key(let key) = request.selection { state.withLock { $0.entries[key] = nil } }
        }
        func slots(of label: EntryLabel) -> [UInt32] { label.target == Array("/fruits".utf8) ? [9] : [] }
        func configure(_ settings: CacheSettings) {}
        func close() {}

        /// Answers all that have asked, as a record would be read back: with new times, in a new object.
        func answer() {
            let (waiting, entries) = state.withLock { state in
                defer { state.waiting = [] }
                return (state.waiting, state.entries)
            }
            for lookup in waiting {
                let entry = lookup.query.keys.compactMap { entries[$0] }.first
                lookup.reply(
                    entry.flatMap { entry in
                        let secret: (UInt64, UInt64) = (1, 2)
                        let bytes = TierRecord.bytes(of: entry, receivedAt: 0, marks: [], secret: secret)
                        return bytes.withUnsafeBytes { raw in
                            var query = lookup.query
                            query.unixSeconds = Int((query.now - entry.responseTime) / 1_000_000_000)
                            return TierRecord(raw, secret: secret)?.response(
                                raw, query, dependencies: entry.dependencies)
                        }
                    })
            }
        }
    }

    /// Loops over one memory store after the other, before the same tier: a new one is a restart.
    final class Loops {
        let tier: Tier
        let chain: TierChain
        private(set) var benches: [Bench] = []
        private var mailboxes: [LoopMailbox] = []
        private let table: RouteTable
        private let base = MemoryStore(CacheSettings())
        static let request = "GET /fruits HTTP/1.1\r\nHost: localhost\r\n"

        init(_ place: TierPlace = .disk, _ edit: (inout Binding) -> Void = { _ in }) throws {
            let binding = try Build.binding("GET /fruits", to: "fruit /fruits") {
                $0.cache = CachePolicy()
                $0.unknownParameters = .pass
                edit(&$0)
            }
            table = try RouteTable(Build.configuration([binding]))
            tier = Tier(place)
            chain = TierChain([tier])
            restart()
        }

        init(_ bindings: [Binding]) throws {
            table = try RouteTable(Build.configuration(bindings))
            tier = Tier(.disk)
            chain = TierChain([tier])
            restart()
        }

        /// The memory is lost, the tier and its counters are not.
        func restart(memoryBytes: Int = CacheSettings().memoryBytes) {
            let now = benches.first?.gateway.now
            var settings = CacheSettings()
            settings.memoryBytes = memoryBytes
            let store = MemoryStore(settings, secret: base.secret, epochs: base.epochs)
            let cache = SharedCache(store, tiers: chain)
            mailboxes = [.init(), .init()]
            benches = mailboxes.map { Bench(table, cache: cache, address: $0.address) }
            if let now { benches.forEach { $0.advance(by: .nanoseconds(Int64(now - $0.gateway.now))) } }
        }

        func deliver() { LoopMailbox.deliver(mailboxes, to: benches) }

        func answer() {
            tier.answer()
            deliver()
        }

        func ask(_ loop: Int = 0, _ fields: String..., target: String = "/fruits") -> ClientPeer {
            let client = benches[loop].client()
            let lines = fields.map { $0 + "\r\n" }.joined()
            client.request("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\(lines)\r\n")
            deliver()
            return client
        }

        func send(_ fields: String..., body: String = "apple", loop: Int = 0) throws {
            try benches[loop].origin().send(
                "HTTP/1.1 200 OK\r\n" + fields.map { $0 + "\r\n" }.joined()
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
            deliver()
        }

        /// Puts an answer in, and forgets it in memory.
        func fill(_ fields: String..., request: [String] = [], target: String = "/fruits") throws {
            let client = benches[0].client()
            let lines = request.map { $0 + "\r\n" }.joined()
            client.request("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\(lines)\r\n")
            answer()
            answer()
            try benches[0].origin().send(
                "HTTP/1.1 200 OK\r\n" + fields.map { $0 + "\r\n" }.joined() + "Content-Length: 5\r\n\r\napple")
            deliver()
            #expect(client.answers.first?.text == "apple")
        }

        var fetches: Int { benches.reduce(0) { $0 + $1.origins.reduce(0) { $0 + $1.requests.count } } }
        func expectQuiet() { benches.forEach { $0.expectQuiet() } }
    }

    @Test func whatIsThereSparesTheFetch() throws {
        let loops = try Loops()
        try loops.fill("Cache-Control: max-age=60")
        loops.restart()
        loops.benches.forEach { $0.advance(by: .seconds(5)) }
        let client = loops.ask()
        #expect(client.answers.isEmpty)
        loops.answer()
        #expect(client.answers.first?.text == "apple")
        #expect(client.answers.first?["Age"] == "5")
        #expect(client.answers.first?["Cache-Status"] == "sluice; hit; ttl=55; detail=DISK")
        // From memory now.
        #expect(loops.ask().answers.first?["Cache-Status"] == "sluice; hit; ttl=55")
        #expect(loops.fetches == 0)
        loops.expectQuiet()
    }

    @Test func whatIsNotThereIsFetchedOnce() throws {
        let loops = try Loops()
        let clients = (0..<6).map { loops.ask($0 % 2) }
        #expect(loops.tier.lookups == 1)
        #expect(loops.fetches == 0)
        loops.answer()
        #expect(loops.fetches == 1)
        try loops.send("Cache-Control: max-age=60")
        for client in clients { #expect(client.answers.first?.text == "apple") }
        #expect(clients[0].answers.first?["Cache-Status"] == "sluice; fwd=uri-miss; stored")
        #expect(loops.tier.lookups == 1)
        loops.expectQuiet()
    }

    @Test func allLoopsHaveWhatOneWasTold() throws {
        let loops = try Loops(.shared)
        try loops.fill("Cache-Control: max-age=60")
        loops.restart()
        let clients = (0..<6).map { loops.ask($0 % 2) }
        loops.answer()
        for client in clients {
            #expect(client.answers.first?["Cache-Status"] == "sluice; hit; ttl=60; detail=SHARED")
        }
        #expect(loops.fetches == 0)
        loops.expectQuiet()
    }

    @Test func clientsLeaveWhileItIsAsked() throws {
        let loops = try Loops()
        let first = loops.ask()
        let second = loops.ask()
        first.reset()
        loops.deliver()
        loops.answer()
        #expect(loops.fetches == 1)
        second.reset()
        loops.deliver()
        let third = loops.ask()
        third.reset()
        loops.deliver()
        // Nobody waits for this answer any more.
        loops.answer()
        loops.expectQuiet()
    }

    @Test func aStaleOneIsValidated() throws {
        let loops = try Loops()
        try loops.fill("Cache-Control: max-age=60", "ETag: \"a\"")
        loops.benches.forEach { $0.advance(by: .seconds(61)) }
        loops.restart()
        let client = loops.ask()
        loops.answer()
        #expect(try loops.benches[0].forwarded()["If-None-Match"] == "\"a\"")
        try loops.benches[0].origin().send("HTTP/1.1 304 Not Modified\r\n\r\n")
        loops.deliver()
        #expect(client.answers.first?.text == "apple")
        #expect(client.answers.first?["Cache-Status"] == "sluice; fwd=stale; fwd-status=304")
        #expect(loops.tier.lookups == 2)
    }

    /// RFC 5861 §3.
    @Test func aStaleOneIsAnsweredWhileItIsFetched() throws {
        let loops = try Loops()
        try loops.fill("Cache-Control: max-age=60, stale-while-revalidate=100")
        loops.benches.forEach { $0.advance(by: .seconds(61)) }
        loops.restart()
        let client = loops.ask()
        loops.answer()
        #expect(client.answers.first?["Cache-Status"] == "sluice; hit; ttl=-1; detail=stale-while-revalidate")
        #expect(loops.fetches == 1)
    }

    /// RFC 9111 §4.1: what selects among the answers is there, too.
    @Test func variantsAreFound() throws {
        let loops = try Loops()
        try loops.fill("Cache-Control: max-age=60", "Vary: Accept-Language", request: ["Accept-Language: de"])
        loops.restart()
        let (german, english) = (loops.ask(0, "Accept-Language: de"), loops.ask(0, "Accept-Language: en"))
        loops.answer()
        #expect(german.answers.isEmpty)
        loops.answer()
        #expect(german.answers.first?["Cache-Status"] == "sluice; hit; ttl=60; detail=DISK")
        #expect(english.answers.isEmpty)
        #expect(loops.fetches == 1)
        try loops.send("Cache-Control: max-age=60", "Vary: Accept-Language", body: "fruit")
        #expect(english.answers.first?.text == "fruit")
        #expect(english.answers.first?["Cache-Status"] == "sluice; fwd=vary-miss; stored")
    }

    /// RFC 9111 §5.2.1.7.
    @Test func onlyIfCachedLooksThereToo() throws {
        let loops = try Loops()
        let without = loops.ask(0, "Cache-Control: only-if-cached")
        #expect(without.answers.isEmpty)
        loops.answer()
        #expect(without.answers.first?.status == 504)
        #expect(loops.fetches == 0)
        loops.benches.forEach { $0.advance(by: .seconds(2)) }
        try loops.fill("Cache-Control: max-age=60")
        loops.restart()
        let with = loops.ask(0, "Cache-Control: only-if-cached")
        loops.answer()
        #expect(with.answers.first?.text == "apple")
        loops.expectQuiet()
    }

    /// RFC 9111 §5.2.1.4: the client wants the upstream's.
    @Test func noCacheAsksNobodyElse() throws {
        let loops = try Loops()
        _ = loops.ask(0, "Cache-Control: no-cache")
        #expect(loops.fetches == 1)
        #expect(loops.tier.lookups == 0)
    }

    @Test func whoRestsIsNotWaitedFor() throws {
        let loops = try Loops()
        loops.tier.rest()
        _ = loops.ask()
        #expect(loops.fetches == 1)
        #expect(loops.tier.lookups == 0)
    }

    /// Another gateway may have brought it up to date.
    @Test func whatIsStaleInMemoryMayBeNewerElsewhere() throws {
        for (place, lookups) in [(TierPlace.shared, 2), (.disk, 1)] {
            let loops = try Loops(place)
            try loops.fill("Cache-Control: max-age=60")
            loops.benches.forEach { $0.advance(by: .seconds(61)) }
            _ = loops.ask()
            #expect(loops.tier.lookups == lookups)
        }
    }

    /// A purge by another gateway counts up what stands for a label.
    @Test func whatOthersPurgeIsAskedForAgain() throws {
        let loops = try Loops()
        try loops.fill("Cache-Control: max-age=60")
        #expect(loops.ask().answers.first?.text == "apple")
        loops.benches[0].gateway.loopCache.store.epochs.count(9)
        let client = loops.ask()
        loops.answer()
        #expect(loops.fetches == 2)
        try loops.send("Cache-Control: max-age=60", body: "fruit")
        #expect(client.answers.first?.text == "fruit")
        loops.expectQuiet()
    }

    /// What was invalidated or purged while it was read must not come back.
    @Test func whatChangesMeanwhileIsNotUsed() throws {
        for isPurge in [false, true] {
            let loops = try Loops()
            try loops.fill("Cache-Control: max-age=60")
            loops.restart()
            let client = loops.ask()
            if isPurge {
                loops.chain.purge(PurgeRequest(.everything))
            } else {
                let epochs = loops.benches[0].gateway.loopCache.store.epochs
                for slot in 0..<UInt32(Epochs.slotCount) { epochs.count(slot) }
            }
            loops.answer()
            #expect(client.answers.isEmpty)
            #expect(loops.fetches == 1)
        }
    }
}
