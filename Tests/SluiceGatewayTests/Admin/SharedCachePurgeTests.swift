import SluiceContract
import Testing

@testable import SluiceGateway

/// A purge on one loop while another one asks: what was on its way is for nobody who comes later, on any loop.
@Suite struct SharedCachePurgeTests {
    private static let half = "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 10\r\n\r\napple"
    private static let pear = "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 4\r\n\r\npear"

    private func purge(_ loops: SharedCacheTests.Loops, on loop: Int, _ query: String = "all") {
        let client = loops.benches[loop].client(credentials: AdminBench.owner, admin: AdminAccess(owner: 1000))
        client.request("DELETE /cache?\(query) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        loops.deliver()
        #expect(client.answers.first?.status == 200)
        client.reset()
    }

    /// Loop 0 asks, and loop 1 may follow it.
    @Test(arguments: [false, true], [0, 1])
    func whoComesLaterAsksAnew(hasFollower: Bool, laterOn: Int) throws {
        let loops = try SharedCacheTests.Loops()
        let first = loops.ask(0)
        let follower = hasFollower ? loops.ask(1) : nil
        let origin = try loops.benches[0].origin()
        origin.send(Self.half)
        loops.deliver()
        purge(loops, on: 1 - laterOn)
        let later = loops.ask(laterOn)
        #expect(later.answers.isEmpty, "it has not been given what was on its way")
        #expect(loops.fetches == 2)
        origin.send("apple")
        loops.deliver()
        for client in [first, follower].compactMap({ $0 }) { #expect(client.answers.first?.text == "appleapple") }
        let another = try #require(loops.benches.flatMap(\.origins).last { $0 !== origin && $0.requests.count > 0 })
        another.send(Self.pear)
        loops.deliver()
        #expect(later.answers.first?.text == "pear")
        for loop in 0...1 { #expect(loops.ask(loop).answers.first?.text == "pear") }
        #expect(loops.fetches == 2)
        for client in [first, follower, later].compactMap({ $0 }) { client.reset() }
        loops.deliver()
        for bench in loops.benches { bench.expectQuiet() }
    }

    /// A soft purge takes from nobody what is on its way; it is stored as stale.
    @Test func aSoftPurgeLetsOthersJoin() throws {
        let loops = try SharedCacheTests.Loops()
        let first = loops.ask(0)
        let origin = try loops.benches[0].origin()
        origin.send(Self.half)
        purge(loops, on: 1, "all&soft")
        let later = loops.ask(1)
        origin.send("apple")
        loops.deliver()
        for client in [first, later] { #expect(client.answers.first?.text == "appleapple") }
        #expect(loops.fetches == 1)
        let third = loops.ask(1)
        #expect(loops.fetches == 2)
        try #require(loops.benches[1].origins.last).send(Self.pear)
        loops.deliver()
        #expect(third.answers.first?["Cache-Status"] == "sluice; fwd=stale; stored")
    }
}
