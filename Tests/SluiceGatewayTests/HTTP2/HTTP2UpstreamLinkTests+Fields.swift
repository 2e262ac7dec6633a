import HTTP2Wire
import SluiceContract
import Testing

@testable import SluiceGateway

/// How much an upstream takes of a request's fields (RFC 9113 §6.5.2).
extension HTTP2UpstreamLinkTests {
    private static let long = "X-Long: " + String(repeating: "x", count: 2000)

    @Test func fieldsThatTheUpstreamWouldRefuseAreNotSent() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request("GET", "/raw/a")
        let origin = try bench.http2Origin([6: 1500])
        origin.answer(1, 200, body: "one")
        client.request("GET", "/raw/b", Self.long)
        let refusal = try #require(client.answers.last)
        #expect(refusal.startLine == "HTTP/1.1 431 Request Header Fields Too Large")
        #expect(refusal.text.contains("too large for 'fruit', which takes 1500 bytes"), "\(refusal.text)")
        #expect(origin.streams == [1])
        // The connection is as good as before, and a larger limit holds from then on.
        client.request("GET", "/raw/c")
        origin.answer(3, 200, body: "two")
        #expect(client.answers.last?.text == "two")
        origin.send(Wire.settings([6: 4000]))
        client.request("GET", "/raw/d", Self.long)
        origin.answer(5, 200, body: "three")
        #expect(client.answers.last?.text == "three")
        bench.expectQuiet()
    }

    /// An attempt that was never made is no failure of an endpoint, and is not made again.
    @Test func noEndpointIsBlamedForThem() throws {
        let bench = try Self.bench { upstream in
            upstream.breaker = BreakerPolicy()
            upstream.breaker?.failures = 1
        }
        let client = bench.client()
        client.request("GET", "/raw/a")
        let origin = try bench.http2Origin([6: 1500])
        origin.answer(1, 200, body: "one")
        for _ in 0..<3 {
            client.request("GET", "/raw/b", Self.long)
            #expect(client.answers.last?.startLine == "HTTP/1.1 431 Request Header Fields Too Large")
        }
        client.request("GET", "/raw/c")
        origin.answer(3, 200, body: "two")
        #expect(client.answers.last?.text == "two")
        bench.expectQuiet()
    }
}
