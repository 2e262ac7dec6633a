import Foundation
import Testing

/// `upgrade: websocket` between two ends that nobody here wrote, and between sockets that are watched.
@Suite struct WebSocketTests {
    private func gateway(_ url: String, _ settings: String = "protocol: auto") throws -> Daemon {
        try Daemon(
            """
            loops: 1
            drain: 10s
            upstreams:
              chat: {url: "\(url)", \(settings)}
            bindings:
              ANY /**: {to: chat /**, upgrade: websocket}
            """)
    }

    @Test(.needsPeers) func messagesComeBackAsTheyWere() throws {
        let port = try LoopbackAddress.freePort()
        let server = try WebSocketPeer.server(port: port)
        defer { server.end() }
        let gateway = try gateway("http://127.0.0.1:\(port)")
        defer { gateway.end() }
        let client = try WebSocketPeer.client("ws://127.0.0.1:\(gateway.port)")
        defer { client.end() }
        try Poll.until("the client has ended", holds: { client.exitStatus != nil })
        #expect(client.exitStatus == 0, "\(client.errors)")
        #expect(client.output == "done\n")
    }

    /// With HTTP/2 in between (RFC 8441): one gateway asks another, which asks in HTTP/1.1.
    @Test(.needsPeers) func messagesPassThroughHTTP2() throws {
        let port = try LoopbackAddress.freePort()
        let server = try WebSocketPeer.server(port: port)
        defer { server.end() }
        let inner = try gateway("http://127.0.0.1:\(port)")
        defer { inner.end() }
        let outer = try gateway("http://127.0.0.1:\(inner.port)", "protocol: h2c")
        defer { outer.end() }
        let client = try WebSocketPeer.client("ws://127.0.0.1:\(outer.port)")
        defer { client.end() }
        try Poll.until("the client has ended", holds: { client.exitStatus != nil })
        #expect(client.exitStatus == 0, "\(client.errors)")
        #expect(client.output == "done\n")
    }

    private static let agreement =
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n"

    private func open(_ client: HTTPClient) throws {
        client.send(
            "GET", "/a",
            fields: [
                "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            ])
        #expect(try client.head().status == 101)
    }

    /// A half-closed side still hears the other, also while the daemon waits for what is in flight.
    @Test func aHalfClosedClientStillReads() throws {
        let stopping = Gate()
        let origin = try ScriptedOrigin([
            [.head, .send(Self.agreement), .inputEnd, .wait(stopping), .send("answer"), .close]
        ])
        defer { origin.end() }
        let gateway = try gateway(origin.url)
        defer { gateway.end() }
        let client = try gateway.client()
        try open(client)
        client.connection.send("last")
        client.connection.halfClose()
        try Poll.until("the bytes are there", holds: { origin.received().hasSuffix("last") })
        gateway.process.signal(SIGTERM)
        stopping.open()
        #expect(try client.rest() == "answer")
        try Poll.until("the daemon has ended", holds: { gateway.process.exitStatus != nil })
        #expect(gateway.process.exitStatus == 0)
    }
}
