import SluiceCache
import SluiceContract
import Testing

@testable import SluiceGateway

/// What happens beside a lookup: siblings, HEAD, newer answers.
extension CacheFillTiersTests {
    /// Two values of one document, asked for while the tiers have said nothing: one request for both.
    @Test(arguments: [0, 1]) func siblingsThatWaitForTheTiersShareARequest(second: Int) throws {
        let loops = try Loops(
            [("count", "Int"), ("fruits", "[String]")].map { name, type in
                try Build.binding("GET /\(name)", to: "fruit /all", value: type) {
                    $0.parent = FieldPath(name)
                    $0.cache = CachePolicy()
                }
            })
        let count = loops.ask(target: "/count")
        let fruits = loops.ask(second, target: "/fruits")
        let refused = loops.ask(second, "Cache-Control: only-if-cached", target: "/fruits")
        #expect(loops.tier.lookups == 2)
        loops.answer()
        #expect(refused.answers.first?.status == 504)
        for bench in loops.benches where !bench.origins.isEmpty {
            try bench.origin().send(
                "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 30\r\n\r\n"
                    + #"{"count":  1, "fruits": ["a"]}"#)
        }
        loops.deliver()
        #expect(count.answers.first?.text == "1")
        #expect(fruits.answers.first?.text == #"["a"]"#)
        // On another loop the other one's request may be on its way already.
        #expect(loops.fetches == (second == 0 ? 1 : 2))
        loops.expectQuiet()
        #expect(
            loops.benches.allSatisfy { $0.gateway.loopCache.fills.isEmpty && $0.gateway.loopCache.askingTiers.isEmpty })
    }

    /// RFC 9110 §9.3.2: what is stored of GET answers a HEAD, wherever it is stored.
    @Test func aHeadIsAnsweredFromATier() throws {
        let loops = try Loops()
        try loops.fill("Cache-Control: max-age=60")
        loops.restart()
        let head = loops.benches[0].client()
        head.request("HEAD /fruits HTTP/1.1\r\nHost: localhost\r\n\r\n")
        loops.deliver()
        #expect(head.answers.isEmpty)
        loops.answer()
        #expect(head.answers.first?["Content-Length"] == "5")
        #expect(head.answers.first?["Cache-Status"] == "sluice; hit; ttl=60; detail=DISK")
        #expect(loops.fetches == 0)
        loops.expectQuiet()
    }

    /// Where they have nothing it goes upstream as it is; a GET that waits beside it is fetched.
    @Test(arguments: [false, true]) func aHeadThatTheTiersDoNotKnowIsForwarded(hasCompany: Bool) throws {
        let loops = try Loops()
        let head = loops.benches[0].client()
        head.request("HEAD /fruits HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let company = hasCompany ? loops.ask() : nil
        #expect(loops.tier.lookups == 1)
        loops.answer()
        let requests = loops.benches[0].origins.flatMap(\.requests)
        #expect(requests.map(\.method).sorted() == (hasCompany ? ["GET", "HEAD"] : ["HEAD"]))
        for origin in loops.benches[0].origins {
            let isHead = origin.requests.first?.method == "HEAD"
            origin.send(
                "HTTP/1.1 200 OK\r\nCache-Control: max-age=9\r\nContent-Length: 5\r\n\r\n" + (isHead ? "" : "apple"))
        }
        loops.deliver()
        #expect(head.answers.first?.status == 200)
        #expect(head.answers.first?["Cache-Status"] == "sluice; fwd=uri-miss")
        #expect(company?.answers.first?.text == (hasCompany ? "apple" : nil))
        loops.expectQuiet()
    }

    /// A tier that is slow to answer has something older than what was fetched meanwhile.
    @Test func whatIsNewerStays() throws {
        let loops = try Loops()
        try loops.fill("Cache-Control: max-age=60")
        loops.restart()
        loops.benches.forEach { $0.advance(by: .seconds(5)) }
        let first = loops.ask()
        let impatient = loops.ask(0, "Cache-Control: no-cache", "Authorization: x")
        try loops.send("Cache-Control: max-age=60, public", body: "fruit")
        #expect(impatient.answers.first?.text == "fruit")
        loops.answer()
        #expect(first.answers.first?.text == "fruit")
        #expect(loops.ask().answers.first?.text == "fruit")
        loops.expectQuiet()
    }

    /// Readers are answered before the upstream is asked, and a connection may begin its next request within that: it
    /// finds an answer that is on its way and waits for no tier any more.
    @Test(arguments: ["/fruits/7", "/count/7"], ["no-cache", "only-if-cached"])
    func aPipelinedRequestComesWhileReadersAreAnswered(_ target: String, _ directive: String) throws {
        func binding(_ name: String, _ type: String) throws -> Binding {
            try Build.binding("GET /\(name)/{id}", to: "fruit /all/{id}", value: type) {
                $0.parameters = [try Build.parameter("id", "Int", in: .path)]
                $0.parent = FieldPath(name)
                $0.cache = CachePolicy()
            }
        }
        let loops = try Loops([try binding("count", "Int"), try binding("fruits", "[String]")])
        let waiting = loops.ask(target: "/count/7")
        let pipelined = loops.benches[0].client()
        func request(_ target: String, _ directive: String) -> String {
            "GET \(target) HTTP/1.1\r\nHost: localhost\r\nCache-Control: \(directive)\r\n\r\n"
        }
        pipelined.expect("GET")
        pipelined.request(request("/count/7", "only-if-cached") + request(target, directive))
        loops.answer()
        loops.answer()
        for origin in loops.benches[0].origins where !origin.requests.isEmpty {
            let body = #"{"count": 2, "fruits": ["apple", "pear"]}"#
            origin.send(
                "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body)
        }
        loops.deliver()
        #expect(waiting.answers.map(\.text) == ["2"])
        #expect(pipelined.answers.first?.status == 504)
        let second = try #require(pipelined.answers.dropFirst().first)
        if directive == "only-if-cached" {
            #expect(second.status == 504)
        } else {
            #expect(second.text == (target == "/count/7" ? "2" : #"["apple", "pear"]"#))
        }
        waiting.reset()
        pipelined.reset()
        loops.expectQuiet()
    }

    /// RFC 9111 §5.2.1.7: others on this loop follow another loop's request, which waits for the tiers itself.
    @Test func onlyIfCachedLooksBesideAnotherLoop() throws {
        let loops = try Loops()
        try loops.fill("Cache-Control: max-age=60")
        loops.restart()
        let others = [loops.ask(0), loops.ask(1)]
        let local = loops.ask(1, "Cache-Control: only-if-cached")
        #expect(local.answers.isEmpty)
        loops.answer()
        for client in others + [local] { #expect(client.answers.first?.text == "apple") }
        #expect(loops.fetches == 0)
        loops.expectQuiet()
    }

    /// RFC 9111 §5.2.1.4, §5.2.1.7: the one wants the upstream's answer and no tier's, the other nothing of it.
    @Test(arguments: [0, 1]) func onlyIfCachedLooksBesideAFetch(loop: Int) throws {
        let loops = try Loops()
        try loops.fill("Cache-Control: max-age=60")
        loops.restart()
        let impatient = loops.ask(0, "Cache-Control: no-cache")
        #expect(loops.fetches == 1)
        let local = loops.ask(loop, "Cache-Control: only-if-cached")
        loops.answer()
        #expect(local.answers.first?.text == "apple")
        try loops.send("Cache-Control: max-age=60", body: "fruit")
        #expect(impatient.answers.first?.text == "fruit")
        loops.expectQuiet()
    }

    /// RFC 9111 §5.2.1.7: what another loop has asked the upstream for is not stored.
    @Test(arguments: ["GET", "HEAD"]) func onlyIfCachedWaitsForNoOtherLoopsFetch(method: String) throws {
        let loops = try Loops()
        let first = loops.ask(0)
        loops.answer()
        let local = loops.benches[1].client()
        local.request("\(method) /fruits HTTP/1.1\r\nHost: localhost\r\nCache-Control: only-if-cached\r\n\r\n")
        loops.deliver()
        loops.answer()
        #expect(local.answers.first?.status == 504)
        #expect(loops.fetches == 1)
        try loops.send("Cache-Control: max-age=60")
        #expect(first.answers.first?.text == "apple")
        loops.expectQuiet()
    }

    /// RFC 9111 §5.2.1.7: what memory has no room for is found behind it again, by every request.
    @Test(arguments: ["only-if-cached", "max-stale"]) func whatMemoryHasNoRoomFor(directive: String) throws {
        let loops = try Loops()
        try loops.fill("Cache-Control: max-age=60")
        loops.restart(memoryBytes: 1)
        let lookups = loops.tier.lookups
        for _ in 0..<2 {
            let client = loops.ask(0, "Cache-Control: \(directive)")
            loops.answer()
            #expect(client.answers.first?.text == "apple")
        }
        #expect(loops.tier.lookups == lookups + 2)
        #expect(loops.fetches == 0)
        loops.expectQuiet()
    }

    /// RFC 9111 §4.1: a note leads to answers. One that somebody has put in their place in a shared store is none, and
    /// the upstream is asked.
    @Test func aNoteIsNoAnswer() throws {
        let loops = try Loops(.shared)
        try loops.fill("Cache-Control: max-age=60", "Vary: Accept-Language", request: ["Accept-Language: de"])
        for (key, entry) in loops.tier.entries where entry.isAnswer {
            let head = StoredHead(
                status: 0, freshness: entry.freshness, initialAge: 0, responseTime: entry.responseTime)
            let variance = StoredResponse.Variance(fields: [Array("accept".utf8)])
            let note = StoredResponse.make(head, key: key, bodyCount: 0, variance: variance) { _ in }
            loops.tier.keep(note, receivedAt: 0)
        }
        loops.restart()
        let client = loops.ask(0, "Accept-Language: de")
        loops.answer()
        loops.answer()
        #expect(client.answers.isEmpty)
        try loops.send("Cache-Control: max-age=60", "Vary: Accept-Language", body: "fruit")
        #expect(client.answers.first?.text == "fruit")
        #expect(loops.fetches == 1)
    }
}
