import HTTP2Wire
import SluiceContract
import Testing

@testable import SluiceGateway

/// An answer whose length is known is whole only once its stream has ended (RFC 9113 §8.1.1): a client that had all of
/// it before would send its next request, and lose it with what the stream still came to.
extension HTTP2UpstreamLinkTests {
    /// What ends a stream behind the last of the content.
    enum StreamEnd: CaseIterable, Sendable {
        case data, trailers

        var frame: [UInt8] {
            switch self {
            case .data: Wire.data(1, end: true)
            case .trailers: Wire.headers(1, [("x-sum", "7")])
            }
        }
    }

    @Test(arguments: StreamEnd.allCases)
    func theLastOfALengthWaitsForTheEndOfTheStream(_ end: StreamEnd) throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request("GET", "/raw/a")
        let origin = try bench.http2Origin()
        origin.send(Wire.headers(1, [(":status", "200"), ("content-length", "4")], end: false), Wire.data(1, "ab"))
        #expect(client.answers.first?.text == "ab")
        origin.send(Wire.data(1, "cd"))
        #expect(client.answers.first?.text == "ab")
        origin.send(end.frame)
        #expect(client.answers.first?.text == "abcd")
        #expect(client.answers.first?.isComplete == true)
        // The connections are as good as before.
        client.request("GET", "/raw/b")
        origin.answer(3, body: "next")
        #expect(client.answers.last?.text == "next")
        bench.expectQuiet()
    }

    /// The client sees that the answer is cut, and has sent nothing on the connection that goes with it.
    @Test func aStreamThatFailsBehindItsLengthCutsTheAnswer() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request("GET", "/raw/a")
        let origin = try bench.http2Origin()
        origin.send(Wire.headers(1, [(":status", "200"), ("content-length", "2")], end: false), Wire.data(1, "ok"))
        origin.send(Wire.reset(1, code: 8))
        #expect(client.answers.first?.isComplete == false)
        #expect(client.peerSawEnd)
        bench.expectQuiet()
    }

    static let contentless: [(method: String, status: Int, length: String?)] = [
        ("GET", 200, "0"), ("HEAD", 200, "5"), ("HEAD", 200, nil), ("GET", 204, nil), ("GET", 304, "5"),
    ]

    @Test(arguments: contentless.indices, [true, false])
    func aHeadWithoutContentWaitsForTheEndOfTheStream(_ index: Int, isWhole: Bool) throws {
        let row = Self.contentless[index]
        let bench = try Self.bench()
        let client = bench.client()
        client.request(row.method, "/raw/a", "If-None-Match: \"x\"")
        let origin = try bench.http2Origin()
        var fields: Wire.Fields = [(":status", "\(row.status)")]
        if let length = row.length { fields.append(("content-length", length)) }
        origin.send(Wire.headers(1, fields, end: false))
        #expect(client.answers.isEmpty)
        origin.send(isWhole ? Wire.data(1, end: true) : Wire.reset(1, code: 8))
        #expect(client.answers.first?.status == (isWhole ? row.status : 502))
        #expect(client.answers.first?.isComplete == true)
        bench.expectQuiet()
    }

    /// What its client has not taken waits at the source, and so does the end.
    @Test func theEndComesBehindWhatASlowClientTakes() throws {
        let (bench, client, origin) = try Self.stalled([("content-length", "27000")])
        client.take(.max)
        #expect(client.answers.last?.isComplete != true)
        origin.send(Wire.data(1, end: true))
        #expect(client.answers.last?.isComplete == true)
        #expect(client.answers.last?.bodyCount == 27_000)
        bench.expectQuiet()
    }
}
