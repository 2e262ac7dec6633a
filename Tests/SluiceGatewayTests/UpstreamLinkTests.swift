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
}
