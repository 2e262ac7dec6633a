import SluiceContract
import Testing

@testable import SluiceGateway

/// A connection that leaves HTTP: `upgrade: websocket` (RFC 6455, RFC 9110 §7.8).
@Suite struct ExchangeTunnelTests {
    static let handshake =
        "GET /raw/chat HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive, Upgrade\r\nUpgrade: WebSocket\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    static let agreement =
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n"

    static func bench(_ edit: (inout Upstream) -> Void = { _ in }) throws -> Bench {
        try Bench(
            Build.configuration(
                [try Build.binding("ANY /raw/**", to: "fruit /**") { $0.upgrade = .websocket }],
                upstreams: [Build.upstream("fruit", edit)]))
    }

    /// Both ends of a tunnel that is open.
    static func open(_ bench: Bench) throws -> (client: ClientPeer, origin: OriginPeer) {
        let client = bench.client()
        client.request(handshake)
        let origin = try bench.origin()
        origin.send(agreement)
        #expect(client.reader.interim.map(\.status) == [101])
        client.recordsBytes = true
        origin.recordsBytes = true
        return (client, origin)
    }

    @Test func theHandshakePassesBothWays() throws {
        let bench = try Self.bench()
        let (client, _) = try Self.open(bench)
        let seen = try bench.forwarded()
        #expect(seen["Upgrade"] == "websocket")
        #expect(seen["Connection"] == "Upgrade")
        #expect(seen["Sec-WebSocket-Key"] == "dGhlIHNhbXBsZSBub25jZQ==")
        let answer = try #require(client.reader.interim.first)
        #expect(answer["Upgrade"] == "websocket")
        #expect(answer["Connection"] == "Upgrade")
        #expect(answer["Sec-WebSocket-Accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        client.reset()
        bench.expectQuiet()
    }

    /// RFC 6455 §4.2.1, §4.4: what is wrong with a handshake is told here, and nothing is forwarded.
    @Test(arguments: [
        ("GET", "POST", 400), ("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n", "", 400),
        ("dGhlIHNhbXBsZSBub25jZQ==", "dGhlIHNhbXBsZSBub25jZQ", 400), ("dGhlIHNhbXBsZSBub25jZQ==", "a==", 400),
        ("Version: 13\r\n", "Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n", 400),
        ("Version: 13", "Version: 8", 426), ("Sec-WebSocket-Version: 13\r\n", "", 426),
        ("Host: localhost\r\n", "Host: localhost\r\nContent-Length: 1\r\n", 400),
    ])
    func aBadHandshakeIsRefused(part: String, other: String, status: Int) throws {
        let bench = try Self.bench()
        let client = bench.client()
        let parts = Self.handshake.components(around: part)
        client.request(parts.0 + other + parts.1)
        #expect(client.answers.map(\.status) == [status])
        #expect(client.answers.first?["Sec-WebSocket-Version"] == (status == 426 ? "13" : nil))
        #expect(bench.origins.isEmpty)
        client.reset()
        bench.expectQuiet()
    }

    /// RFC 6455 §4.1, steps 5 and 6: what was not offered is not chosen.
    @Test(
        arguments: [
            ("", "Sec-WebSocket-Protocol: chat", 502),
            ("Sec-WebSocket-Protocol: a, chat", "Sec-WebSocket-Protocol: chat", 101),
            ("Sec-WebSocket-Protocol: a, chat", "Sec-WebSocket-Protocol: Chat", 502),
            ("", "Sec-WebSocket-Extensions: permessage-deflate", 502),
            (
                "Sec-WebSocket-Extensions: x, permessage-deflate; client_max_window_bits",
                "Sec-WebSocket-Extensions: permessage-deflate ; server_no_context_takeover", 101
            ),
        ])
    func whatWasNotOfferedIsRefused(asked: String, answered: String, status: Int) throws {
        let bench = try Self.bench()
        let client = bench.client()
        let parts = Self.handshake.components(around: "Sec-WebSocket-Version")
        client.request(parts.0 + (asked.isEmpty ? "" : asked + "\r\n") + "Sec-WebSocket-Version" + parts.1)
        try bench.origin().send(String(Self.agreement.dropLast(1)) + answered + "\r\n\r\n")
        #expect((client.reader.interim + client.answers).map(\.status) == [status])
        client.reset()
        bench.expectQuiet()
    }

    /// RFC 9110 §7.8: whoever does not ask as one has to, or for something else, is answered without an upgrade.
    @Test(arguments: [
        ("Connection: keep-alive, Upgrade\r\n", ""), ("WebSocket", "h2c"), ("HTTP/1.1", "HTTP/1.0"),
    ])
    func withoutAskingThereIsNoUpgrade(part: String, other: String) throws {
        let bench = try Self.bench()
        let client = bench.client()
        let parts = Self.handshake.components(around: part)
        client.request(parts.0 + other + parts.1)
        let seen = try bench.forwarded()
        #expect(seen.values("Upgrade") == [])
        #expect(seen.values("Connection") == [])
        try bench.origin().send(Self.agreement)
        #expect(client.answers.map(\.status) == [502])
        client.reset()
        bench.expectQuiet()
    }

    /// RFC 6455 §4.1: an upstream that switches to something else has not been asked for that.
    @Test(arguments: [
        ("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", "t3pPLMBiTxaQ9kYGzzhZRbK+xOo="),
        ("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n", ""), ("Upgrade: websocket", "Upgrade: h2c"),
        ("Connection: Upgrade\r\n", ""), ("Upgrade: websocket\r\n", ""), ("HTTP/1.1", "HTTP/1.0"),
    ])
    func aBadAgreementIsA502(part: String, other: String) throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request(Self.handshake)
        let parts = Self.agreement.components(around: part)
        let origin = try bench.origin()
        origin.send(parts.0 + other + parts.1)
        #expect(client.answers.map(\.status) == [502])
        #expect(origin.isClosed)
        #expect(client.reader.interim.isEmpty)
        client.reset()
        bench.expectQuiet()
    }

    /// An upstream may refuse, and the connections are those of HTTP still.
    @Test func aRefusalIsAnAnswer() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request(Self.handshake)
        try bench.origin().answer(401, body: "no")
        client.request("GET", "/raw/next")
        try bench.origin().answer(200, body: "yes")
        #expect(client.answers.map(\.text) == ["no", "yes"])
        #expect(bench.origins.count == 1)
        bench.expectQuiet()
    }

    /// What either side sends right behind its part of the handshake belongs to the tunnel, however it is cut.
    @Test(arguments: [1, 7, .max])
    func bytesPassBothWays(pieces: Int) throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.recordsBytes = true
        client.expect("GET")
        client.send(Self.handshake + "early", inPiecesOf: pieces)
        let origin = try bench.origin()
        #expect(origin.requests.count == 1)
        origin.recordsBytes = true
        origin.send(Self.agreement + "\u{0}hello\r\n\r\n", inPiecesOf: pieces)
        client.send("GET / HTTP/1.1\r\n\r\n\u{1}", inPiecesOf: pieces)
        #expect(String(decoding: origin.bytes, as: UTF8.self) == "earlyGET / HTTP/1.1\r\n\r\n\u{1}")
        #expect(String(decoding: client.bytes, as: UTF8.self).hasSuffix("\r\n\r\n\u{0}hello\r\n\r\n"))
        client.reset()
        #expect(origin.isClosed)
        bench.expectQuiet()
    }

    /// Either direction waits for its reader, in bounded memory.
    @Test(arguments: [true, false])
    func slowReadersHoldTheirWriters(isUpload: Bool) throws {
        let bench = try Self.bench()
        let (client, origin) = try Self.open(bench)
        let sender: Peer = isUpload ? client : origin
        let taker: Peer = isUpload ? origin : client
        taker.recordsBytes = false
        taker.window = 0
        let piece = [UInt8](repeating: 0x78, count: BackPressureTests.input)
        let before = taker.reader.byteCount
        BackPressureTests.pour(piece, times: 200, from: sender, to: taker, taking: 300_000)
        taker.take(.max)
        #expect(taker.reader.byteCount - before == 200 * piece.count)
        #expect(taker.outboxHighWater <= BackPressureTests.buffered + 2 * BackPressureTests.input + (20 << 10))
        client.reset()
        bench.expectQuiet()
    }

    @Test func aClientThatSendsNoMoreStillReads() throws {
        let bench = try Self.bench()
        let (client, origin) = try Self.open(bench)
        client.send("last")
        client.endInput()
        #expect(origin.link.endsOutput)
        #expect(!origin.isClosed)
        origin.send("answer")
        #expect(String(decoding: origin.bytes, as: UTF8.self) == "last")
        #expect(String(decoding: client.bytes, as: UTF8.self) == "answer")
        origin.endInput()
        #expect(client.sawEnd)
        #expect(origin.isClosed)
        bench.expectQuiet()
    }

    @Test(arguments: [false, true])
    func theEndOfTheUpstreamIsTheEnd(isReset: Bool) throws {
        let bench = try Self.bench()
        let (client, origin) = try Self.open(bench)
        origin.send("last")
        if isReset { origin.reset() } else { origin.endInput() }
        #expect(String(decoding: client.bytes, as: UTF8.self) == "last")
        #expect(isReset ? client.sawReset : client.sawEnd)
        bench.expectQuiet()
    }

    /// Bytes in either direction keep a tunnel; a stop of the daemon waits for it.
    @Test func silenceEndsIt() throws {
        let bench = try Self.bench { $0.timeout.idle = .seconds(5) }
        let (client, origin) = try Self.open(bench)
        for _ in 0..<10 {
            bench.advance(by: .seconds(4))
            client.send("a")
            bench.advance(by: .seconds(4))
            origin.send("b")
        }
        bench.gateway.drain()
        bench.turn()
        #expect(!client.isClosed)
        bench.advance(by: .seconds(6))
        #expect(client.isClosed)
        #expect(origin.isClosed)
        bench.expectQuiet()
    }

    @Test func theUsualSilenceIsAnHour() throws {
        let bench = try Self.bench()
        let (client, _) = try Self.open(bench)
        bench.advance(by: .seconds(3599))
        #expect(!client.isClosed)
        bench.advance(by: .seconds(2))
        #expect(client.isClosed)
        bench.expectQuiet()
    }
}

extension String {
    /// What stands before and behind `part`.
    fileprivate func components(around part: String) -> (String, String) {
        guard let range = firstRange(of: part) else { return (self, "") }
        return (String(self[..<range.lowerBound]), String(self[range.upperBound...]))
    }
}
