import SluiceContract
import Testing

@testable import SluiceGateway

/// Connections to upstreams and how they end.
@Suite struct UpstreamLinkTests {
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
