import SluiceContract
import Testing

@testable import SluiceGateway

/// Bodies of any size in bounded memory, both ways.
@Suite struct BackPressureTests {
    static let buffered = 256 << 10
    static let input = 64 << 10

    static func bench() throws -> Bench {
        let bench = try Bench(
            Build.configuration([
                try Build.binding("ANY /raw/**", to: "fruit /**"),
                try Build.binding("GET /typed", to: "fruit /typed", value: "[String]") {
                    $0.parent = FieldPath("values")
                    $0.holdBytes = 100_000
                },
            ]))
        bench.keepsBodies = false
        return bench
    }

    /// Sends `count` bytes from one peer, a piece at a time, as long as the gateway reads; the other takes a piece when
    /// it does not.
    static func pour(_ piece: [UInt8], times: Int, from sender: Peer, to taker: Peer, taking: Int) {
        for _ in 0..<times {
            sender.send(piece)
            while sender.unreadCount > 0 { taker.take(taking) }
        }
    }

    @Test func aDownloadOfAGigabyte() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.window = 0
        client.request("GET", "/raw/large")
        let origin = try bench.origin()
        let piece = [UInt8](repeating: 0x78, count: Self.input)
        let times = (1 << 30) / piece.count
        origin.send("HTTP/1.1 200 OK\r\nContent-Length: \(1 << 30)\r\n\r\n")
        Self.pour(piece, times: times, from: origin, to: client, taking: 300_000)
        #expect(client.outboxHighWater <= Self.buffered + Self.input + 1024)
        client.take(.max)
        #expect(client.answers.first?.bodyCount == 1 << 30)
        #expect(client.answers.first?.isComplete == true)
        bench.expectQuiet()
    }

    @Test func anUploadOfAGigabyte() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request("PUT /raw/large HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(1 << 30)\r\n\r\n")
        let origin = try bench.origin()
        origin.window = 0
        let piece = [UInt8](repeating: 0x78, count: Self.input)
        Self.pour(piece, times: (1 << 30) / piece.count, from: client, to: origin, taking: 300_000)
        // What the connection of the client carries while it has to wait comes on top.
        #expect(origin.outboxHighWater <= Self.buffered + 2 * Self.input + (16 << 10) + 1024)
        origin.take(.max)
        #expect(origin.requests.first?.bodyCount == 1 << 30)
        #expect(origin.requests.first?.isComplete == true)
        origin.answer(200)
        #expect(client.answers.first?.status == 200)
        bench.expectQuiet()
    }

    @Test func aTypedDownloadBeyondHold() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.window = 0
        client.request("GET", "/typed")
        let origin = try bench.origin()
        let item = "\"" + String(repeating: "x", count: 1000) + "\",\n"
        let piece = Array(String(repeating: item, count: 60).utf8)
        origin.send("HTTP/1.1 200 OK\r\n\r\n{\"values\": [")
        Self.pour(piece, times: 500, from: origin, to: client, taking: 100_000)
        origin.send("\"\"]}")
        origin.endInput()
        #expect(client.outboxHighWater <= Self.buffered + 100_000 + 2 * Self.input)
        client.take(.max)
        #expect(client.answers.first?.isComplete == true)
        #expect(client.answers.first?.bodyCount == piece.count * 500 + 4)
        bench.expectQuiet()
    }

    /// An outbox is above the limit only between two writes: the one that takes it all must not leave anyone waiting.
    @Test func aWriteThatTakesEverythingWakesTheUpstream() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request("GET", "/raw/large")
        let origin = try bench.origin()
        origin.send("HTTP/1.1 200 OK\r\nContent-Length: 900000\r\n\r\n")
        for _ in 0..<3 { origin.send([UInt8](repeating: 0x78, count: 300_000)) }
        #expect(client.answers.first?.isComplete == true)
        bench.expectQuiet()
    }

    /// One may hold up `buffered`, thousands together not; and whoever reads is served as before.
    @Test func manyWhoReadNothing() throws {
        let bench = try Bench(
            Build.configuration(
                [try Build.binding("ANY /raw/**", to: "fruit /**")],
                upstreams: [Build.upstream("fruit") { $0.connectionsMax = 1000 }]
            ) { $0.limits.bufferedTotalBytes = 2 << 20 })
        bench.keepsBodies = false
        let total = bench.gateway.limits.bufferedTotalBytes
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"
        let piece = [UInt8](repeating: 0x78, count: 250_000)
        for _ in 0..<500 {
            let client = bench.client()
            client.window = 0
            client.request("GET", "/raw/large")
            let origin = try bench.origin()
            origin.send(head)
            for _ in 0..<4 { origin.send(piece) }
        }
        #expect(bench.gateway.loop.room.waiting > total / 2)
        #expect(bench.gateway.loop.room.waiting < total + 500 * (17 << 10))
        #expect(bench.clients.allSatisfy { $0.link.outbox.count > 4 << 10 })
        let reader = bench.client()
        reader.request("GET", "/raw/large")
        try bench.origin().send(head)
        for _ in 0..<4 { try bench.origin().send(piece) }
        #expect(reader.answers.first?.isComplete == true)
        for client in bench.clients { client.reset() }
        #expect(bench.gateway.loop.room.waiting == 0)
        bench.expectQuiet()
    }

    /// A client that reads nothing holds the upstream's answer up, and gives it up in the end.
    @Test func aClientThatReadsNothingIsCutOff() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.window = 0
        client.request("GET", "/raw/large")
        let origin = try bench.origin()
        origin.send("HTTP/1.1 200 OK\r\nContent-Length: 9000000\r\n\r\n")
        for _ in 0..<9 { origin.send([UInt8](repeating: 0x78, count: 100_000)) }
        #expect(origin.unreadCount > 0)
        bench.advance(by: .seconds(31))
        #expect(origin.isClosed)
        client.take(.max)
        #expect(client.isClosed)
        #expect(client.answers.first?.isComplete == false)
        bench.expectQuiet()
    }

    /// Neither is it enough to read a byte now and then.
    @Test(arguments: [(10, true), (200, false)])
    func aClientThatReadsTooSlowlyIsCutOff(bytesPerSecond: Int, isCutOff: Bool) throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.window = 0
        client.request("GET", "/raw/large")
        let origin = try bench.origin()
        origin.send("HTTP/1.1 200 OK\r\nContent-Length: 9000000\r\n\r\n")
        for _ in 0..<9 { origin.send([UInt8](repeating: 0x78, count: 100_000)) }
        var kinds: [Problem.Kind?] = []
        bench.gateway.accessLog = { kinds.append($0.problem) }
        for _ in 0..<100 {
            bench.advance(by: .seconds(1))
            client.take(bytesPerSecond)
        }
        #expect(origin.isClosed == isCutOff)
        #expect(kinds == (isCutOff ? [.clientTooSlow] : []))
        client.reset()
        bench.expectQuiet()
    }

    /// Answers that are proven before they are sent wait whole. Where those of a crowd take many times
    /// `limits.buffered-total`, who takes nothing loses its answer within seconds, and who reads keeps it.
    @Test(arguments: [(20, false), (2, true)]) func aCrowdThatTakesNoProvenAnswer(count: Int, isServed: Bool) throws {
        let binding = try Build.binding("GET /typed", to: "fruit /typed", value: "[String]") {
            $0.parent = FieldPath("values")
        }
        let bench = try Bench(
            Build.configuration([binding], upstreams: [Build.upstream("fruit") { $0.connectionsMax = 100 }]) {
                $0.limits.bufferedTotalBytes = 200_000
            })
        let item = "\"" + String(repeating: "x", count: 200_000) + "\""
        func ask() throws -> ClientPeer {
            let client = bench.client()
            client.window = 0
            client.request("GET", "/typed")
            try bench.origin().answer(200, body: "{\"values\": [\(item)]}")
            return client
        }
        let steady = try ask()
        let crowd = try (0..<count).map { _ in try ask() }
        #expect(bench.gateway.loop.room.isExhausted == !isServed)
        for _ in 0..<9 {
            bench.advance(by: .seconds(1))
            steady.take(10_000)
        }
        for client in crowd {
            client.take(.max)
            #expect((client.answers.first?.isComplete ?? false) == isServed)
        }
        steady.take(.max)
        #expect(steady.answers.first?.isComplete == true)
        #expect(bench.gateway.loop.room.waiting == 0)
        for client in bench.clients { client.reset() }
        bench.expectQuiet()
    }
}
