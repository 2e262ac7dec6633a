import HTTP2Wire
import SluiceContract
import Testing

@testable import SluiceGateway

/// What a session has to tell apart of what the library reports in one way.
@Suite struct HTTP2SessionTests {
    typealias Wire = HTTP2Wire

    /// RFC 9113 §6.9.1, §6.9.2: a window opened too far is the stream's fault, and by SETTINGS the connection's; also
    /// after a stream has done it twice at a time.
    @Test(arguments: [1, 2, 5])
    func overflowsAreCountedOnce(_ times: Int) throws {
        let bench = try HTTP2UpstreamLinkTests.bench()
        let client = HTTP2Client(bench)
        let overflow = [[UInt8]](repeating: Wire.windowUpdate(1, 0x7fff_ffff), count: times)
        client.send(Wire.request(1, "POST", "/raw/a", end: false) + overflow.joined())
        #expect(client.answer(1).resetCode == 3)
        #expect(!client.isEnded)
        client.send(Wire.request(3, "POST", "/raw/a", end: false), Wire.windowUpdate(3, 0x7fff_0000))
        client.send(Wire.settings([4: 0x7fff_ffff]))
        #expect(client.goaway == 3)
        #expect(client.isEnded)
        bench.expectQuiet()
    }

    /// The same of an upstream.
    @Test func upstreamsOpenWindowsTooFar() throws {
        let bench = try HTTP2UpstreamLinkTests.bench()
        let clients = (0..<2).map { _ in bench.client() }
        for client in clients {
            client.expect("POST")
            client.send("POST /raw/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhello")
        }
        let origin = try bench.http2Origin()
        origin.send(Wire.windowUpdate(1, 0x7fff_ffff) + Wire.windowUpdate(1, 0x7fff_ffff))
        #expect(origin.request(1).resetCode == 3)
        #expect(clients[0].answers.last?.status == 502)
        #expect(!origin.peer.isClosed)
        origin.send(Wire.windowUpdate(3, 0x7fff_0000), Wire.settings([4: 0x7fff_ffff]))
        #expect(origin.reader.goaways.last?.code == 3)
        #expect(origin.peer.isClosed)
        #expect(clients[1].answers.last?.status == 502)
        for client in clients { client.reset() }
        bench.expectQuiet()
    }
}
