import Foundation
import Testing

/// Many clients at once on several loops, in front of an origin that counts.
@Suite struct SharedAnswerTests {
    private func gateway(_ origin: ScriptedOrigin) throws -> Daemon {
        try Daemon(
            """
            loops: 4
            upstreams:
              origin: {url: "\(origin.url)"}
            bindings:
              GET /a: {to: origin /all, parent: a, value: Int, cache: {}}
              GET /b: {to: origin /all, parent: b, value: Int, cache: {}}
              ANY /**: {to: origin /**, cache: {}}
            """)
    }

    private static let clients = 120
    private static let head = "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nSet-Cookie: a=1\r\nContent-Length: "

    /// Whoever comes while it is asked for waits, and whoever comes later finds it: either way it is asked for once.
    @Test(arguments: [false, true]) func aColdKeyIsAskedForOnce(isSlow: Bool) throws {
        let gate = Gate()
        let answer = Self.head + "12\r\n\r\nhello, world"
        let origin = try ScriptedOrigin([[.head, .wait(gate), isSlow ? .trickle(answer) : .send(answer)]])
        defer { origin.end() }
        let gateway = try gateway(origin)
        defer { gateway.end() }
        let clients = try (0..<Self.clients).map { _ in try gateway.client() }
        for client in clients { client.send("GET", "/cold") }
        gate.open()
        var cookies = 0
        for client in clients {
            let response = try client.response()
            #expect(response.status == 200)
            #expect(response.text == "hello, world")
            if response["Set-Cookie"] != nil { cookies += 1 }
        }
        #expect(cookies <= 1)
        #expect(origin.received().components(separatedBy: "GET /cold").count == 2)
    }

    @Test func siblingsAreAskedForOnce() throws {
        let gate = Gate()
        let body = #"{"a": 1, "b": 2}"#
        let origin = try ScriptedOrigin([[.head, .wait(gate), .send(Self.head + "\(body.utf8.count)\r\n\r\n\(body)")]])
        defer { origin.end() }
        let gateway = try gateway(origin)
        defer { gateway.end() }
        let clients = try (0..<Self.clients).map { _ in try gateway.client() }
        for (index, client) in clients.enumerated() { client.send("GET", index % 2 == 0 ? "/a" : "/b") }
        gate.open()
        for (index, client) in clients.enumerated() {
            #expect(try client.response().text == (index % 2 == 0 ? "1" : "2"))
        }
        #expect(origin.received().components(separatedBy: "GET /all").count == 2)
    }
}
