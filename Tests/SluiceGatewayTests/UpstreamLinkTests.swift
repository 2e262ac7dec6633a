import SluiceContract
import Testing

@testable import SluiceGateway

/// Connections to upstreams and how they end.
@Suite struct UpstreamLinkTests {
    /// RFC 9112 §6.3: the announced length is the answer; what comes behind it is nobody's, together with it or later.
    @Test(arguments: [0, 1, 19, 30]) func surplusIsDroppedAndTold(cut: Int) throws {
        let bench = try Bench(Build.configuration([try Build.binding("ANY /raw/**", to: "fruit /**")]))
        var notices: [GatewayNotice] = []
        bench.gateway.notice = { notices.append($0) }
        for round in 0..<2 {
            let client = bench.client()
            client.request("GET", "/raw/a")
            let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\n\r\n".utf8)
            try bench.origin().send(Array(answer.prefix(answer.count - cut)))
            if cut > 0, try !bench.origin().isClosed { try bench.origin().send(Array(answer.suffix(cut))) }
            #expect(client.answers.map(\.text) == ["ok"])
            #expect(bench.origins.count == round + 1)
            #expect(bench.gateway.counters.upstreamConnections == 0)
        }
        // Once in a minute.
        #expect(notices == (cut == 19 ? [] : [.surplus(upstream: "fruit")]))
    }

    /// An upstream that answers early and does not read the rest of the request would keep a connection which waits
    /// until that is written.
    @Test func anEarlyAnswerDoesNotLeaveAConnectionBehind() throws {
        let bench = try Bench(Build.configuration([try Build.binding("ANY /raw/**", to: "fruit /**")]))
        let client = bench.client()
        client.send("POST /raw/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n")
        let origin = try bench.origin()
        origin.window = 0
        client.send([UInt8](repeating: UInt8(ascii: "x"), count: 50_000))
        origin.answer(413, body: "no")
        #expect(client.answers.first?.status == 413)
        #expect(origin.sawReset)
        #expect(bench.gateway.counters.upstreamConnections == 0)
    }

    /// What its peer is about to close is closed before; a peer that keeps nothing gets a new connection each time.
    @Test(
        arguments: [
            (nil, 60_000), ("timeout=120", 60_000), ("timeout=61", 60_000), ("timeout=5, max=100", 4000),
            ("timeout=2", 1000), ("timeout=1", 500), ("timeout=0", 0), ("timeout=9223372036854775807", 60_000),
        ] as [(String?, Int)])
    func anIdleConnectionIsKeptAsLongAsItsPeerKeepsIt(announced: String?, milliseconds: Int) throws {
        let bench = try Bench(Build.configuration([try Build.binding("ANY /raw/**", to: "fruit /**")]))
        try bench.get(
            "/raw/a",
            answer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n"
                + (announced.map { "Keep-Alive: \($0)\r\n" } ?? "") + "\r\nok")
        let origin = try bench.origin()
        if milliseconds > 0 {
            bench.advance(by: .milliseconds(milliseconds - 1))
            #expect(!origin.isClosed)
            bench.advance(by: .milliseconds(5))
        }
        #expect(origin.isClosed && !origin.sawReset)
        bench.expectQuiet()
    }

    /// What has been said once holds for the connection.
    @Test func theLastAnnouncementHolds() throws {
        let bench = try Bench(Build.configuration([try Build.binding("ANY /raw/**", to: "fruit /**")]))
        for field in ["Keep-Alive: timeout=60\r\n", "Keep-Alive: timeout=3\r\n", ""] {
            try bench.get("/raw/a", answer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\(field)\r\nok")
        }
        #expect(bench.origins.count == 1)
        bench.advance(by: .milliseconds(2010))
        #expect(try bench.origin().isClosed)
        bench.expectQuiet()
    }
}
