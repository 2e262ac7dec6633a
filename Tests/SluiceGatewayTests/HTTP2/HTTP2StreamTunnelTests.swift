import HTTP2Wire
import SluiceContract
import Testing

@testable import SluiceGateway

/// Extended CONNECT: a stream that becomes a WebSocket's tunnel (RFC 8441).
@Suite struct HTTP2StreamTunnelTests {
    typealias Wire = HTTP2Wire

    static func bench(_ edit: (inout Configuration) -> Void = { _ in }) throws -> Bench {
        try Bench(
            Build.configuration(
                [
                    try Build.binding("ANY /raw/**", to: "fruit /**") { $0.upgrade = .websocket },
                    try Build.binding("ANY /plain/**", to: "fruit /**"),
                ], edit))
    }

    static func connect(
        _ stream: Int, _ path: String = "/raw/chat", protocol name: String = "websocket",
        fields: Wire.Fields = [("sec-websocket-version", "13")], end: Bool = false
    ) -> [UInt8] {
        Wire.headers(
            stream,
            [
                (":method", "CONNECT"), (":protocol", name), (":scheme", "http"), (":path", path),
                (":authority", "localhost"),
            ] + fields, end: end)
    }

    /// What an upstream says that agrees to the handshake it has seen.
    static func agreement(to request: Message, _ fields: String = "") -> String {
        let accept = Array((request["Sec-WebSocket-Key"] ?? "").utf8).withUnsafeBytes {
            String(decoding: WebSocketHandshake.acceptance(of: $0), as: UTF8.self)
        }
        return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Accept: \(accept)\r\n\(fields)\r\n"
    }

    /// Both ends of a tunnel that is open.
    private func open(_ bench: Bench) throws -> (client: HTTP2Client, origin: OriginPeer) {
        let client = HTTP2Client(bench)
        client.send(Self.connect(1))
        let origin = try bench.origin()
        origin.send(Self.agreement(to: try bench.forwarded()))
        #expect(client.answer(1).status == 200)
        origin.recordsBytes = true
        return (client, origin)
    }

    /// RFC 8441 §3: said where some binding has it, and nowhere else.
    @Test func theSettingTells() throws {
        #expect(HTTP2Client(try Self.bench()).reader.settings[8] == 1)
        let bench = try Self.bench { $0.bindings.removeFirst() }
        let client = HTTP2Client(bench)
        #expect(client.reader.settings[8] == nil)
        client.send(Self.connect(1, "/plain/a"))
        #expect(client.answer(1).resetCode == 1)
        bench.expectQuiet()
    }

    /// RFC 8441 §5: any 2xx would tell the client that its tunnel is open.
    @Test(arguments: [(200, 502), (299, 502), (300, 300)])
    func anUpstreamThatDoesNotChangeIsNoTunnel(_ said: Int, _ status: Int) throws {
        let bench = try Self.bench()
        let client = HTTP2Client(bench)
        client.send(Self.connect(1))
        try bench.origin().send("HTTP/1.1 \(said) X\r\nContent-Length: 2\r\n\r\nok")
        #expect(client.answer(1).status == status)
    }

    /// RFC 8441 §5: a handshake of HTTP/1.1 with a key of ours, and an answer without what is of that handshake.
    @Test func theHandshakeIsTranslated() throws {
        let bench = try Self.bench()
        let client = HTTP2Client(bench)
        client.send(
            Self.connect(
                1, "/raw/chat?room=1",
                fields: [
                    ("sec-websocket-version", "13"), ("sec-websocket-protocol", "chat, superchat"),
                    ("sec-websocket-key", "evil"), ("origin", "http://localhost"), ("content-length", "7"),
                ]))
        let seen = try bench.forwarded()
        #expect(seen.startLine == "GET /v1/chat?room=1 HTTP/1.1")
        #expect(seen["Upgrade"] == "websocket")
        #expect(seen["Connection"] == "Upgrade")
        #expect(seen["Sec-WebSocket-Version"] == "13")
        #expect(seen["Sec-WebSocket-Protocol"] == "chat, superchat")
        #expect(seen.values("Sec-WebSocket-Key").map(\.utf8.count) == [24])
        #expect(seen["Content-Length"] == nil)
        #expect(seen["Transfer-Encoding"] == nil)
        try bench.origin().send(Self.agreement(to: seen, "Sec-WebSocket-Protocol: chat\r\n"))
        let answer = client.answer(1)
        #expect(answer.status == 200)
        #expect(answer["sec-websocket-protocol"] == "chat")
        for name in ["sec-websocket-accept", "upgrade", "connection", "content-length", "transfer-encoding"] {
            #expect(answer[name] == nil)
        }
        #expect(!answer.isComplete)
        client.peer.reset()
        bench.expectQuiet()
    }

    /// Each connection has a key of its own.
    @Test func keysDiffer() throws {
        let bench = try Self.bench()
        let client = HTTP2Client(bench)
        client.send(Self.connect(1), Self.connect(3))
        let keys = bench.origins.compactMap { $0.requests.last?["Sec-WebSocket-Key"] }
        #expect(Set(keys).count == 2)
        client.peer.reset()
        bench.expectQuiet()
    }

    @Test func bytesPassBothWays() throws {
        let bench = try Self.bench()
        let (client, origin) = try open(bench)
        let before = origin.bytes.count
        for piece in ["one", "two", "three"] {
            client.send(Wire.data(1, piece))
            origin.send(piece.uppercased())
        }
        #expect(String(decoding: origin.bytes[before...], as: UTF8.self) == "onetwothree")
        #expect(client.answer(1).text == "ONETWOTHREE")
        #expect(!client.isEnded)
        client.peer.reset()
        #expect(origin.isClosed)
        bench.expectQuiet()
    }

    /// What is sent before the tunnel is open waits, and is no content of the request; so does the stream's end.
    @Test(arguments: [false, true])
    func whatComesEarlyWaits(isEnded: Bool) throws {
        let bench = try Self.bench()
        let client = HTTP2Client(bench)
        client.send(Self.connect(1), Wire.data(1, "early", end: isEnded))
        let origin = try bench.origin()
        #expect(origin.requests.map(\.isComplete) == [true])
        #expect(origin.reader.isInside == false)
        let before = origin.reader.byteCount
        origin.recordsBytes = true
        origin.send(Self.agreement(to: try bench.forwarded()) + "hello")
        #expect(origin.reader.byteCount == before + 5)
        #expect(String(decoding: origin.bytes, as: UTF8.self) == "early")
        #expect(client.answer(1).text == "hello")
        #expect(origin.link.endsOutput == isEnded)
        client.peer.reset()
        bench.expectQuiet()
    }

    /// RFC 8441 §5: the ends of TCP are END_STREAM, in either direction.
    @Test func endsAreEnds() throws {
        let bench = try Self.bench()
        let (client, origin) = try open(bench)
        client.send(Wire.data(1, "bye", end: true))
        #expect(origin.link.endsOutput)
        #expect(!client.answer(1).isComplete)
        origin.send("farewell")
        origin.endInput()
        #expect(client.answer(1).text == "farewell")
        #expect(client.answer(1).isComplete)
        #expect(client.answer(1).resetCode == nil)
        #expect(origin.isClosed)
        // The connection goes on.
        client.get(3, "/plain/a")
        try bench.origin().answer(200, body: "ok")
        #expect(client.answer(3).text == "ok")
        bench.expectQuiet()
    }

    @Test func theUpstreamMayEndFirst() throws {
        let bench = try Self.bench()
        let (client, origin) = try open(bench)
        origin.send("last")
        origin.endInput()
        #expect(client.answer(1).text == "last")
        #expect(client.answer(1).isComplete)
        #expect(client.answer(1).resetCode == 0)
        #expect(!client.isEnded)
        bench.expectQuiet()
    }

    /// RFC 8441 §5: a reset of TCP is RST_STREAM with CANCEL, and the other way round.
    @Test func resetsAreResets() throws {
        let bench = try Self.bench()
        var (client, origin) = try open(bench)
        origin.reset()
        #expect(client.answer(1).resetCode == 8)
        #expect(!client.isEnded)
        bench.expectQuiet()
        (client, origin) = try open(bench)
        client.send(Wire.reset(1))
        #expect(origin.sawReset)
        #expect(!client.isEnded)
        bench.expectQuiet()
    }

    /// A reader that stalls holds its own direction and nothing else.
    @Test func bothDirectionsAreHeldByTheirReaders() throws {
        let bench = try Self.bench { $0.limits.bufferedBytes = 10_000 }
        let client = HTTP2Client(bench, preface: Wire.magic + Wire.settings([4: 1000]))
        client.send(Self.connect(1))
        let origin = try bench.origin()
        origin.send(Self.agreement(to: try bench.forwarded()))
        let much = String(repeating: "d", count: 100_000)
        for _ in 0..<5 { origin.send(much) }
        #expect(client.answer(1).body.count == 1000)
        #expect(!origin.link.wantsRead)
        client.send(Wire.windowUpdate(0, 1_000_000), Wire.windowUpdate(1, 1_000_000))
        #expect(client.answer(1).body.count == 500_000)
        #expect(origin.link.wantsRead)
        // And upwards: the stream's window does not open while the upstream takes nothing.
        origin.window = 0
        let before = client.reader.windows[1] ?? 0
        for _ in 0..<10 { client.send(Wire.data(1, String(repeating: "u", count: 5000))) }
        #expect((client.reader.windows[1] ?? 0) - before <= 20_000)
        origin.take(.max)
        let unsent = origin.link.outbox.count
        #expect(unsent == 0)
        client.peer.reset()
        bench.expectQuiet()
    }

    static let refused: [(clause: String, frames: [UInt8], status: Int)] = [
        ("RFC 9220 §3 another protocol", connect(1, protocol: "connect-udp"), 501),
        ("a binding without upgrade", connect(1, "/plain/a"), 501),
        ("nothing is bound", connect(1, "/nowhere"), 404),
        ("RFC 6455 §4.4 another version", connect(1, fields: [("sec-websocket-version", "8")]), 400),
        ("RFC 6455 §4.1 no version", connect(1, fields: []), 400),
        ("RFC 8441 §5 the stream has ended", connect(1, end: true), 400),
        (
            "RFC 9110 §7.4 another host",
            Wire.headers(
                1,
                [
                    (":method", "CONNECT"), (":protocol", "websocket"), (":scheme", "http"), (":path", "/raw/a"),
                    (":authority", "evil.example"), ("sec-websocket-version", "13"),
                ], end: false), 421
        ),
        (
            "Fetch: a page of another origin",
            connect(1, fields: [("sec-websocket-version", "13"), ("origin", "https://evil.example")]), 403
        ),
    ]

    @Test(arguments: refused.indices)
    func whatIsNotOfferedIsRefused(_ index: Int) throws {
        let row = Self.refused[index]
        let bench = try Self.bench()
        let client = HTTP2Client(bench)
        client.send(row.frames)
        #expect(client.answer(1).status == row.status, "\(row.clause)")
        #expect(client.answer(1).isComplete)
        #expect(bench.origins.isEmpty)
        #expect(!client.isEnded)
        bench.expectQuiet()
    }

    /// An upstream may refuse the handshake, and what it says is the answer; what does not agree is a 502.
    @Test func theUpstreamMayRefuse() throws {
        let bench = try Self.bench()
        let client = HTTP2Client(bench)
        client.send(Self.connect(1), Wire.data(1, "too early"))
        try bench.origin().answer(401, body: "no")
        #expect(client.answer(1).status == 401)
        #expect(client.answer(1).text == "no")
        client.send(Self.connect(3))
        try bench.origin().send(ExchangeTunnelTests.agreement)
        #expect(client.answer(3).status == 502)
        #expect(!client.isEnded)
        bench.expectQuiet()
    }

    /// A tunnel may be silent for as long as a stream may, and is no body that is late.
    @Test func silenceIsAllowedForAWhile() throws {
        let bench = try Self.bench { $0.limits.streamTimeout = .seconds(600) }
        let (client, origin) = try open(bench)
        bench.advance(by: .seconds(500))
        origin.send("still")
        client.send(Wire.data(1, "here"))
        bench.advance(by: .seconds(500))
        #expect(client.answer(1).text == "still")
        #expect(client.answer(1).resetCode == nil)
        bench.advance(by: .seconds(200))
        #expect(client.answer(1).resetCode == 8)
        #expect(origin.isClosed)
        bench.expectQuiet()
    }
}
