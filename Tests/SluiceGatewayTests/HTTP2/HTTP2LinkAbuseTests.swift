import HTTP2Wire
import SluiceContract
import Testing

@testable import SluiceGateway

/// What asks much of the gateway and little of the client costs the client its connection, and nobody else anything.
@Suite struct HTTP2LinkAbuseTests {
    typealias Wire = HTTP2Wire
    private static let calm = 11

    private func bench(_ edit: (inout Limits) -> Void = { _ in }) throws -> Bench {
        try Bench(
            Build.configuration([try Build.binding("ANY /raw/**", to: "fruit /**")]) { edit(&$0.limits) })
    }

    /// Plays `round` until the connection ends, and checks that it does with `code`, early, and cleans up.
    private func expectEnd(
        _ code: Int, within rounds: Int, _ bench: Bench, preface: [UInt8] = Wire.preface, _ round: (Int) -> [UInt8]
    ) throws {
        let other = HTTP2Client(bench)
        other.get(1, "/raw/neighbour")
        let neighbour = try bench.origin()
        let client = HTTP2Client(bench, preface: preface)
        var played = 0
        while !client.isEnded, played < rounds {
            client.send(round(played))
            played += 1
        }
        #expect(client.isEnded, "still there after \(played) rounds")
        #expect(client.goaway == code)
        neighbour.answer(200, body: "ok")
        #expect(other.answer(1).text == "ok")
        #expect(!other.isEnded)
        client.peer.reset()
        bench.expectQuiet()
    }

    /// CVE-2023-44487.
    @Test func rapidReset() throws {
        let bench = try bench { $0.http2Resets = 20 }
        try expectEnd(Self.calm, within: 30, bench) { round in
            Wire.request(round * 2 + 1, "GET", "/raw/a") + Wire.reset(round * 2 + 1)
        }
    }

    /// CVE-2025-8671: the client makes the server send the resets.
    @Test func madeYouReset() throws {
        let bench = try bench { $0.http2Resets = 20 }
        try expectEnd(Self.calm, within: 30, bench) { round in
            Wire.request(round * 2 + 1, "GET", "/raw/a") + Wire.windowUpdate(round * 2 + 1, 0)
        }
    }

    @Test func madeYouResetByOverflow() throws {
        let bench = try bench { $0.http2Resets = 20 }
        try expectEnd(Self.calm, within: 30, bench) { round in
            Wire.request(round * 2 + 1, "GET", "/raw/a") + Wire.windowUpdate(round * 2 + 1, 0x7fff_ffff)
        }
    }

    @Test func madeYouResetByMalformedRequests() throws {
        let bench = try bench { $0.http2Resets = 20 }
        try expectEnd(Self.calm, within: 30, bench) { round in
            Wire.request(round * 2 + 1, "GET", "/raw/a", [("connection", "close")])
        }
    }

    /// CVE-2024-27316, CVE-2024-28182.
    @Test func continuations() throws {
        let bench = try bench()
        let client = HTTP2Client(bench)
        client.send(Wire.frame(1, stream: 1, Wire.section(Wire.control())))
        for _ in 0..<20 where !client.isEnded { client.send(Wire.frame(9, stream: 1, Wire.section([("x", "y")]))) }
        #expect(client.isEnded)
        #expect(client.goaway == Self.calm)
        bench.expectQuiet()
    }

    static let useless: [(name: String, frame: [UInt8])] = [
        ("SETTINGS", Wire.settings()), ("PING", Wire.ping()), ("PING ack", Wire.ping(isAck: true)),
        ("PRIORITY", Wire.priority(9, on: 0)), ("empty DATA", Wire.data(1)),
        ("padding alone", Wire.frame(0, flags: Wire.Flag.padded, stream: 1, [2, 0, 0])),
        ("WINDOW_UPDATE", Wire.windowUpdate(0, 1)), ("unknown", Wire.frame(0xcc, stream: 0, [1])),
        ("PRIORITY_UPDATE", Wire.frame(0x10, stream: 0, [0, 0, 0, 1] + Array("u=1".utf8))),
    ]

    @Test(arguments: useless.indices)
    func floods(_ index: Int) throws {
        let bench = try bench { $0.http2ControlFrames = 50 }
        let start = Wire.preface + Wire.request(1, "POST", "/raw/a", end: false)
        try expectEnd(Self.calm, within: 60, bench, preface: start) { _ in Self.useless[index].frame }
    }

    /// What requests and answers make necessary is no flood.
    @Test func anHonestClientIsNoFlood() throws {
        let bench = try bench {
            $0.http2ControlFrames = 20
            $0.http2Resets = 5
        }
        let client = HTTP2Client(bench)
        for round in 0..<200 {
            let stream = round * 2 + 1
            client.get(stream, "/raw/a")
            try bench.origin().answer(200, body: String(repeating: "x", count: 100))
            client.send(Wire.windowUpdate(0, 100), Wire.windowUpdate(stream, 100))
            #expect(client.answer(stream).isComplete)
        }
        #expect(!client.isEnded)
    }

    /// In 30 seconds all is forgotten.
    @Test func timeHeals() throws {
        let bench = try bench { $0.http2Resets = 10 }
        let client = HTTP2Client(bench)
        for round in 0..<30 {
            client.send(Wire.request(round * 2 + 1, "GET", "/raw/a"), Wire.reset(round * 2 + 1))
            bench.advance(by: .seconds(4))
        }
        #expect(!client.isEnded)
    }

    /// RFC 9113 §5.1.2: beyond the limit a stream is refused, or the connection ends.
    @Test func tooManyStreams() throws {
        let bench = try bench { $0.http2Streams = 10 }
        let client = HTTP2Client(bench)
        client.send(Wire.settings(isAck: true))
        for round in 0..<11 { client.get(round * 2 + 1, "/raw/a") }
        #expect(client.isEnded || client.answer(21).resetCode == 7)
        #expect(bench.origins.count <= 10)
    }

    /// Before our SETTINGS are acknowledged a client cannot know better; but it cannot go on with it, either.
    @Test func tooManyStreamsForever() throws {
        let bench = try bench {
            $0.http2Streams = 10
            $0.http2Resets = 20
        }
        try expectEnd(Self.calm, within: 50, bench) { Wire.request($0 * 2 + 1, "GET", "/raw/a") }
        #expect(bench.origins.count <= 12)
    }

    /// A few bytes that decode to many: refused, and decoded only so far.
    @Test func headerBombs() throws {
        let bench = try bench()
        // One entry of 4,000 bytes, named a thousand times (RFC 7541 §6.1: 0xbe is the newest entry).
        let value = String(repeating: "v", count: 4000)
        let entry = [0x40, 1, UInt8(ascii: "x"), 127] + [UInt8((4000 - 127) & 127 | 128), UInt8((4000 - 127) >> 7)]
        let section = Wire.section(Wire.control("GET", "/raw/a")) + entry + Array(value.utf8)
        let bomb = section + [UInt8](repeating: 0xbe, count: 10_000)
        let client = HTTP2Client(bench)
        client.send(Wire.frame(1, flags: Wire.Flag.endStream | Wire.Flag.endHeaders, stream: 1, bomb))
        #expect(client.goaway == Self.calm)
        #expect(client.isEnded)
        bench.expectQuiet()
        // A smaller one is only refused.
        let second = HTTP2Client(bench)
        second.send(Wire.frame(1, flags: 5, stream: 1, section + [UInt8](repeating: 0xbe, count: 20)))
        #expect(second.answer(1).status == 431)
        #expect(!second.isEnded)
    }

    /// An answer nobody takes is not kept, and neither is the connection to the upstream behind it.
    @Test(arguments: [0, 1])
    func answersNobodyTakes(_ drip: Int) throws {
        let bench = try bench()
        let client = HTTP2Client(bench, preface: Wire.magic + Wire.settings([4: 0]))
        client.get(1, "/raw/big")
        let origin = try bench.origin()
        origin.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n" + String(repeating: "x", count: 100_000))
        for _ in 0..<70 {
            bench.advance(by: .seconds(1))
            if drip > 0 { client.send(Wire.windowUpdate(1, drip)) }
        }
        #expect(client.goaway == Self.calm)
        #expect(client.isEnded)
        #expect(origin.isClosed)
        bench.expectQuiet()
    }

    /// A client that reads nothing at all is cut off, whatever it asks for.
    @Test func aClientThatDoesNotRead() throws {
        let bench = try bench { $0.bufferedBytes = 10_000 }
        let client = HTTP2Client(bench, preface: Wire.preface + Wire.windowUpdate(0, 1_000_000))
        client.peer.window = 0
        for round in 0..<100 { client.send(Wire.request(round * 2 + 1, "GET", "/nowhere")) }
        #expect(client.peer.link.outbox.count < 30_000)
        bench.advance(by: .seconds(65))
        #expect(client.isEnded)
        bench.expectQuiet()
    }

    static let wrong: [(code: Int, clause: String, frames: [UInt8])] = [
        (5, "§5.1 content behind the end", Wire.request(1, "GET", "/raw/a") + Wire.data(1, "x")),
        (5, "§5.1 a head behind the end", Wire.request(1, "GET", "/raw/a") + Wire.request(1, "GET", "/raw/a")),
        (5, "§5.1 content behind a reset", Wire.request(1, end: false) + Wire.reset(1) + Wire.data(1, "x")),
        (1, "§5.1.1 a smaller identifier", Wire.request(5) + Wire.request(3)),
        (1, "§5.1.1 an even identifier", Wire.request(2)),
        (1, "§5.1 content of an idle stream", Wire.data(1, "x")),
        (1, "§6.3 PRIORITY of the connection", Wire.priority(0, on: 1)),
        (1, "RFC 7540 §5.3.1", Wire.priority(3, on: 3)),
        (6, "§4.2 a frame that is too large", Wire.frame(0, stream: 1, [UInt8](repeating: 0, count: 16_385))),
        (1, "§6.9 an empty window update", Wire.windowUpdate(0, 0)),
        (3, "§6.9.1 a window beyond all windows", Wire.windowUpdate(0, 0x7fff_ffff)),
        (9, "RFC 7541 §2.3.3", Wire.frame(1, flags: 5, stream: 1, [0xff, 0xff, 0x03])),
    ]

    @Test(arguments: wrong.indices, [true, false])
    func whatCannotGoOnEnds(_ index: Int, whole: Bool) throws {
        let row = Self.wrong[index]
        let bench = try bench()
        let client = HTTP2Client(bench)
        if whole {
            client.send(row.frames)
        } else {
            for byte in row.frames { client.send([byte]) }
        }
        #expect(client.goaway == row.code, "\(row.clause)")
        #expect(client.isEnded, "\(row.clause)")
        #expect(bench.gateway.counters.connections == 0)
        bench.expectQuiet()
    }
}
