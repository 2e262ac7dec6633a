import Foundation
import Testing

/// Spans on their way to collectors: one that reads them with a library of OpenTelemetry, and several that do not.
@Suite(.needsPeers) struct TracesTests {
    private static func page(_ endpoint: String, _ origin: ScriptedOrigin, _ more: String = "") -> String {
        """
        trace: {endpoint: "\(endpoint)"\(more)}
        admin: ADMIN
        upstreams:
          fruit: {url: "\(origin.url)"}
        bindings:
          GET /fruits/{id}:
            to: "fruit /fruits/{id}"
            params: {id: Int, limit: Int?}
            value: [Int]
            retry: {attempts: 3}
          ANY /plain: {to: fruit /plain}
        """
    }

    private static let list =
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n[1,2,3]"
    private static let trace = "0af7651916cd43dd8448eb211c80319c"

    /// A daemon with an address that tells metrics.
    private struct Place {
        let gateway: Daemon
        let monitor: UInt16

        init(_ page: String, environment: [String: String] = [:]) throws {
            monitor = try LoopbackAddress.freePort()
            gateway = try Daemon(
                page.replacingOccurrences(of: "ADMIN", with: "{address: \"127.0.0.1:\(monitor)\"}"),
                environment: environment)
        }

        /// The number that a sample has.
        func sample(_ name: String) throws -> Int {
            let page = try HTTPClient(port: monitor).get("/metrics").text
            let line = page.split(separator: "\n").first { $0.hasPrefix(name + " ") }
            return line.flatMap { Int($0.dropFirst(name.count + 1)) } ?? -1
        }

        var exported: Int { get throws { try sample("sluice_trace_spans_exported_total") } }
        func dropped(_ reason: String) throws -> Int {
            try sample("sluice_trace_spans_dropped_total{reason=\"\(reason)\"}")
        }
    }

    /// One that has been tried twice: a span of the request, two of the attempts, which the upstream was told of.
    @Test func aLibraryReadsThem() throws {
        let collector = try CollectorPeer()
        defer { collector.end() }
        let origin = try ScriptedOrigin([
            [.head, .send("HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n"), .head, .send(Self.list)]
        ])
        defer { origin.end() }
        let place = try Place(
            Self.page(collector.url, origin, ", bearer: {env: TOKEN}, headers: {X-Key: {env: KEY}}"),
            environment: ["TOKEN": "token-of-the-collector", "KEY": "key-of-the-collector"])
        let before = Int(Date().timeIntervalSince1970)
        let answer = try place.gateway.get(
            "/fruits/7?limit=3", fields: ["traceparent: 00-\(Self.trace)-b7ad6b7169203331-01", "tracestate: a=1"])
        #expect(answer.status == 200)
        // What waits goes out before the daemon ends.
        #expect(place.gateway.end() == 0)
        let spans = try collector.spans
        let server = try #require(spans.first { $0.kind == "SPAN_KIND_SERVER" })
        let attempts = spans.filter { $0.kind == "SPAN_KIND_CLIENT" }
        #expect(spans.count == 3 && attempts.count == 2)
        #expect(server.name == "GET /fruits/{id}" && attempts.map(\.name) == ["GET", "GET"])
        #expect(spans.allSatisfy { $0.trace == Self.trace && $0.state == "a=1" })
        #expect(server.parent == "b7ad6b7169203331" && attempts.map(\.parent) == [server.id, server.id])
        #expect(server.flags == 0x301 && attempts.map(\.flags) == [0x101, 0x101])
        #expect(server.attributes["http.response.status_code"] == "200" && server.status == "STATUS_CODE_UNSET")
        #expect(attempts.map { $0.attributes["http.response.status_code"] } == ["503", "200"])
        #expect(attempts.map(\.status) == ["STATUS_CODE_ERROR", "STATUS_CODE_UNSET"])
        let url = "\(origin.url)/fruits/7?limit=3"
        #expect(attempts.map { $0.attributes["url.full"] } == [url, url])
        #expect(server.events == ["sluice.retry"])
        #expect(attempts[1].startedAt >= attempts[0].startedAt + attempts[0].nanoseconds)
        #expect(server.nanoseconds >= attempts.reduce(0) { $0 + $1.nanoseconds })
        #expect((before - 2...before + 60).contains(server.startedAt / 1_000_000_000))
        #expect(server.resource["service.name"] == "sluice" && server.resource["service.version"]?.isEmpty == false)
        #expect(server.fields == ["Bearer token-of-the-collector", "key-of-the-collector"])
        let sent = origin.received().split(separator: "\r\n").filter { $0.hasPrefix("traceparent: ") }
        #expect(sent.map(String.init) == attempts.map { "traceparent: 00-\(Self.trace)-\($0.id)-01" })
        let logged = place.gateway.process.output + place.gateway.process.errors
        #expect(!logged.contains("of-the-collector"))
    }

    @Test func overTLSToo() throws {
        let authority = try CertificateAuthority.shared.get()
        let identity = try authority.identity("collector", name: "DNS:localhost")
        let collector = try CollectorPeer(identity: (identity.certificate, identity.key))
        defer { collector.end() }
        let origin = try ScriptedOrigin(answering: Self.list)
        defer { origin.end() }
        let place = try Place(
            Self.page("https://localhost:\(collector.port)", origin, ", tls: {ca: \(authority.path)}"))
        // More than one batch, over one connection.
        let client = try place.gateway.client()
        for _ in 0..<400 { #expect(try client.get("/fruits/7").status == 200) }
        #expect(place.gateway.end() == 0)
        #expect(try collector.spans.count == 800)
    }

    /// One that is not there costs requests nothing but what is counted.
    @Test func aCollectorThatIsDownIsCounted() throws {
        let origin = try ScriptedOrigin(answering: Self.list, times: 5000)
        defer { origin.end() }
        let place = try Place(Self.page("http://127.0.0.1:\(try LoopbackAddress.freePort())", origin))
        let client = try place.gateway.client()
        for _ in 0..<1600 { #expect(try client.get("/fruits/7").status == 200) }
        // Of 3200 spans 2048 have room; a batch that was tried often enough is gone as well.
        #expect(try place.dropped("queue-full") + place.dropped("refused") >= 3200 - 2048)
        #expect(try place.exported == 0)
        #expect(place.gateway.end() == 0)
        #expect(place.gateway.process.errors.contains("the collector takes no spans"))
    }

    /// One that takes a connection and says nothing holds nobody up, the end of the daemon included.
    @Test func aCollectorThatHangsHoldsNobodyUp() throws {
        let collector = try ScriptedOrigin([], thereafter: [.inputEnd])
        defer { collector.end() }
        let origin = try ScriptedOrigin(answering: Self.list, times: 5000)
        defer { origin.end() }
        let place = try Place(Self.page(collector.url, origin))
        let client = try place.gateway.client()
        for _ in 0..<300 { #expect(try client.get("/fruits/7").status == 200) }
        try Poll.until("a batch is on its way", holds: { collector.connectionCount > 0 })
        for _ in 0..<1000 { #expect(try client.get("/fruits/7").status == 200) }
        #expect(try place.dropped("queue-full") + place.dropped("refused") >= 2600 - 2048)
        #expect(place.gateway.end() == 0)
    }

    /// What may be tried again is, after the time that the collector has asked for; the rest is lost.
    @Test func aCollectorMayRefuse() throws {
        let collector = try CollectorPeer(refusals: "429:1 503: 400:")
        defer { collector.end() }
        let origin = try ScriptedOrigin(answering: Self.list, times: 5000)
        defer { origin.end() }
        let place = try Place(Self.page(collector.url, origin))
        let client = try place.gateway.client()
        for _ in 0..<512 { #expect(try client.get("/fruits/7").status == 200) }
        // Two batches: the first is refused for good the third time, the second is taken.
        try Poll.until("the second batch is taken", holds: { try place.exported == 512 })
        #expect(try place.dropped("refused") == 512)
        #expect(try place.dropped("queue-full") == 0)
        #expect(try collector.spans.count == 512)
        #expect(place.gateway.end() == 0)
        #expect(place.gateway.process.errors.contains("the collector takes spans again"))
    }

    /// Where tracing is off, what clients and upstreams say of traces is theirs.
    @Test func nothingIsToldWhereItIsOff() throws {
        let origin = try ScriptedOrigin(answering: Self.list)
        defer { origin.end() }
        let place = try Place(Self.page("off", origin))
        defer { place.gateway.end() }
        let fields = ["traceparent: 00-\(Self.trace)-b7ad6b7169203331-01", "tracestate: a=1"]
        for target in ["/fruits/7", "/plain"] { _ = try place.gateway.get(target, fields: fields) }
        _ = try place.gateway.get("/plain")
        let sent = origin.allReceived.split(separator: "\r\n").filter { $0.hasPrefix("trace") }.map(String.init)
        #expect(sent == fields + fields)
        #expect(try place.gateway.get("/nowhere").text.contains("trace_id") == false)
    }
}
