import SluiceCache
import SluiceContract
import SluiceHTTP
import Testing

@testable import SluiceGateway

/// Listing and purging over the admin socket.
@Suite struct AdminWorkTests {
    private func filled() throws -> AdminBench {
        let bench = try AdminBench()
        try bench.fill("/fruits?limit=3")
        try bench.fill("/fruits")
        try bench.fill("/trees/1", "oak", "Cache-Control: max-age=60", "Cache-Groups: \"wood\"")
        try bench.fill("/trees/2", "elm", "Cache-Control: max-age=60", "Cache-Groups: \"wood\", \"dry\"")
        return bench
    }

    static let lists: [(String, [String])] = [
        ("", ["/fruits?limit=3", "/fruits", "/trees/1", "/trees/2"]), ("?tag=food", ["/fruits?limit=3", "/fruits"]),
        ("?binding=GET+/trees/%7Bid%7D", ["/trees/1", "/trees/2"]), ("?group=dry", ["/trees/2"]),
        ("?target=/fruits%3Flimit=3", ["/fruits?limit=3"]), ("?tag=food&group=dry", []),
        ("?state=fresh&tag=tree", ["/trees/1", "/trees/2"]), ("?state=stale", []), ("?tag=fo", []),
    ]

    @Test(arguments: lists)
    func list(_ query: String, _ targets: [String]) throws {
        let answer = try filled().ask("/cache" + query)
        #expect(answer.status == 200)
        let found = answer.text.split(separator: "\"target\":\"").dropFirst().map { $0.prefix { $0 != "\"" } }
        #expect(Set(found.map(String.init)) == Set(targets), "\(answer.text)")
        #expect(found.count == targets.count)
        #expect(answer.text.contains("\"next\":null"))
    }

    @Test func aLimitedListGoesOn() throws {
        let bench = try filled()
        var after = ""
        var found: [Substring] = []
        for _ in 0..<10 {
            let text = try bench.ask("/cache?limit=1" + after).text
            found += text.split(separator: "\"target\":\"").dropFirst().map { $0.prefix { $0 != "\"" } }
            guard let next = text.split(separator: "\"next\":\"").dropFirst().first else { break }
            after = "&after=\(next.prefix { $0 != "\"" })"
        }
        #expect(Set(found).count == 4)
        #expect(found.count == 4)
    }

    @Test func showsOne() throws {
        let bench = try AdminBench()
        try bench.fill("/fruits", "apple", "Cache-Control: max-age=60", "ETag: \"v1\"", "X-A: 1")
        let text = try bench.ask("/cache/entry?target=/fruits").text
        for part in [
            #""binding":"GET /fruits""#, #""status":200"#, #""bytes":5"#, #""lifetime":60"#, #""state":"fresh""#,
            #""tags":["fruit","food"]"#, #""lifetime_from":"max-age""#, #"["X-A","1"]"#, #""body":"apple""#,
            #""validators":{"etag":"\"v1\""}"#,
        ] { #expect(text.contains(part), "\(part) in \(text)") }
        let key = try #require(text.split(separator: "\"key\":\"").dropFirst().first?.prefix(32))
        #expect(try bench.ask("/cache/entry?key=\(key)").text.contains(#""body":"apple""#))
    }

    /// A body that is no text, or whose text is cut within a character.
    @Test func showsTheBeginningOfABody() throws {
        let bench = try AdminBench()
        try bench.fill("/fruits", String(repeating: "é", count: 600) + "x")
        #expect(try bench.ask("/cache/entry?target=/fruits").text.contains(String(repeating: "é", count: 512) + "\""))
        try bench.fill("/trees/1", "x" + String(repeating: "é", count: 600))
        #expect(try bench.ask("/cache/entry?target=/trees/1").text.contains(String(repeating: "é", count: 511) + "\""))
        let client = bench.bench.client()
        client.request("GET", "/trees/2")
        try bench.bench.origin().send(
            Array("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 2\r\n\r\n".utf8) + [0xff, 0x0a])
        #expect(try bench.ask("/cache/entry?target=/trees/2").text.contains(#""body_hex":"ff0a""#))
    }

    static let purges: [(String, Int, [String])] = [
        ("all", 4, []), ("tag=fruit", 2, ["/trees/1", "/trees/2"]), ("group=dry", 1, ["/fruits", "/trees/1"]),
        ("binding=GET%20/trees/%7Bid%7D", 2, ["/fruits", "/fruits?limit=3"]),
        ("target=/fruits", 1, ["/fruits?limit=3", "/trees/1"]), ("target=/trees/3", 0, ["/trees/1", "/fruits"]),
        // Another spelling of what was stored for /fruits.
        ("target=/fruits%3Flimit=10", 1, ["/fruits?limit=3", "/trees/2"]), ("tag=nothing", 0, ["/fruits"]),
    ]

    @Test(arguments: purges)
    func purge(_ query: String, _ count: Int, _ left: [String]) throws {
        let bench = try filled()
        let answer = try bench.ask("/cache?\(query)", by: "DELETE")
        #expect(answer.text == "{\"purged\":\(count),\"soft\":false}\n")
        for target in left { #expect(try bench.status(target).hasPrefix("sluice; hit")) }
        let gone = ["/fruits?limit=3", "/fruits", "/trees/1", "/trees/2"].filter { target in
            !bench.bench.gateway.isStored(target)
        }
        #expect(gone.count == count)
    }

    /// Nothing is found where nobody has bound it, and that is told.
    @Test(arguments: ["GET", "DELETE"])
    func aBindingThatIsNoneIsTold(method: String) throws {
        let bench = try filled()
        let answer = try bench.ask("/cache?binding=GET%20/fruit", by: method)
        #expect(answer.status == 404 && answer.text.contains("did you mean 'GET /fruits'?"), "\(answer.text)")
    }

    @Test func aSoftPurgeKeepsWhatIsValidated() throws {
        let bench = try AdminBench()
        try bench.fill("/fruits", "apple", "Cache-Control: max-age=60", "ETag: \"a\"")
        #expect(try bench.ask("/cache?tag=fruit&soft", by: "DELETE").text == "{\"purged\":1,\"soft\":true}\n")
        #expect(try bench.ask("/cache?state=stale").text.contains("/fruits"))
        let second = try bench.bench.get("/fruits", answer: "HTTP/1.1 304 Not Modified\r\n\r\n")
        #expect(try bench.bench.forwarded()["If-None-Match"] == "\"a\"")
        #expect(second.text == "apple")
        #expect(second["Cache-Status"] == "sluice; fwd=stale; fwd-status=304")
        #expect(try bench.status("/fruits") == "sluice; hit; ttl=60")
    }

    @Test func aSoftPurgeIsServedWhileRevalidating() throws {
        let bench = try AdminBench { $0.cache?.staleWhileRevalidate = .seconds(30) }
        try bench.fill("/fruits")
        _ = try bench.ask("/cache?all&soft", by: "DELETE")
        bench.bench.advance(by: .seconds(2))
        let second = try bench.bench.get("/fruits", answer: AdminBench.answer("pear", "Cache-Control: max-age=60"))
        #expect(second.text == "apple")
        #expect(second["Cache-Status"] == "sluice; hit; ttl=-2; detail=stale-while-revalidate")
        #expect(try bench.bench.get("/fruits").text == "pear")
    }

    @Test func aSoftPurgeIsServedOnError() throws {
        let bench = try AdminBench { $0.cache?.staleIfError = .seconds(30) }
        try bench.fill("/fruits")
        _ = try bench.ask("/cache?all&soft", by: "DELETE")
        let failed = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n"
        #expect(try bench.bench.get("/fruits", answer: failed).text == "apple")
        bench.bench.advance(by: .seconds(31))
        #expect(try bench.bench.get("/fruits", answer: failed).status == 503)
    }

    // MARK: - What is on its way

    static let onTheWay: [(String, Bool)] = [
        ("all", true), ("tag=fruit", true), ("binding=GET%20/fruits", true), ("target=/fruits", true),
        ("tag=tree", false), ("target=/trees/1", false),
    ]

    /// What was on its way when the purge came reaches who has asked, and nobody who asks later.
    @Test(arguments: onTheWay)
    func aPurgeInTheMiddleOfAFill(_ query: String, _ isMeant: Bool) throws {
        let bench = try AdminBench()
        let before = bench.bench.client()
        before.request("GET", "/fruits")
        let origin = try bench.bench.origin()
        origin.send("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 10\r\n\r\napple")
        _ = try bench.ask("/cache?\(query)", by: "DELETE")
        let after = bench.bench.client()
        after.request("GET", "/fruits")
        #expect(bench.fetches == (isMeant ? 2 : 1))
        origin.send("apple")
        #expect(before.answers.first?.text == "appleapple")
        if isMeant {
            #expect(!bench.bench.gateway.isStored("/fruits"))
            bench.bench.origins.last?.send(AdminBench.answer("pear", "Cache-Control: max-age=60"))
            #expect(after.answers.first?.text == "pear")
        } else {
            #expect(after.answers.first?.text == "appleapple")
        }
        #expect(try bench.status("/fruits") == "sluice; hit; ttl=60")
        for client in [before, after] { client.reset() }
        bench.bench.expectQuiet()
    }

    @Test func aSoftPurgeInTheMiddleOfAFill() throws {
        let bench = try AdminBench()
        let client = bench.bench.client()
        client.request("GET", "/fruits")
        _ = try bench.ask("/cache?all&soft", by: "DELETE")
        try bench.bench.origin().send(AdminBench.answer("apple", "Cache-Control: max-age=60"))
        #expect(client.answers.first?.text == "apple")
        #expect(try bench.status("/fruits") == "sluice; fwd=stale; stored")
    }

    /// An answer with groups that a purge means is known by them only when its head has come.
    @Test func aPurgeByGroupInTheMiddleOfAFill() throws {
        let bench = try AdminBench()
        let client = bench.bench.client()
        client.request("GET", "/fruits")
        _ = try bench.ask("/cache?group=wood", by: "DELETE")
        let fields = ["Cache-Control: max-age=60", "Cache-Groups: \"wood\""]
        try bench.bench.origin().send(AdminBench.answer("apple", fields[0], fields[1]))
        #expect(!bench.bench.gateway.isStored("/fruits"))
    }

    @Test func anErrorIsNotAnsweredAgainAfterAPurge() throws {
        let bench = try AdminBench { $0.cache?.retryAfterError = .seconds(60) }
        try bench.bench.get("/fruits", answer: "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n")
        #expect(try bench.status("/fruits") == "sluice; hit; detail=retry-after-error")
        _ = try bench.ask("/cache?tag=fruit", by: "DELETE")
        #expect(try bench.status("/fruits") == "sluice; fwd=uri-miss; stored")
    }

    // MARK: - Large stores

    private func many(_ count: Int) throws -> AdminBench {
        let bench = try AdminBench()
        let source = EntryLabel.Source(binding: "GET /many", tags: ["many"])
        let facts = CacheFacts(status: 200, HeaderBlock(), now: 0)
        for number in 0..<count {
            var policy = CachePolicy()
            policy.fresh = .seconds(60)
            var head = StoredHead(
                status: 200, freshness: Freshness(facts, policy), initialAge: 0,
                responseTime: bench.bench.gateway.now)
            head.label = EntryLabel(source, target: Array("/many/\(number)".utf8))
            var hash = SipHash(1, 2)
            hash.combine(UInt64(number))
            bench.bench.gateway.loopCache.store.insert(
                StoredResponse.make(head, key: CacheKey(hash), bodyCount: 0) { _ in })
        }
        return bench
    }

    /// A turn of the loop does one step of it; others are served in between.
    @Test func aLongWalkTakesManyTurns() throws {
        let bench = try many(5000)
        let admin = bench.bench.gateway.accepted(
            address: [], isTLS: false, isHTTP2: false, credentials: AdminBench.owner,
            access: ListenerAccess(admin: AdminAccess(owner: 1000)))
        Array("DELETE /cache?tag=many HTTP/1.1\r\nHost: a\r\n\r\n".utf8).withUnsafeBytes { admin.received($0) }
        let isSilent = admin.outbox.isEmpty
        #expect(isSilent)
        var turns = 0
        while bench.bench.gateway.hasPostponed {
            let before = bench.bench.gateway.loopCache.store.usage.entries
            bench.bench.gateway.resumePostponed {}
            let after = bench.bench.gateway.loopCache.store.usage.entries
            #expect(before - after <= MemoryStore.removalsMax)
            turns += 1
        }
        #expect(turns >= 5000 / MemoryStore.removalsMax - 1)
        let hasAnswer = !admin.outbox.isEmpty
        #expect(hasAnswer)
        #expect(bench.bench.gateway.loopCache.store.usage.entries == 0)
        admin.failed(TransportFailure(.connectionReset, "The test is over"))
    }

    /// A client that leaves ends its list; what it purged is purged all the same.
    @Test(arguments: ["GET /cache?tag=nothing", "DELETE /cache?tag=many"])
    func aClientThatLeaves(_ request: String) throws {
        let bench = try many(5000)
        let admin = bench.bench.gateway.accepted(
            address: [], isTLS: false, isHTTP2: false, credentials: AdminBench.owner,
            access: ListenerAccess(admin: AdminAccess(owner: 1000)))
        Array("\(request) HTTP/1.1\r\nHost: a\r\n\r\n".utf8).withUnsafeBytes { admin.received($0) }
        #expect(bench.bench.gateway.hasPostponed)
        admin.failed(TransportFailure(.connectionReset, "It left"))
        var turns = 0
        while bench.bench.gateway.hasPostponed {
            bench.bench.gateway.resumePostponed {}
            turns += 1
        }
        let isPurge = request.hasPrefix("DELETE")
        #expect(bench.bench.gateway.loopCache.store.usage.entries == (isPurge ? 0 : 5000))
        #expect(isPurge ? turns > 10 : turns == 1)
        bench.bench.expectQuiet()
    }

    @Test func aLongListIsCut() throws {
        let bench = try many(3000)
        let answer = try bench.ask("/cache?limit=1000")
        #expect(answer.text.split(separator: "\"key\"").count == 1001)
        #expect(!answer.text.contains("\"next\":null"))
        #expect(try bench.ask("/cache").text.split(separator: "\"key\"").count == 101)
    }

    /// The request that fills the cache is no use of what is stored; those that wait for it neither.
    @Test(arguments: [nil, "JSON"])
    func aMissIsNoHit(type: String?) throws {
        let bench = try AdminBench { $0.value = try type.map { try Build.type($0) } }
        let clients = (0..<2).map { _ in bench.bench.client() }
        for client in clients { client.request("GET", "/fruits") }
        try bench.bench.origin().send(AdminBench.answer("[1]", "Cache-Control: max-age=60"))
        #expect(clients.map { $0.answers.first?.text } == ["[1]", "[1]"])
        #expect(try bench.ask("/cache").text.contains(#""recent_hits":0"#))
        _ = try bench.status("/fruits")
        #expect(try bench.ask("/cache").text.contains(#""recent_hits":1"#))
        clients.forEach { $0.reset() }
    }

    /// Whoever sees an empty list is told where else answers may lie.
    @Test(
        arguments: [(nil, "[]", "Nothing is stored under that"), (.disk, #"["disk"]"#, "Nothing of that is in memory")]
            as [(TierPlace?, String, String)])
    func tellsOfOtherTiers(place: TierPlace?, places: String, detail: String) throws {
        let table = try RouteTable(Build.configuration([]))
        let tiers = place.map { TierChain([CacheFillTiersTests.Tier($0)]) }
        let bench = Bench(table, cache: SharedCache(MemoryStore(CacheSettings()), tiers: tiers))
        func ask(_ target: String) throws -> Message {
            let client = bench.client(credentials: AdminBench.owner, admin: AdminAccess(owner: 1000))
            client.request("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            return try #require(client.answers.first)
        }
        #expect(try ask("/cache").text.contains("\"behind_memory\":\(places)"))
        #expect(try ask("/cache/entry?target=/a").text.contains(detail))
    }

    /// Another spelling of a target is found under every name that clients may ask the gateway by.
    @Test(arguments: ["localhost", "127.0.0.1:8080", "[::1]:8080"])
    func purgesWhatWasAskedForByAnyName(host: String) throws {
        let bench = try AdminBench()
        let client = bench.bench.client()
        client.request("GET /fruits?limit=10 HTTP/1.1\r\nHost: \(host)\r\n\r\n")
        try bench.bench.origin().send(AdminBench.answer("apple", "Cache-Control: max-age=60"))
        #expect(try bench.ask("/cache?target=/fruits", by: "DELETE").text.contains(#""purged":1"#))
        client.reset()
    }

    @Test func counts() throws {
        let bench = try filled()
        for _ in 0..<3 { _ = try bench.status("/fruits") }
        _ = try bench.ask("/cache?tag=tree", by: "DELETE")
        let text = try bench.ask("/cache/stats").text
        for part in [
            #""entries":2"#, #""hits":3"#, #""misses":4"#, #""stored":4"#, #""collapsed":0"#, #""evictions":0"#,
            #""purges":1"#, #""bytes_max":67108864"#,
        ] { #expect(text.contains(part), "\(part) in \(text)") }
    }
}

extension Gateway {
    /// Whether a request for `target` would find something.
    fileprivate func isStored(_ target: String) -> Bool {
        !adminSocket.storedKeys(CacheQuestion(method: "GET", target: Array(target.utf8))).isEmpty
    }
}
