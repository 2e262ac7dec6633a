import HTTP2Wire
import SluiceContract
import Testing

@testable import SluiceGateway

/// Clients that are slow on purpose, and what they may keep of us meanwhile.
@Suite struct HTTP2LinkSlownessTests {
    typealias Wire = HTTP2Wire
    private static let calm = 11

    private func bench(_ edit: (inout Limits) -> Void = { _ in }) throws -> Bench {
        try Bench(
            Build.configuration([try Build.binding("ANY /raw/**", to: "fruit /**")]) { edit(&$0.limits) })
    }

    /// Serves a neighbour now and then, whatever the clock does to the client at hand.
    private func expectServed(_ bench: Bench, _ other: HTTP2Client, _ stream: Int) throws {
        other.get(stream, "/raw/neighbour")
        try bench.origin().answer(200, body: "ok")
        #expect(other.answer(stream).text == "ok")
    }

    /// A connection on which no stream was ever opened has as long as a head, one that was used `limits.keep-alive`.
    @Test func aClientThatNeverAsks() throws {
        let bench = try bench {
            $0.headerTimeout = .seconds(5)
            $0.keepAlive = .seconds(60)
        }
        let silent = HTTP2Client(bench)
        let asking = HTTP2Client(bench)
        try expectServed(bench, asking, 1)
        bench.advance(by: .milliseconds(4_900))
        #expect(silent.goaway == nil)
        bench.advance(by: .milliseconds(200))
        #expect(silent.goaway == 0)
        #expect(silent.isEnded)
        bench.advance(by: .seconds(50))
        #expect(asking.goaway == nil)
        bench.advance(by: .seconds(11))
        #expect(asking.goaway == 0)
        bench.expectQuiet()
    }

    /// Requests whose answers nobody takes: `limits.body-timeout` ends them all, and the connection with them.
    @Test func manyRequestsWithoutAWindow() throws {
        let bench = try bench()
        let other = HTTP2Client(bench)
        let client = HTTP2Client(bench, preface: Wire.magic + Wire.settings([4: 0]))
        for round in 0..<100 {
            client.get(round * 2 + 1, "/raw/big")
            try bench.origin().answer(200, body: String(repeating: "x", count: 10_000))
        }
        // What waits is bounded by the streams, and nothing of it is in the connection's outbox.
        #expect(client.peer.link.outbox.count == 0)
        for round in 0..<7 {
            bench.advance(by: .seconds(10))
            try expectServed(bench, other, round * 2 + 1)
        }
        #expect(client.goaway == Self.calm)
        #expect(client.isEnded)
        #expect(!other.isEnded)
        bench.expectQuiet()
    }

    /// However many answers a client has waiting, they take no more than four times `limits.buffered-total`, and cost
    /// it the connection.
    @Test func answersBeyondAllRoom() throws {
        let bench = try bench {
            $0.bufferedTotalBytes = 50_000
            $0.http2Resets = 20
        }
        let other = HTTP2Client(bench)
        try expectServed(bench, other, 1)
        bench.advance(by: .seconds(6))
        let client = HTTP2Client(bench, preface: Wire.magic + Wire.settings([4: 0]))
        var rounds = 0
        while !client.isEnded, rounds < 100 {
            client.get(rounds * 2 + 1, "/raw/big")
            try bench.origin().answer(200, body: String(repeating: "x", count: 10_000))
            #expect(bench.gateway.loop.room.waiting <= 220_000)
            rounds += 1
        }
        #expect(client.goaway == Self.calm)
        #expect((30..<60).contains(rounds))
        #expect(client.answer(1).resetCode == nil)
        #expect(client.answer(45).resetCode == Self.calm)
        #expect(bench.gateway.loop.room.waiting == 0)
        try expectServed(bench, other, 3)
        bench.expectQuiet()
    }

    /// What waits for long while nothing is left of the room goes, and the connection with it.
    @Test func answersThatKeepTheRoom() throws {
        let bench = try bench { $0.bufferedTotalBytes = 25_000 }
        let client = HTTP2Client(bench, preface: Wire.magic + Wire.settings([4: 100]))
        for round in 0..<15 {
            client.get(round * 2 + 1, "/raw/big")
            try bench.origin().answer(200, body: String(repeating: "x", count: 10_000))
        }
        #expect(bench.gateway.loop.room.isExhausted)
        bench.advance(by: .seconds(11))
        #expect(client.isEnded)
        #expect(bench.gateway.loop.room.waiting == 0)
        bench.expectQuiet()
    }

    /// Whoever takes its share keeps what it has, however little room there is.
    @Test func slowButSteady() throws {
        let bench = try bench { $0.bufferedTotalBytes = 25_000 }
        let client = HTTP2Client(bench)
        for round in 0..<20 {
            client.get(round * 2 + 1, "/raw/big")
            try bench.origin().answer(200, body: String(repeating: "x", count: 20_000))
        }
        #expect(bench.gateway.loop.room.isExhausted)
        for _ in 0..<30 {
            bench.advance(by: .seconds(1))
            client.send(Wire.windowUpdate(0, 12_000))
        }
        #expect(!client.isEnded)
        for round in 0..<20 { #expect(client.answer(round * 2 + 1).body.count == 20_000) }
        #expect(bench.gateway.loop.room.waiting == 0)
        client.peer.reset()
        bench.expectQuiet()
    }

    /// A window that is opened byte by byte makes a frame of each byte: `limits.http2-control-frames`.
    @Test func windowsInCrumbs() throws {
        let bench = try bench { $0.http2ControlFrames = 50 }
        let other = HTTP2Client(bench)
        let client = HTTP2Client(bench, preface: Wire.magic + Wire.settings([4: 0]))
        client.get(1, "/raw/big")
        try bench.origin().answer(200, body: String(repeating: "x", count: 10_000))
        var rounds = 0
        while !client.isEnded, rounds < 100 {
            client.send(Wire.windowUpdate(1, 1))
            rounds += 1
        }
        #expect(client.goaway == Self.calm)
        #expect(client.answer(1).body.count < 60)
        try expectServed(bench, other, 1)
        client.peer.reset()
        bench.expectQuiet()
    }

    /// Small events that the client acknowledges one by one are no flood.
    @Test func eventsAreNoCrumbs() throws {
        let bench = try bench { $0.http2ControlFrames = 20 }
        let client = HTTP2Client(bench)
        client.get(1, "/raw/events")
        let origin = try bench.origin()
        origin.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        for _ in 0..<200 {
            origin.send("5\r\ndata\n\r\n")
            client.send(Wire.windowUpdate(0, 5), Wire.windowUpdate(1, 5))
        }
        #expect(!client.isEnded)
        #expect(client.answer(1).body.count == 1000)
        client.peer.reset()
        bench.expectQuiet()
    }

    /// Uploads that are begun and left: `limits.body-timeout`.
    @Test func manyUploadsThatStop() throws {
        let bench = try bench()
        let other = HTTP2Client(bench)
        other.get(1, "/none")
        let client = HTTP2Client(bench)
        for round in 0..<100 { client.send(Wire.request(round * 2 + 1, "POST", "/raw/a", end: false)) }
        #expect(!client.isEnded)
        bench.advance(by: .seconds(61))
        #expect(client.answer(1).status == 408)
        #expect(client.answer(199).status == 408)
        #expect(client.goaway == 0)
        #expect(client.isEnded)
        try expectServed(bench, other, 3)
        bench.expectQuiet()
    }

    /// A byte every few seconds is no progress.
    @Test func aBodyInCrumbs() throws {
        let bench = try bench()
        let client = HTTP2Client(bench)
        client.send(Wire.request(1, "POST", "/raw/a", end: false))
        for _ in 0..<70 where !client.isEnded {
            bench.advance(by: .seconds(2))
            client.send(Wire.data(1, "x"))
        }
        #expect(client.answer(1).status == 408)
        #expect(client.isEnded)
        bench.expectQuiet()
    }

    /// A head that comes byte by byte, in one frame or in many: `limits.header-timeout`, counted from its beginning.
    @Test(arguments: [false, true])
    func aHeadInCrumbs(inFrames: Bool) throws {
        let bench = try bench { $0.http2Continuations = 1000 }
        let other = HTTP2Client(bench)
        other.get(1, "/none")
        let client = HTTP2Client(bench)
        let section = Wire.section(Wire.control("GET", "/raw/a"))
        client.send(Wire.frame(1, stream: 1, inFrames ? [] : section).dropLast(inFrames ? 0 : section.count))
        for byte in section where !client.isEnded {
            bench.advance(by: .milliseconds(500))
            client.send(inFrames ? Wire.frame(9, stream: 1, [byte]) : [byte])
        }
        #expect(client.isEnded)
        #expect(client.goaway == Self.calm)
        #expect(bench.origins.isEmpty)
        try expectServed(bench, other, 3)
        bench.expectQuiet()
    }

    /// RFC 9113 §3.4: SETTINGS are the end of the preface, and `limits.header-timeout` is for all of it.
    @Test(arguments: [0, 5, 9, 12])
    func aPrefaceInCrumbs(count: Int) throws {
        let bench = try bench()
        let client = HTTP2Client(bench, preface: Wire.magic + Wire.settings([4: 1000]).prefix(count))
        bench.advance(by: .seconds(9))
        #expect(!client.isEnded)
        bench.advance(by: .seconds(2))
        #expect(client.goaway == 4)
        #expect(client.isEnded)
        bench.expectQuiet()
    }

    /// Work that is asked for and thrown away once it is done: `limits.http2-resets`.
    @Test func resetsBehindTheWork() throws {
        let bench = try bench { $0.http2Resets = 20 }
        let other = HTTP2Client(bench)
        let client = HTTP2Client(bench)
        var rounds = 0
        while !client.isEnded, rounds < 40 {
            let stream = rounds * 2 + 1
            client.get(stream, "/raw/a")
            try bench.origin().send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nbegin")
            client.send(Wire.reset(stream))
            rounds += 1
        }
        #expect(rounds < 30)
        #expect(client.goaway == Self.calm)
        try expectServed(bench, other, 1)
        bench.expectQuiet()
    }

    /// Fields without names and without number: CVE-2019-9516, `limits.header-count`.
    @Test(arguments: ["", "x"])
    func countlessFields(name: String) throws {
        let bench = try bench()
        let client = HTTP2Client(bench)
        let fields = [UInt8](Wire.section([(name, "")]))
        let many = [[UInt8]](repeating: fields, count: 3000).flatMap { $0 }
        client.send(Wire.frame(1, flags: 5, stream: 1, Wire.section(Wire.control("GET", "/raw/a")) + many))
        #expect(client.answer(1).status == 431 || client.answer(1).resetCode == 1)
        if client.answer(1).status == 431 { #expect(client.answer(1).text.contains("(header-count)")) }
        #expect(bench.origins.isEmpty)
        client.peer.reset()
        bench.expectQuiet()
    }

    /// RFC 7541 §4.2: a table as large as the client likes is the client's; ours stays as it is.
    @Test func tablesWithoutBounds() throws {
        let bench = try bench()
        let client = HTTP2Client(bench, preface: Wire.magic + Wire.settings([1: 0x7fff_ffff]))
        client.get(1, "/raw/a")
        try bench.origin().answer(200, "X-Long: " + String(repeating: "v", count: 9000), body: "ok")
        #expect(client.answer(1).text == "ok")
        #expect(!client.isEnded)
        bench.expectQuiet()
    }
}
