import SluiceCache
import SluiceContract
import Testing

@testable import SluiceGateway

/// What must hold however an answer that is on its way into the cache ends.
@Suite struct CacheFillTests {
    /// A purge comes while the tiers are asked: whoever waits still gets an answer, and who comes later asks anew.
    @Test func whoWaitsForTheTiersIsNotForgotten() throws {
        let loops = try CacheFillTiersTests.Loops()
        let first = loops.ask()
        loops.benches[0].gateway.loopCache.shared.announce([PurgeRequest(.everything)])
        let second = loops.ask()
        loops.answer()
        for origin in loops.benches[0].origins {
            origin.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\napple")
        }
        loops.deliver()
        #expect(first.answers.first?.text == "apple")
        #expect(second.answers.first?.text == "apple")
        loops.expectQuiet()
    }

    /// A purge lands the answer that others wait for, on another loop too: when the last of them leaves, it is given
    /// up.
    @Test func whoLeavesALandedAnswerIsNotWaitedFor() throws {
        let loops = try CacheFillTiersTests.Loops()
        loops.tier.rest()
        let first = loops.ask()
        let other = loops.ask(1)
        loops.benches[0].gateway.loopCache.shared.announce([PurgeRequest(.everything)])
        let third = loops.ask()
        first.reset()
        loops.deliver()
        #expect(loops.benches[0].origins.count == 2)
        #expect(!loops.benches[0].origins[0].isClosed)
        other.reset()
        loops.deliver()
        #expect(loops.benches[0].origins[0].isClosed)
        #expect(loops.benches[0].gateway.loopCache.detached.isEmpty)
        third.reset()
        loops.deliver()
        loops.expectQuiet()
    }

    /// What a 304 ends is not brought back by the tiers: the next request fetches it whole.
    @Test(arguments: ["Vary: X-Lang", "Cache-Control: no-store"]) func a304EndsItInTheTiers(_ field: String) throws {
        let loops = try CacheFillTiersTests.Loops()
        try loops.fill("Cache-Control: max-age=1", "ETag: \"a\"", request: ["X-Lang: de"])
        loops.benches.forEach { $0.advance(by: .seconds(2)) }
        let second = loops.ask(0, "X-Lang: fr")
        loops.answer()
        try loops.benches[0].origin().send("HTTP/1.1 304 X\r\nETag: \"a\"\r\n\(field)\r\n\r\n")
        loops.deliver()
        #expect(second.answers.first?.text == "apple")
        loops.benches.forEach { $0.advance(by: .seconds(2)) }
        let third = loops.ask(0, "X-Lang: fr")
        loops.answer()
        loops.answer()
        #expect(try loops.benches[0].forwarded()["If-None-Match"] == nil)
        try loops.send(body: "pomme")
        #expect(third.answers.first?.text == "pomme")
        loops.expectQuiet()
    }

    /// RFC 9111 §4.1: nobody gets another's variant, also where the note of what selects has gone meanwhile.
    @Test(arguments: [0, 1]) func variantsWithoutTheirNote(loop: Int) throws {
        let loops = try CacheFillTiersTests.Loops()
        loops.tier.rest()
        let german = loops.ask(0, "Accept-Language: de")
        let first = loops.ask(loop, "Accept-Language: en")
        let fields = "Cache-Control: max-age=60\r\nVary: Accept-Language\r\nContent-Length: 5\r\n\r\n"
        try loops.benches[0].origin().send("HTTP/1.1 200 OK\r\n\(fields)ap")
        var place = MemoryStore.Place()
        while loops.benches[0].gateway.loopCache.store.walk(&place, removing: { _ in true }) {}
        loops.deliver()
        let second = loops.ask(loop, "Accept-Language: en")
        loops.benches[0].origins[0].send("fel")
        loops.deliver()
        #expect(german.answers.first?.text == "apfel")
        #expect(first.answers.isEmpty && second.answers.isEmpty)
        for bench in loops.benches {
            for origin in bench.origins where origin.requests.last?["Accept-Language"] == "en" {
                origin.send("HTTP/1.1 200 OK\r\n\(fields)apple")
            }
        }
        loops.deliver()
        #expect(first.answers.first?.text == "apple")
        #expect(second.answers.first?.text == "apple")
        loops.expectQuiet()
    }

    /// RFC 5861 §4: a variant's stale answer takes the place of an error, also where the note of what selects has gone
    /// meanwhile and another variant is on its way.
    @Test func variantsWithoutTheirNoteHaveTheirStaleAnswer() throws {
        let loops = try CacheFillTiersTests.Loops { $0.cache?.staleIfError = .seconds(600) }
        loops.tier.rest()
        let store = loops.benches[0].gateway.loopCache.store
        func loseNotes() {
            var place = MemoryStore.Place()
            while store.walk(&place, removing: { !$0.isAnswer }) {}
        }
        try loops.fill("Cache-Control: max-age=60", "Vary: Accept-Language", request: ["Accept-Language: en"])
        loops.benches.forEach { $0.advance(by: .seconds(61)) }
        loseNotes()
        let german = loops.ask(0, "Accept-Language: de")
        let origin = try loops.benches[0].origin()
        let fields = "Cache-Control: max-age=60\r\nVary: Accept-Language\r\nContent-Length: 5\r\n\r\n"
        origin.send("HTTP/1.1 200 OK\r\n\(fields)ap")
        loops.deliver()
        loseNotes()
        let english = loops.ask(0, "Accept-Language: en")
        try loops.benches[0].origin().send("HTTP/1.1 503 X\r\nContent-Length: 4\r\n\r\noops")
        loops.deliver()
        #expect(english.answers.first?.text == "apple")
        #expect(english.answers.first?["Cache-Status"]?.hasSuffix("detail=stale-if-error") == true)
        origin.send("fel")
        loops.deliver()
        #expect(german.answers.first?.text == "apfel")
        loops.expectQuiet()
    }

    private static let first: [String?] = ["Cache-Control: no-cache", "Prefer: handling=strict", nil]

    /// RFC 5861 §4: the one who asked first takes no stale answer, or has left; those who wait for its request may have
    /// one, on this loop and on another.
    @Test(arguments: first, [0, 1])
    func whoWaitsHasItsStaleAnswer(asking: String?, loop: Int) throws {
        let loops = try CacheFillTiersTests.Loops { $0.cache?.staleIfError = .seconds(600) }
        loops.tier.rest()
        try loops.fill("Cache-Control: max-age=60")
        loops.benches.forEach { $0.advance(by: .seconds(61)) }
        let first = loops.ask(0, asking ?? "Prefer: handling=lenient")
        let second = loops.ask(loop)
        if asking == nil {
            first.reset()
            loops.deliver()
        }
        try loops.benches[0].origin().send(
            "HTTP/1.1 503 X\r\nCache-Control: max-age=9\r\nContent-Length: 4\r\n\r\noops")
        loops.deliver()
        #expect(first.answers.map(\.text) == (asking == nil ? [] : ["oops"]))
        #expect(second.answers.first?.text == "apple")
        #expect(
            second.answers.first?["Cache-Status"]
                == "sluice; fwd=stale; fwd-status=503; collapsed; detail=stale-if-error")
        // The one that the test filled the cache with, and this.
        #expect(loops.fetches == 2)
        loops.expectQuiet()
    }

    /// RFC 9111 §3.5: the same text in another field is another credential, and its request another one.
    @Test func credentialsInAnotherFieldAreOthers() throws {
        let binding = try Build.binding("GET /fruits", to: "fruit /fruits") { $0.cache = CachePolicy() }
        let bench = try Bench(Build.configuration([binding]))
        let clients = ["Authorization: Bearer x", "X-API-Key: Bearer x", "X-API-Key: Bearer x"].map { line in
            let client = bench.client()
            client.request("GET /fruits HTTP/1.1\r\nHost: localhost\r\n\(line)\r\n\r\n")
            return client
        }
        #expect(bench.origins.flatMap(\.requests).count == 2)
        clients.forEach { $0.reset() }
        bench.expectQuiet()
    }

    /// A fetch that fails before its head gives its place to the next.
    @Test func aFailedFetchLeavesItsPlace() throws {
        let binding = try Build.binding("GET /fruits", to: "fruit /fruits") {
            $0.cache = CachePolicy()
            $0.concurrency = ConcurrencyLimit(1, queue: 0)
        }
        let bench = try Bench(Build.configuration([binding]))
        for _ in 0..<3 {
            let client = bench.client()
            client.request("GET /fruits HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let origin = try bench.origin()
            origin.send("HTTP/1.1 nonsense\r\n\r\n")
            #expect(client.answers.first?.status == 502)
        }
        bench.expectQuiet()
    }

    /// RFC 9111 §3.5: what a refresh brings for a client's own credentials is not for everybody.
    @Test func aRefreshWithCredentialsIsNotStored() throws {
        let binding = try Build.binding("GET /fruits", to: "fruit /fruits") {
            $0.cache = CachePolicy()
            $0.cache?.staleWhileRevalidate = .seconds(600)
        }
        let bench = try Bench(Build.configuration([binding]))
        func answer(_ body: String) -> String {
            "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        }
        try bench.get("/fruits", answer: answer("apple"))
        bench.advance(by: .seconds(61))
        let alice = bench.client()
        alice.request("GET /fruits HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer alice\r\n\r\n")
        #expect(alice.answers.first?.text == "apple")
        #expect(try bench.forwarded()["Authorization"] == "Bearer alice")
        try bench.origin().send(answer("alice's"))
        let other = bench.client()
        other.request("GET /fruits HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(other.answers.first?.text == "apple")
    }
}
