import SluiceCache
import SluiceContract
import Testing

@testable import SluiceGateway

/// An answer too long to be stored, and several who read it: in bounded memory, and nobody waits for others for ever.
@Suite struct CacheFillPaceTests {
    private static let piece = String(repeating: "x", count: 64 << 10)
    private static let head = "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nTransfer-Encoding: chunked\r\n\r\n"
    private static let chunk = "10000\r\n\(piece)\r\n"
    private static let buffered = 256 << 10

    /// Sends as long as the gateway reads.
    /// - Returns: chunks that it has taken.
    private static func pour(_ times: Int, from origin: OriginPeer, _ deliver: () -> Void = {}) -> Int {
        for sent in 0..<times {
            origin.send(chunk)
            deliver()
            if origin.unreadCount > 0 { return sent + 1 }
        }
        return times
    }

    private static func bench() throws -> Bench {
        let binding = try Build.binding("GET /fruits", to: "fruit /fruits") { $0.cache = CachePolicy() }
        return try Bench(Build.configuration([binding]) { $0.cache.entryBytes = 1 << 20 })
    }

    /// A reader on another loop that takes nothing stops the answer as one on this loop does.
    @Test func aFollowerSetsThePace() throws {
        let loops = try SharedCacheTests.Loops()
        for bench in loops.benches { bench.keepsBodies = false }
        let fast = loops.ask(0)
        let slow = loops.benches[1].client()
        slow.window = 0
        slow.request(SharedCacheTests.Loops.request)
        loops.deliver()
        let origin = try loops.benches[0].origin()
        origin.send(Self.head)
        let most = Int(CacheSettings().entryBytes) / Self.piece.utf8.count
        let taken = Self.pour(4 * most + 40, from: origin, loops.deliver)
        #expect(origin.unreadCount > 0 && taken < most + 20)
        // It takes some, and as much goes on.
        for _ in 0..<100 where origin.unreadCount > 0 {
            slow.take(100_000)
            loops.deliver()
        }
        #expect(origin.unreadCount == 0)
        #expect(Self.pour(40, from: origin, loops.deliver) < 20)
        slow.reset()
        loops.deliver()
        #expect(Self.pour(100, from: origin, loops.deliver) == 100, "it holds up nobody any more")
        origin.send("0\r\n\r\n")
        loops.deliver()
        #expect(fast.answers.first?.isComplete == true)
        for bench in loops.benches { bench.expectQuiet() }
    }

    /// Who holds others up is let go after a while; they go on.
    @Test(arguments: [false, true])
    func whoHoldsOthersUp(_ isOnAnotherLoop: Bool) throws {
        let loops = try SharedCacheTests.Loops()
        for bench in loops.benches { bench.keepsBodies = false }
        let fast = loops.ask(0)
        let slow = loops.benches[isOnAnotherLoop ? 1 : 0].client()
        slow.window = 0
        slow.request(SharedCacheTests.Loops.request)
        loops.deliver()
        let origin = try loops.benches[0].origin()
        origin.send(Self.head)
        _ = Self.pour(400, from: origin, loops.deliver)
        #expect(origin.unreadCount > 0)
        for _ in 0..<31 {
            for bench in loops.benches { bench.advance(by: .seconds(1)) }
            slow.take(1000)
            loops.deliver()
        }
        #expect(slow.isClosed || slow.answers.first?.isComplete == false)
        #expect(origin.unreadCount == 0 && !origin.isClosed)
        #expect(Self.pour(100, from: origin, loops.deliver) == 100)
        origin.send("0\r\n\r\n")
        loops.deliver()
        #expect(fast.answers.first?.isComplete == true)
    }

    /// One alone is judged by what it takes (`limits.min-rate`), as without a cache.
    @Test(arguments: [(1000, false), (10, true)])
    func oneAlone(_ bytesPerSecond: Int, _ isCutOff: Bool) throws {
        let bench = try Self.bench()
        bench.keepsBodies = false
        let client = bench.client()
        client.window = 0
        client.request("GET", "/fruits")
        let origin = try bench.origin()
        origin.send(Self.head)
        _ = Self.pour(400, from: origin)
        #expect(origin.unreadCount > 0)
        for _ in 0..<100 {
            bench.advance(by: .seconds(1))
            client.take(bytesPerSecond)
        }
        #expect(origin.isClosed == isCutOff)
        client.reset()
        bench.advance(by: .seconds(2))
        bench.expectQuiet()
    }
}
