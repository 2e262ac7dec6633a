import Foundation
import Testing

/// Bodies of any size, in bounded memory, with back-pressure in both directions.
@Suite struct StreamTests {
    private func gateway(_ origin: ScriptedOrigin, limits: String = "") throws -> Daemon {
        try Daemon(
            """
            loops: 1
            limits: {\(limits)}
            upstreams:
              origin: {url: "\(origin.url)"}
            bindings:
              ANY /**: {to: origin /**}
            """)
    }

    @Test func aLargeDownloadArrivesWhole() throws {
        let size = 48 << 20
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n"
        let origin = try ScriptedOrigin([[.head, .send(head), .flood(size)]])
        defer { origin.end() }
        let gateway = try gateway(origin)
        defer { gateway.end() }
        let response = try gateway.get("/a")
        #expect(response.isComplete)
        #expect(response.body.count == size)
    }

    @Test func aLargeUploadArrivesWhole() throws {
        let size = 24 << 20
        let origin = try ScriptedOrigin([[.head, .body(size), .send("HTTP/1.1 204 No Content\r\n\r\n")]])
        defer { origin.end() }
        let gateway = try gateway(origin)
        defer { gateway.end() }
        let client = try gateway.client()
        client.send("PUT", "/a", fields: ["Content-Length: \(size)"])
        let block = [UInt8](repeating: UInt8(ascii: "y"), count: 1 << 20)
        for _ in 0..<(size / block.count) { #expect(client.connection.send(block)) }
        #expect(try client.response(to: "PUT").status == 204)
        #expect(origin.received().utf8.suffix(size).allSatisfy { $0 == UInt8(ascii: "y") })
    }

    /// A client that stops reading stops the upstream, and the gateway holds no more than its limits say.
    @Test func aClientThatStopsReadingHoldsUpTheUpstream() throws {
        let size = 256 << 20
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n"
        let origin = try ScriptedOrigin([
            [.head, .send("HTTP/1.1 204 No Content\r\n\r\n"), .head, .send(head), .flood(size)]
        ])
        defer { origin.end() }
        let gateway = try gateway(origin)
        defer { gateway.end() }
        #expect(try gateway.get("/a").status == 204)
        let before = try gateway.process.residentBytes
        let client = try gateway.client()
        client.send("GET", "/a")
        #expect(try client.head().status == 200)
        var seen = -1
        var unchanged = 0
        try Poll.until(
            "the origin is held up",
            holds: {
                let sent = origin.sentByteCount
                unchanged = sent == seen ? unchanged + 1 : 0
                seen = sent
                return unchanged > 100
            })
        // The rest lies in the kernel's socket buffers.
        #expect(origin.sentByteCount < 64 << 20)
        #expect(try gateway.process.residentBytes - before < 4 << 20)
    }

    /// A read may leave something behind, and nothing more arrives that would say so: it is read all the same, and so
    /// is the end behind it.
    @Test func whatCameAtOnceIsReadInPieces() throws {
        let size = 96 << 10
        let flood = 32 << 20
        let body = String(repeating: "x", count: size)
        let gate = Gate()
        let origin = try ScriptedOrigin([
            [.head, .send("HTTP/1.1 200 OK\r\nContent-Length: \(flood)\r\n\r\n"), .flood(flood)],
            [.head, .body(size), .wait(gate), .send("HTTP/1.0 200 OK\r\n\r\n" + body), .close],
        ])
        defer { origin.end() }
        let gateway = try gateway(origin, limits: "buffered: 64KiB, buffered-total: 64KiB")
        defer { gateway.end() }
        // Somebody who reads nothing leaves no room but for short reads.
        let slow = try gateway.client()
        slow.send("GET", "/a")
        #expect(try slow.head().status == 200)
        let client = try gateway.client()
        try gateway.process.freeze()
        client.send("PUT", "/b", body: body)
        gateway.process.signal(SIGCONT)
        try Poll.until("the upload has arrived", holds: { origin.received(on: 1).utf8.count > size })
        try gateway.process.freeze()
        gate.open()
        try Poll.until("the origin has sent all", holds: { origin.openConnectionCount == 1 })
        gateway.process.signal(SIGCONT)
        let response = try client.response(to: "PUT")
        #expect(response.isComplete)
        #expect(response.body.count == size)
    }

    /// A request is given up with its last client.
    @Test func aClientThatLeavesEndsTheUpstreamRequest() throws {
        let size = 64 << 20
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n"
        let origin = try ScriptedOrigin([[.head, .send(head), .flood(size)]])
        defer { origin.end() }
        let gateway = try gateway(origin)
        defer { gateway.end() }
        let client = try gateway.client()
        client.send("GET", "/a")
        #expect(try client.head().status == 200)
        client.connection.reset()
        try Poll.until("the upstream connection has ended", holds: { origin.openConnectionCount == 0 })
        #expect(origin.sentByteCount < size)
    }
}
