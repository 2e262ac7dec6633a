import SluiceContract
import Testing

@testable import SluiceGateway

/// Methods and targets that are about the gateway itself.
@Suite struct ExchangeMatchTests {
    static func bench() throws -> Bench {
        try Bench(
            Build.configuration([
                try Build.binding("GET|POST /a", to: "fruit /a"), try Build.binding("ANY /raw/**", to: "fruit /**"),
            ]))
    }

    /// RFC 9110 §9.3.7: what the server as a whole can do.
    @Test func anAsteriskIsAnsweredHere() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.send("OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let answer = try #require(client.answers.first)
        #expect(answer.status == 200)
        #expect(answer["Allow"]?.contains("GET") == true)
        #expect(answer["Allow"]?.contains("TRACE") == false)
    }

    /// RFC 9110 §7.6.2.
    @Test func maxForwardsIsCountedDown() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.send("OPTIONS /raw/x HTTP/1.1\r\nHost: localhost\r\nMax-Forwards: 0\r\n\r\n")
        #expect(client.answers.first?.status == 200)
        #expect(client.answers.first?["Allow"] != nil)
        _ = try bench.exchange("OPTIONS /raw/x HTTP/1.1\r\nHost: localhost\r\nMax-Forwards: 3\r\n\r\n")
        #expect(try bench.forwarded()["Max-Forwards"] == "2")
    }

    /// A TRACE would show the upstream's bearer to the client.
    @Test func traceIsNeverForwarded() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.send("TRACE /raw/x HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(client.answers.first?.status == 405)
    }

    /// RFC 9110 §15.6.2.
    @Test func unknownMethodsAreNotImplemented() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.send("BREW /a HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(client.answers.first?.status == 501)
        #expect(try bench.exchange("BREW /raw/pot HTTP/1.1\r\nHost: localhost\r\n\r\n").status == 200)
    }

    @Test(arguments: ["/raw/../a", "/raw/%2e%2E/a", "/raw/a/.", "/raw/%5c..", "/raw/%00", "/raw/%0d"])
    func ambiguousPathsAreRefused(path: String) throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(client.answers.first?.status == 400)
    }
}
