import HTTP2Wire
import SluiceContract
import Testing

@testable import SluiceGateway

/// Answers of upstreams that break the rules of HTTP/2.
extension HTTP2UpstreamLinkTests {
    static let malformed: [(clause: String, fields: Wire.Fields)] = [
        ("§8.2", [(":status", "200"), ("X-Upper", "1")]), ("§8.2.1", [(":status", "200"), ("x y", "1")]),
        ("§8.2.1", [(":status", "200"), ("x", "a\r\nb: c")]),
        ("§8.2.2", [(":status", "200"), ("connection", "close")]),
        ("§8.2.2", [(":status", "200"), ("transfer-encoding", "chunked")]),
        ("§8.2.2", [(":status", "200"), ("keep-alive", "1")]), ("§8.2.2", [(":status", "200"), ("upgrade", "x")]),
        ("§8.3", [(":status", "200"), (":path", "/")]), ("§8.3", [(":status", "200"), (":odd", "1")]),
        ("§8.3", [("x", "1"), (":status", "200")]), ("§8.3.2", [("x", "1")]), ("§8.3.2", [(":status", "20")]),
        ("§8.3.2", [(":status", "200"), (":status", "200")]), ("§8.6", [(":status", "101")]),
        ("RFC 9110 §15", [(":status", "600")]), ("RFC 9110 §8.6", [(":status", "200"), ("content-length", "x")]),
        ("RFC 9110 §8.6", [(":status", "200"), ("content-length", "2"), ("content-length", "3")]),
        ("§8.1.1", [(":status", "200"), ("content-length", "3")]),
    ]

    @Test(arguments: malformed.indices)
    func malformedAnswersAreProblems(_ index: Int) throws {
        let row = Self.malformed[index]
        let bench = try Self.bench()
        let client = bench.client()
        client.request("GET", "/raw/a")
        let origin = try bench.http2Origin()
        origin.send(Wire.headers(1, row.fields))
        #expect(client.answers.first?.status == 502, "\(row)")
        #expect(client.answers.first?.text.contains("upstream-protocol") == true, "\(row)")
        #expect(client.answers.first?["x"] == nil)
        #expect(origin.request(1).resetCode != nil)
        bench.expectQuiet()
    }

    @Test(arguments: ["abc", "abcde"])
    func contentOfAnotherLengthIsCutShort(_ body: String) throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request("GET", "/raw/a")
        let origin = try bench.http2Origin()
        origin.send(Wire.headers(1, [(":status", "200"), ("content-length", "4")], end: false))
        origin.send(Wire.data(1, body, end: true))
        #expect(client.answers.first?.isComplete == false)
        #expect(client.peerSawEnd)
        bench.expectQuiet()
    }

    @Test func headsHaveALimit() throws {
        let bench = try Self.bench { _ in
        } _: {
            $0.limits.headerBytes = 1000
        }
        let client = bench.client()
        client.request("GET", "/raw/a")
        let origin = try bench.http2Origin()
        origin.send(Wire.headers(1, [(":status", "200"), ("x-long", String(repeating: "x", count: 1000))]))
        #expect(client.answers.first?.status == 502)
        #expect(!origin.peer.isClosed)
        bench.expectQuiet()
    }
}
