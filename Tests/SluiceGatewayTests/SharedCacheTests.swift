import SluiceCache
import SluiceContract
import SluiceHTTP
import Testing

@testable import SluiceGateway

/// Two loops, one cache: messages between them are delivered when the test says so.
@Suite struct SharedCacheTests {
    final class Loops {
        let benches: [Bench]
        private let mailboxes: [LoopMailbox]
        static let request = "GET /fruits HTTP/1.1\r\nHost: localhost\r\n\r\n"

        /// - Parameter roomFor: messages that each loop's mailbox has room for, beside what may not be refused.
        init(roomFor: [Int] = [.max, .max], _ edit: (inout Binding) -> Void = { _ in }) throws {
            let binding = try Build.binding("GET /fruits", to: "fruit /fruits") {
                $0.cache = CachePolicy()
                edit(&$0)
            }
            let table = try RouteTable(Build.configuration([binding]))
            let cache = SharedCache(MemoryStore(CacheSettings()))
            mailboxes = roomFor.map { LoopMailbox(roomFor: $0) }
            benches = mailboxes.map { Bench(table, cache: cache, address: $0.address) }
        }

        /// Delivers messages until there are none.
        func deliver() { LoopMailbox.deliver(mailboxes, to: benches) }

        func ask(_ loop: Int) -> ClientPeer {
            let client = benches[loop].client()
            client.request(Self.request)
            deliver()
            return client
        }

        var fetches: Int { benches.reduce(0) { $0 + $1.origins.reduce(0) { $0 + $1.requests.count } } }
    }

    @Test func oneLoopAsksForBoth() throws {
        let loops = try Loops()
        let first = loops.ask(0)
        let second = loops.ask(1)
        let origin = try loops.benches[0].origin()
        origin.send("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 10\r\n\r\napple")
        loops.deliver()
        #expect(second.answers.first?.text == "apple")
        let third = loops.ask(1)
        origin.send("apple")
        loops.deliver()
        for client in [first, second, third] { #expect(client.answers.first?.text == "appleapple") }
        #expect(loops.ask(1).answers.first?["Cache-Status"] == "sluice; hit; ttl=60")
        #expect(loops.fetches == 1)
    }

    /// Only the loop that asks knows where a redirect led: after a change there, the other loop's clients do not wait
    /// for the answer from before it.
    @Test func aChangeWhereARedirectLed() throws {
        let loops = try Loops { $0.follow = .sameOrigin }
        let first = loops.ask(0)
        let second = loops.ask(1)
        let origin = try loops.benches[0].origin()
        origin.send("HTTP/1.1 302 Found\r\nLocation: /v1/end\r\nContent-Length: 0\r\n\r\n")
        loops.deliver()
        let cache = loops.benches[0].gateway.loopCache
        let upstream = try #require(loops.benches[0].gateway.generation.upstreams.first?.settings)
        let end = Array("/v1/end".utf8).withUnsafeBytes { cache.resourceHash($0, upstream) }
        cache.store.epochs.invalidate(end)
        let third = loops.ask(1)
        #expect(loops.fetches == 3)
        origin.send("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 3\r\n\r\nold")
        try loops.benches[1].origin().send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nnew")
        loops.deliver()
        #expect(first.answers.map(\.text) == ["old"])
        #expect(third.answers.map(\.text) == ["new"])
        // What is not stored is for one client: the other one asks for itself.
        try loops.benches[1].origin().send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nnewer")
        loops.deliver()
        #expect(second.answers.map(\.text) == ["newer"])
        for bench in loops.benches { bench.expectQuiet() }
    }

    /// Nobody waits for a loop that is stuck: another one asks in its place.
    @Test func aLoopThatIsStuckIsNotAsked() throws {
        let loops = try Loops(roomFor: [0, .max])
        let first = loops.ask(0)
        let second = loops.ask(1)
        #expect(loops.fetches == 2)
        // Those who come later wait for the one that has taken its place.
        let third = loops.ask(1)
        #expect(loops.fetches == 2)
        for bench in loops.benches {
            try bench.origin().send("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 5\r\n\r\napple")
        }
        loops.deliver()
        for client in [first, second, third] { #expect(client.answers.map(\.text) == ["apple"]) }
        for bench in loops.benches { bench.expectQuiet() }
        #expect(loops.benches[0].gateway.loopCache.shared.isIdle)
    }

    /// A loop that is stuck cannot be told how the answer gets on; it hears so, and asks for itself.
    @Test func aFollowerThatIsStuckAsksAnew() throws {
        let loops = try Loops(roomFor: [.max, 0])
        let first = loops.ask(0)
        let second = loops.ask(1)
        #expect(loops.fetches == 1)
        let origin = try loops.benches[0].origin()
        origin.send("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 10\r\n\r\napple")
        loops.deliver()
        #expect(loops.fetches == 2)
        origin.send("apple")
        try loops.benches[1].origin().send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npear")
        loops.deliver()
        #expect(first.answers.map(\.text) == ["appleapple"])
        #expect(second.answers.map(\.text) == ["pear"])
        for bench in loops.benches { bench.expectQuiet() }
    }

    @Test func theFirstClientLeaves() throws {
        let loops = try Loops()
        let first = loops.ask(0)
        let second = loops.ask(1)
        first.reset()
        loops.deliver()
        try loops.benches[0].origin().send(
            "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 2\r\n\r\nok")
        loops.deliver()
        #expect(second.answers.first?.text == "ok")
        #expect(loops.fetches == 1)
        loops.benches[0].expectQuiet()
    }

    @Test func allClientsLeave() throws {
        let loops = try Loops()
        let first = loops.ask(0)
        let second = loops.ask(1)
        first.reset()
        second.reset()
        loops.deliver()
        for bench in loops.benches { bench.expectQuiet() }
        #expect(loops.ask(1).answers.isEmpty)
        #expect(loops.benches[1].origins.count == 1)
    }

    @Test func anUnstorableAnswerIsNotShared() throws {
        let loops = try Loops()
        let first = loops.ask(0)
        let second = loops.ask(1)
        try loops.benches[0].origin().send(
            "HTTP/1.1 200 OK\r\nCache-Control: no-store\r\nSet-Cookie: a=1\r\nContent-Length: 2\r\n\r\nok")
        loops.deliver()
        #expect(first.answers.first?["Set-Cookie"] == "a=1")
        #expect(second.answers.isEmpty)
        #expect(loops.benches[1].origins.count == 1)
    }

    @Test func aFailureIsTold() throws {
        let loops = try Loops()
        let first = loops.ask(0)
        let second = loops.ask(1)
        try loops.benches[0].origin().send("rubbish\r\n\r\n")
        loops.deliver()
        #expect(first.answers.first?.status == 502)
        #expect(second.answers.first?.status == 502)
        #expect(loops.fetches == 1)
    }

    /// No loop ends while a client of any of them waits.
    @Test func whoFollowsGoesOnWhileTheProcessEnds() throws {
        let loops = try Loops()
        let first = loops.ask(0)
        let second = loops.ask(1)
        for bench in loops.benches {
            bench.gateway.drain()
            bench.turn()
        }
        loops.deliver()
        let origin = try loops.benches[0].origin()
        origin.send("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 2\r\n\r\no")
        loops.deliver()
        first.reset()
        origin.send("k")
        loops.deliver()
        #expect(second.answers.first?.text == "ok")
        #expect(loops.fetches == 1)
    }
}
