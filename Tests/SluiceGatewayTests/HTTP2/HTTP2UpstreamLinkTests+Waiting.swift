import CNGHTTP2
import Glibc
import HTTP2Wire
import SluiceContract
import Testing

@testable import SluiceGateway
@testable import SluiceHTTP2

/// Many who wait for a stream, and are refused as soon as they get it. Whoever is refused gives its place back from
/// inside: were the next one served from there, so many would be more than any stack holds.
extension HTTP2UpstreamLinkTests {
    /// Several times as many as a stack of `stackBytes` has room for, one inside the other.
    private static let crowd = 300
    private static let stackBytes = 192 << 10

    private static func crowded(_ settings: KeyValuePairs<UInt16, Int>) throws -> (Bench, HTTP2Origin, [ClientPeer]) {
        let bench = try Self.bench {
            $0.queueMax = crowd
            $0.connectionsMax = 1
        }
        let first = bench.client()
        first.request("GET", "/raw/a")
        let origin = try bench.http2Origin(settings)
        let others = (0..<crowd).map { _ in bench.client() }
        for other in others { other.request("GET", "/raw/b", "X-Long: " + String(repeating: "x", count: 400)) }
        #expect(origin.streams == [1])
        return (bench, origin, others)
    }

    private final class Job {
        let body: () -> Void
        init(_ body: @escaping () -> Void) { self.body = body }
    }

    /// Runs with a small stack; what is expected is looked at by the test itself.
    private static func onSmallStack(_ body: @escaping () -> Void) throws {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, stackBytes)
        var thread = pthread_t()
        let code = pthread_create(
            &thread, &attributes,
            { argument in
                if let argument { Unmanaged<Job>.fromOpaque(argument).takeRetainedValue().body() }
                return nil
            }, Unmanaged.passRetained(Job(body)).toOpaque())
        try #require(code == 0)
        pthread_join(thread, nil)
    }

    /// RFC 9113 §6.5.2: the peer takes no fields as large as theirs.
    @Test func waitingRequestsThatAreTooLarge() throws {
        let (bench, origin, others) = try Self.crowded([3: 1, 6: 600])
        try Self.onSmallStack { origin.answer(1, body: "ok") }
        #expect(others.allSatisfy { $0.answers.last?.text.contains("fields-too-large") == true })
        #expect(origin.streams == [1])
        // The connection is as good as before.
        let late = bench.client()
        late.request("GET", "/raw/c")
        origin.answer(3, body: "late")
        #expect(late.answers.last?.text == "late")
        bench.expectQuiet()
    }

    /// RFC 9113 §5.1.1: identifiers are used up; all go on to the next connection.
    @Test func waitingRequestsWithoutIdentifiers() throws {
        let (bench, origin, others) = try Self.crowded([3: 1])
        let link = try #require(bench.gateway.generation.upstreams[0].endpoint.streams.connections.first)
        #expect(nghttp2_session_set_next_stream_id(link.session.handle, Int32.max) == 0)
        try Self.onSmallStack {
            origin.answer(1, body: "ok")
            origin.answer(Int(Int32.max), body: "last")
        }
        #expect(bench.origins.count == 2)
        let other = try bench.http2Origin([3: 100_000])
        for stream in other.streams { other.answer(stream, body: "new") }
        #expect(others.allSatisfy { ["last", "new"].contains($0.answers.last?.text) })
        bench.expectQuiet()
    }
}
