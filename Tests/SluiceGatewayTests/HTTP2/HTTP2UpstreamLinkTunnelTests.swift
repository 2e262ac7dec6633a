import HTTP2Wire
import SluiceContract
import Testing

@testable import SluiceGateway

/// WebSockets to upstreams of HTTP/2: an extended CONNECT (RFC 8441), whatever the client speaks.
@Suite struct HTTP2UpstreamLinkTunnelTests {
    typealias Wire = HTTP2Wire

    private func bench(_ edit: (inout Upstream) -> Void = { _ in }) throws -> Bench {
        let bench = try ExchangeTunnelTests.bench {
            $0.httpVersion = .h2c
            edit(&$0)
        }
        bench.recordsOrigins = true
        return bench
    }

    /// Both ends of a tunnel that is open.
    private func open(_ bench: Bench) throws -> (client: ClientPeer, origin: HTTP2Origin) {
        let client = bench.client()
        client.request(ExchangeTunnelTests.handshake)
        let origin = try bench.http2Origin([8: 1])
        origin.send(Wire.headers(1, [(":status", "200")], end: false))
        #expect(client.reader.interim.map(\.status) == [101])
        client.recordsBytes = true
        return (client, origin)
    }

    /// RFC 8441 §4, §5: pseudo-header fields take the place of Upgrade, and there is no key.
    @Test func theHandshakeIsTranslated() throws {
        let bench = try bench()
        let client = bench.client()
        client.request(ExchangeTunnelTests.handshake.dropLast(1) + "Sec-WebSocket-Protocol: chat\r\n\r\n")
        let origin = try bench.http2Origin([8: 1])
        let request = origin.request(1)
        #expect(
            request.fields.prefix(6).map { "\($0.name): \($0.value)" } == [
                ":method: CONNECT", ":scheme: http", ":authority: fruit.example", ":path: /v1/chat",
                ":protocol: websocket", "sec-websocket-version: 13",
            ])
        for name in ["upgrade", "connection", "sec-websocket-key", "content-length"] { #expect(request[name] == nil) }
        #expect(!request.isComplete)
        origin.send(Wire.headers(1, [(":status", "200"), ("sec-websocket-protocol", "chat")], end: false))
        let answer = try #require(client.reader.interim.first)
        #expect(answer.status == 101)
        #expect(answer["Upgrade"] == "websocket")
        #expect(answer["Sec-WebSocket-Accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        #expect(answer["Sec-WebSocket-Protocol"] == "chat")
        client.reset()
        bench.expectQuiet()
    }

    /// RFC 8441 §3: before the peer's SETTINGS have come nobody knows whether it may be sent.
    @Test func itWaitsForTheSettings() throws {
        let bench = try bench()
        let client = bench.client()
        client.request(ExchangeTunnelTests.handshake)
        let peer = try bench.origin()
        let reader = HTTP2WireReader()
        reader.feed(peer.bytes[Wire.magic.count...])
        #expect(reader.answers.isEmpty)
        let origin = HTTP2Origin(peer, settings: [8: 1])
        #expect(origin.streams == [1])
        client.reset()
        #expect(origin.request(1).resetCode == 8)
        bench.expectQuiet()
    }

    @Test func bytesPassBothWays() throws {
        let bench = try bench()
        let (client, origin) = try open(bench)
        let before = client.bytes.count
        for piece in ["one", "two", "three"] {
            client.send(piece)
            origin.send(Wire.data(1, piece.uppercased()))
        }
        #expect(origin.request(1).text == "onetwothree")
        #expect(String(decoding: client.bytes[before...], as: UTF8.self) == "ONETWOTHREE")
        // More than any window: it opens as the client takes it.
        for _ in 0..<60 { origin.send(Wire.data(1, String(repeating: "x", count: 10_000))) }
        #expect(client.bytes.count - before == 600_011)
        #expect(origin.reader.windows[1] ?? 0 > 300_000)
        client.reset()
        #expect(origin.request(1).resetCode == 8)
        #expect(!origin.peer.isClosed)
        bench.expectQuiet()
    }

    /// RFC 8441 §5: the end of TCP is END_STREAM.
    @Test func endsAreEnds() throws {
        let bench = try bench()
        var (client, origin) = try open(bench)
        client.endInput()
        #expect(origin.request(1).isComplete)
        origin.send(Wire.data(1, "farewell", end: true))
        #expect(String(decoding: client.bytes, as: UTF8.self).hasSuffix("farewell"))
        #expect(client.sawEnd)
        #expect(!origin.peer.isClosed)
        bench.expectQuiet()

        client = bench.client()
        client.request(ExchangeTunnelTests.handshake)
        origin.send(Wire.headers(3, [(":status", "200")], end: false), Wire.data(3, "last", end: true))
        #expect(client.sawEnd)
        #expect(origin.request(3).isComplete || origin.request(3).resetCode == 0)
        bench.expectQuiet()
    }

    @Test func aResetIsAReset() throws {
        let bench = try bench()
        let (client, origin) = try open(bench)
        origin.send(Wire.reset(1, code: 8))
        #expect(client.peerSawEnd)
        #expect(!origin.peer.isClosed)
        bench.expectQuiet()
    }

    @Test func aClientOfHTTP2GoesOn() throws {
        let bench = try bench()
        let client = HTTP2Client(bench)
        client.send(HTTP2StreamTunnelTests.connect(1), Wire.data(1, "early"))
        let origin = try bench.http2Origin([8: 1])
        #expect(origin.request(1)[":protocol"] == "websocket")
        #expect(origin.request(1)["sec-websocket-key"] == nil)
        #expect(origin.request(1).text == "")
        origin.send(Wire.headers(1, [(":status", "200")], end: false), Wire.data(1, "hello"))
        #expect(client.answer(1).status == 200)
        #expect(client.answer(1)["sec-websocket-accept"] == nil)
        #expect(client.answer(1).text == "hello")
        #expect(origin.request(1).text == "early")
        client.send(Wire.reset(1))
        #expect(origin.request(1).resetCode == 8)
        bench.expectQuiet()
    }

    @Test func aRefusalIsAnAnswer() throws {
        let bench = try bench()
        let client = bench.client()
        client.request(ExchangeTunnelTests.handshake)
        let origin = try bench.http2Origin([8: 1])
        origin.answer(1, 403, body: "no")
        #expect(client.answers.last?.status == 403)
        #expect(client.answers.last?.text == "no")
        bench.expectQuiet()
    }

    @Test(arguments: [false, true])
    func whoDoesNotOfferItIsNotAsked(saysSo: Bool) throws {
        let bench = try bench()
        let client = bench.client()
        client.request(ExchangeTunnelTests.handshake)
        let origin = try bench.http2Origin(saysSo ? [8: 0] : [:])
        #expect(origin.streams == [])
        #expect(client.answers.last?.status == 502)
        #expect(client.answers.last?.text.contains("RFC 8441") == true)
        // The connection is as good as before.
        let other = bench.client()
        other.request("GET", "/raw/a")
        origin.answer(1, body: "ok")
        #expect(other.answers.last?.text == "ok")
        bench.expectQuiet()
    }

    /// Who leaves, and a connection that ends, before the settings have come.
    @Test func whatHasNotBegunIsEasilyGivenUp() throws {
        let bench = try bench()
        let clients = (0..<2).map { _ in bench.client() }
        for client in clients { client.request(ExchangeTunnelTests.handshake) }
        clients[0].reset()
        #expect(bench.gateway.generation.upstreams[0].endpoint.load == 1)
        bench.origins[0].reset()
        #expect(bench.origins.count == 2)
        let origin = try bench.http2Origin([8: 1])
        #expect(origin.streams == [1])
        clients[1].reset()
        bench.expectQuiet()
    }

    /// Where there is the choice, HTTP/1.1 it is.
    @Test func autoTakesHTTP1ForIt() throws {
        let bench = try bench {
            $0.origin = .tcp(host: "fruit.example", port: 443, tls: true)
            $0.httpVersion = .auto
        }
        bench.originsSpeakHTTP2 = true
        let client = bench.client()
        client.request(ExchangeTunnelTests.handshake)
        #expect(try bench.origin().requests.first?.startLine == "GET /v1/chat HTTP/1.1")
        client.reset()
        bench.expectQuiet()
    }

    /// `pool: connections` is one number for both versions: what is idle of the one gives way to the other.
    @Test func theVersionsShareThePlaces() throws {
        let bench = try bench {
            $0.origin = .tcp(host: "fruit.example", port: 443, tls: true)
            $0.httpVersion = .auto
            $0.connectionsMax = 1
        }
        bench.originsSpeakHTTP2 = true
        let client = bench.client()
        client.request("GET", "/raw/a")
        let first = try bench.http2Origin()
        // The place is taken until the stream is over.
        let tunnel = bench.client()
        tunnel.request(ExchangeTunnelTests.handshake)
        #expect(bench.origins.count == 1)
        first.answer(1, body: "one")
        #expect(client.answers.last?.text == "one")
        #expect(first.peer.isClosed)
        #expect(bench.origins.count == 2)
        #expect(bench.origins[1].requests.first?.startLine == "GET /v1/chat HTTP/1.1")
        client.request("GET", "/raw/b")
        #expect(bench.origins.count == 2)
        tunnel.reset()
        #expect(bench.origins.count == 3)
        try bench.http2Origin().answer(1, body: "two")
        #expect(client.answers.last?.text == "two")
        bench.expectQuiet()
    }
}
