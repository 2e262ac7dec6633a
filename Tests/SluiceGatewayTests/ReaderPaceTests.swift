import HTTP2Wire
import SluiceCache
import SluiceContract
import Testing

@testable import SluiceGateway

/// Clients that read stored answers slowly, or not at all: `limits: body-timeout` and `min-rate` are for them, too.
@Suite struct ReaderPaceTests {
    private static let length = 1_000_000

    private func bench(_ edit: (inout Limits) -> Void = { _ in }) throws -> Bench {
        let binding = try Build.binding("GET /a", to: "fruit /a") { $0.cache = StoredAnswerExam.policy }
        return try Bench(Build.configuration([binding]) { edit(&$0.limits) })
    }

    private func fill(_ bench: Bench, _ length: Int = length) throws {
        let body = String(repeating: "x", count: length)
        try bench.get("/a", answer: "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n\(body)")
    }

    /// The longer answer is read from the store piece by piece, the shorter one waits whole with the connection.
    @Test(arguments: [length, 100_000])
    func whoTakesNothingIsCutOffInTime(length: Int) throws {
        let bench = try bench()
        try fill(bench, length)
        let client = bench.client()
        client.window = 5_000
        client.request("GET", "/a")
        bench.advance(by: .seconds(29))
        #expect(!client.isClosed)
        bench.advance(by: .seconds(2))
        #expect(client.link.ending != .open)
        #expect(bench.gateway.counters.exchangesOpen == 0)
        client.take(.max)
        #expect(client.answers.first?.isComplete != true || length < 256 << 10)
        bench.expectQuiet()
    }

    /// From where its last bytes were taken, and not from the end of the answer before.
    @Test func theTimeCountsFromTheLastByteTaken() throws {
        let bench = try bench()
        try fill(bench)
        let client = bench.client()
        client.window = 0
        client.request("GET", "/a")
        for _ in 0..<4 {
            bench.advance(by: .seconds(25))
            client.take(200_000)
            #expect(!client.isClosed)
        }
        bench.advance(by: .seconds(61))
        #expect(client.link.ending != .open)
        client.reset()
        bench.expectQuiet()
    }

    @Test(arguments: [length, 100_000])
    func whoReadsSlowlyIsServed(length: Int) throws {
        let bench = try bench()
        try fill(bench, length)
        let client = bench.client()
        client.window = 0
        client.request("GET", "/a")
        while client.answers.first?.isComplete != true, !client.isClosed {
            bench.advance(by: .seconds(25))
            client.take(20_000)
        }
        #expect(client.answers.first?.bodyCount == length)
        #expect(!client.isClosed)
        // Idle from here on.
        bench.advance(by: .seconds(74))
        #expect(!client.isClosed)
        bench.advance(by: .seconds(2))
        #expect(client.sawEnd)
        bench.expectQuiet()
    }

    /// Whoever waits for the upstream is no slow reader, whatever of an earlier answer it has left unread.
    @Test func aWaitForTheUpstreamIsNoFaultOfTheClient() throws {
        let bench = try bench()
        let client = bench.client()
        client.request("GET", "/a")
        bench.advance(by: .seconds(14))
        #expect(!client.isClosed)
        try bench.origin().answer(200, body: "ok")
        #expect(client.answers.first?.text == "ok")
        bench.expectQuiet()
    }

    @Test func overHTTP2() throws {
        let bench = try bench()
        try fill(bench)
        let client = HTTP2Client(bench, preface: HTTP2Wire.magic + HTTP2Wire.settings([4: 1000]))
        client.get(1, "/a")
        bench.advance(by: .seconds(29))
        #expect(!client.isEnded)
        bench.advance(by: .seconds(32))
        #expect(client.answer(1).resetCode != nil || client.isEnded)
        #expect(bench.gateway.counters.exchangesOpen == 0)
        client.peer.reset()
        bench.expectQuiet()
    }

    /// Those who read an answer while it is stored, behind its end.
    @Test func whoReadsWhatIsBeingStored() throws {
        let bench = try bench()
        let clients = (0..<2).map { _ in bench.client() }
        for client in clients {
            client.window = 1000
            client.request("GET", "/a")
        }
        let body = String(repeating: "x", count: Self.length)
        try bench.origin().send("HTTP/1.1 200 OK\r\nContent-Length: \(Self.length)\r\n\r\n\(body)")
        bench.advance(by: .seconds(31))
        #expect(clients.allSatisfy { $0.link.ending != .open })
        #expect(bench.gateway.counters.exchangesOpen == 0)
        clients.forEach { $0.reset() }
        bench.expectQuiet()
    }

    /// However little may wait: an answer goes on, or waits for its reader.
    @Test(arguments: [0, 1, 2, 4096])
    func littleRoom(bytes: Int) throws {
        let bench = try bench { $0.bufferedBytes = bytes }
        try fill(bench)
        let client = bench.client()
        client.window = 100
        client.request("GET", "/a")
        #expect(client.outboxHighWater < 40_000)
        client.take(.max)
        #expect(client.answers.first?.bodyCount == Self.length)
        #expect(client.answers.first?.isComplete == true)
        bench.expectQuiet()
    }
}
