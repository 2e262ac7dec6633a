import HTTP2Wire
import SluiceContract
import Testing

@testable import SluiceGateway

/// Calls of gRPC from end to end (`GRPCCall.swift`).
@Suite struct GRPCCallTests {
    typealias Wire = HTTP2Wire

    private func bench(_ edit: (inout Configuration) -> Void = { _ in }) throws -> Bench {
        let bench = try Bench(
            Build.configuration(
                [try Build.binding("POST /fruit.Search/**", to: "fruit /fruit.Search/**") { $0.upgrade = .grpc }],
                upstreams: [
                    Build.upstream("fruit") {
                        $0.httpVersion = .h2c
                        $0.basePath = ""
                    }
                ], edit))
        bench.recordsOrigins = true
        return bench
    }

    private func call(_ stream: Int, end: Bool = false, _ more: Wire.Fields = []) -> [UInt8] {
        Wire.request(
            stream, "POST", "/fruit.Search/Find",
            [("content-type", "application/grpc+proto"), ("te", "trailers")] + more,
            end: end)
    }

    @Test func messagesPassInBothDirectionsAtATime() throws {
        let bench = try bench()
        let client = HTTP2Client(bench)
        client.send(call(1, [("grpc-timeout", "5S")]), Wire.data(1, "one"))
        let origin = try bench.http2Origin()
        #expect(origin.request(1)[":path"] == "/fruit.Search/Find")
        #expect(origin.request(1)["te"] == "trailers")
        #expect(origin.request(1)["grpc-timeout"] == "5S")
        #expect(origin.request(1).text == "one")
        origin.send(
            Wire.headers(1, [(":status", "200"), ("content-type", "application/grpc")], end: false),
            Wire.data(1, "ONE"))
        #expect(client.answer(1).text == "ONE")
        for index in 0..<3 {
            client.send(Wire.data(1, "\(index)"))
            #expect(origin.request(1).text.hasSuffix("\(index)"))
            origin.send(Wire.data(1, "=\(index)"))
            #expect(client.answer(1).text.hasSuffix("=\(index)"))
        }
        client.send(Wire.data(1, "", end: true))
        #expect(origin.request(1).isComplete)
        origin.send(Wire.headers(1, [("grpc-status", "0"), ("grpc-message", "")]))
        #expect(client.answer(1).trailers.map(\.name) == ["grpc-status", "grpc-message"])
        #expect(client.answer(1)["content-length"] == nil)
        #expect(client.answer(1).isComplete)
        bench.expectQuiet()
    }

    @Test func anAnswerOfTrailersAlonePasses() throws {
        let bench = try bench()
        let client = HTTP2Client(bench)
        client.send(call(1, end: true))
        let origin = try bench.http2Origin()
        origin.answer(1, 200, [("content-type", "application/grpc"), ("grpc-status", "5")])
        #expect(client.answer(1)["grpc-status"] == "5")
        #expect(client.answer(1)["content-length"] == nil)
        #expect(client.answer(1).isComplete)
        bench.expectQuiet()
    }

    /// Trailers have the room of a header section, and are not cut: what came of the call may stand in the rest.
    @Test(arguments: [(64 << 10, true), (4096, false)])
    func longTrailers(_ limit: Int, _ isPassed: Bool) throws {
        let bench = try bench { $0.limits.headerBytes = limit }
        let client = HTTP2Client(bench)
        client.send(call(1, end: true))
        let origin = try bench.http2Origin()
        let fields = [(":status", "200"), ("content-type", "application/grpc")]
        origin.send(Wire.headers(1, fields, end: false), Wire.data(1, "ONE"))
        let pieces = (0..<9).map { ("x-meta-\($0)", String(repeating: "x", count: 1000)) }
        origin.send(Wire.headers(1, pieces + [("grpc-status", "5")]))
        let status = client.answer(1).trailers.first { $0.name == "grpc-status" }?.value
        #expect((status == "5") == isPassed && client.answer(1).trailers.count != 9, "\(status ?? "")")
        bench.expectQuiet()
    }

    /// Streams may be silent in both directions for longer than any body may.
    @Test func silenceIsNoFault() throws {
        let bench = try bench()
        let client = HTTP2Client(bench)
        client.send(call(1), Wire.data(1, "one"))
        let origin = try bench.http2Origin()
        for _ in 0..<20 {
            bench.advance(by: .seconds(25))
            origin.send(Wire.ping(isAck: true))
        }
        origin.send(Wire.headers(1, [(":status", "200")], end: false), Wire.data(1, "ONE"))
        for _ in 0..<20 {
            bench.advance(by: .seconds(25))
            origin.send(Wire.ping(isAck: true))
        }
        origin.send(Wire.headers(1, [("grpc-status", "0")]))
        #expect(client.answer(1).text == "ONE")
        #expect(client.answer(1).trailers.first?.value == "0")
    }

    @Test func problemsComeInTheWordsOfGRPC() throws {
        let bench = try bench()
        bench.connectsAtOnce = false
        let client = HTTP2Client(bench)
        client.send(call(1, end: true))
        try bench.origin().refuse(.connectionRefused, "100 % refused")
        let answer = client.answer(1)
        #expect(answer.status == 200)
        #expect(answer["content-type"] == "application/grpc")
        #expect(answer["grpc-status"] == "14")
        #expect(answer["grpc-message"]?.hasPrefix("100 %25 refused") == true)
        #expect(answer.isComplete)
        #expect(answer.body.isEmpty)
        bench.expectQuiet()
    }

    @Test func aTimeoutIsADeadline() throws {
        let bench = try bench()
        let client = HTTP2Client(bench)
        client.send(call(1, end: true))
        let origin = try bench.http2Origin()
        bench.advance(by: .seconds(16))
        #expect(client.answer(1)["grpc-status"] == "4")
        #expect(origin.request(1).resetCode == 8)
    }

    /// Once messages have passed, the outcome stands in the trailers.
    @Test func aLateProblemIsInTheTrailers() throws {
        let bench = try bench()
        let client = HTTP2Client(bench)
        client.send(call(1, end: true))
        let origin = try bench.http2Origin()
        origin.send(Wire.headers(1, [(":status", "200")], end: false), Wire.data(1, "ONE"), Wire.reset(1, code: 2))
        #expect(client.answer(1).trailers.first.map { "\($0.name) \($0.value)" } == "grpc-status 13")
        #expect(client.answer(1).isComplete)
        bench.expectQuiet()
    }

    @Test func whoLeavesCancelsTheCall() throws {
        let bench = try bench()
        let client = HTTP2Client(bench)
        client.send(call(1), Wire.reset(1))
        let origin = try bench.http2Origin()
        #expect(origin.request(1).resetCode == 8 || origin.streams.isEmpty)
        bench.expectQuiet()
    }

    @Test func whatIsNoCallIsRefused() throws {
        let bench = try bench()
        let old = bench.client()
        old.request("POST", "/fruit.Search/Find", type: "application/grpc", body: "x")
        #expect(old.answers.first?.status == 505)
        let client = HTTP2Client(bench)
        client.send(Wire.request(1, "POST", "/fruit.Search/Find", [("content-type", "application/json")]))
        #expect(client.answer(1).status == 415)
        client.send(Wire.request(3, "POST", "/fruit.Search/Find", [("content-type", "application/grpc-web")]))
        #expect(client.answer(3).status == 415)
        #expect(bench.origins.isEmpty)
    }

    @Test(arguments: [
        (Problem.Kind.badParameters, 3), (.firstByteTimeout, 4), (.forbidden, 7), (.rateLimited, 8),
        (.unknownRoute, 12), (.upstreamProtocol, 13), (.overloaded, 14), (.unauthenticated, 16),
    ])
    func everyKindHasACode(_ kind: Problem.Kind, _ code: Int) {
        #expect(GRPCCall.status(of: Problem(kind, detail: "")) == code)
    }

    @Test func messagesAreASCII() {
        #expect(GRPCCall.message("a%b\u{e9}\n") == "a%25b%C3%A9%0A")
    }

    // MARK: - Which version

    /// With `auto` the handshake tells; who chooses HTTP/1.1 is not asked again at once.
    @Test func autoNeedsAnUpstreamThatChoosesHTTP2() throws {
        let bench = try bench {
            $0.upstreams[0].httpVersion = .auto
            $0.upstreams[0].origin = .tcp(host: "fruit.example", port: 443, tls: true)
        }
        let client = HTTP2Client(bench)
        for stream in [1, 3] {
            client.send(call(stream), Wire.data(stream, "one", end: true))
            #expect(client.answer(stream).status == 200)
            #expect(client.answer(stream)["grpc-status"] == "14")
            #expect(client.answer(stream)["grpc-message"]?.contains("HTTP/1.1") == true)
        }
        #expect(bench.origins.count == 1)
        bench.originsSpeakHTTP2 = true
        bench.advance(by: .seconds(61))
        client.send(call(5), Wire.data(5, "one", end: true))
        #expect(bench.origins.count == 2)
        let origin = try bench.http2Origin()
        #expect(origin.request(1).text == "one")
        client.peer.reset()
        bench.expectQuiet()
    }

    /// RFC 9220 §3.
    @Test func noTunnelIsOpened() throws {
        let tunnel = try Build.binding("ANY /raw/**", to: "fruit /**") { $0.upgrade = .websocket }
        let bench = try bench { $0.bindings.append(tunnel) }
        let client = HTTP2Client(bench)
        client.send(HTTP2StreamTunnelTests.connect(1, "/fruit.Search/Find"))
        #expect(client.answer(1).status == 501)
        bench.expectQuiet()
    }
}
