import SluiceContract
import Testing

@testable import SluiceGateway

/// What goes upstream, and which spans are made of an exchange.
@Suite struct TracerTests {
    private static let trace = "0af7651916cd43dd8448eb211c80319c"
    private static func parent(_ flags: String = "01") -> String {
        "traceparent: 00-\(trace)-b7ad6b7169203331-\(flags)"
    }

    private static func plain(_ edit: (inout Binding) -> Void = { _ in }) throws -> Binding {
        try Build.binding("GET /fruits/{id}", to: "fruit /fruits/{id}") {
            $0.parameters = [try Build.parameter("id", "String", in: .path)]
            $0.unknownParameters = .pass
            edit(&$0)
        }
    }

    // MARK: - What goes on

    /// The upstream's parent is the span of the attempt, which is a part of the request's, which is a part of the
    /// client's.
    @Test func spansHangTogether() throws {
        let traced = try TraceBench([try Self.plain()])
        try traced.bench.get("/fruits/7?api_key=secret&a=b", Self.parent(), "tracestate: x=1, y=2", "tracestate: z=3")
        let server = try #require(traced.server)
        let attempt = try #require(traced.attempts.first)
        #expect(traced.spans.count == 2)
        #expect("\(server.trace)" == Self.trace && server.trace == attempt.trace)
        #expect(server.parent == SpanID(0xb7ad_6b71_6920_3331) && server.isParentRemote)
        #expect(attempt.parent == server.id && !attempt.isParentRemote)
        #expect(server.state == "x=1,y=2,z=3")
        #expect(try traced.sentParent() == ["00", Self.trace, "\(attempt.id)", "01"])
        #expect(try traced.bench.forwarded().values("tracestate") == ["x=1, y=2", "z=3"])
        traced.bench.expectQuiet()
    }

    /// A request that is not sampled has its place all the same, and so has what the upstream makes of it.
    @Test func whatIsNotSampledGoesOnUnsampled() throws {
        let traced = try TraceBench([try Self.plain()], sample: 0)
        try traced.bench.get("/fruits/7")
        let first = try traced.sentParent()
        try traced.bench.get("/fruits/7", Self.parent("00"))
        let second = try traced.sentParent()
        #expect(first[3] == "02" && first[1] != second[1])
        #expect(second[1] == Self.trace && second[2] != "b7ad6b7169203331" && second[3] == "00")
        #expect(traced.spans.isEmpty)
        traced.bench.expectQuiet()
    }

    @Test(arguments: ["X=1", "a=1,a", ""])
    func aMalformedStateStaysBehind(_ state: String) throws {
        let traced = try TraceBench([try Self.plain()])
        try traced.bench.get("/fruits/7", Self.parent(), "tracestate: \(state)")
        #expect(try traced.bench.forwarded().values("tracestate") == [])
        #expect(try traced.sentParent()[1] == Self.trace)
        #expect(traced.server?.state == "")
    }

    /// Without `trace:` both fields go on as they came, to typed bindings too.
    @Test(arguments: [nil, "String"])
    func passesThroughWhereTracingIsOff(value: String?) throws {
        let type = try value.map { try Build.type($0) }
        let bench = try Bench(Build.configuration([try Self.plain { $0.value = type }]))
        try bench.get("/fruits/7", "traceparent: whatever", "tracestate: ,X", answer: nil)
        let sent = try bench.forwarded()
        #expect(sent.values("traceparent") == ["whatever"] && sent.values("tracestate") == [",X"])
    }

    /// What the configuration says of the field holds.
    @Test func theConfigurationHasTheLastWord() throws {
        let traced = try TraceBench([try Self.plain { $0.headers = [HeaderSetting(name: "Traceparent", .nothing)] }])
        try traced.bench.get("/fruits/7", Self.parent())
        #expect(try traced.bench.forwarded().values("traceparent") == [])
    }

    @Test func aReloadSwitchesIt() throws {
        let binding = try Self.plain()
        let traced = try TraceBench([binding])
        try traced.bench.get("/fruits/7")
        traced.bench.replace(try RouteTable(Build.configuration([binding])))
        try traced.bench.get("/fruits/7", Self.parent())
        #expect(try traced.bench.forwarded()["traceparent"] == "00-\(Self.trace)-b7ad6b7169203331-01")
        #expect(traced.spans.count == 2)
        traced.bench.replace(try RouteTable(Build.configuration([binding]) { $0.trace = TraceBench.settings() }))
        try traced.bench.get("/fruits/7")
        #expect(traced.spans.count == 4)
    }

    // MARK: - What spans say

    /// OpenTelemetry, semantic conventions for HTTP spans.
    @Test func attributesAreThoseOfTheConventions() throws {
        let traced = try TraceBench([try Self.plain()])
        let client = traced.bench.client()
        client.request("GET", "/fruits/7?api_key=secret&a=b", "User-Agent: test")
        traced.bench.advance(by: .milliseconds(40))
        try traced.bench.origin().answer(404, body: "no")
        let server = try #require(traced.server)
        #expect(server.name == "GET /fruits/{id}")
        #expect(server.endedAt - server.startedAt == 40_000_000)
        for (name, value) in [
            ("http.request.method", "GET"), ("http.route", "/fruits/{id}"), ("http.response.status_code", "404"),
            ("url.path", "/fruits/7"), ("url.query", "api_key=***&a=b"), ("url.scheme", "http"),
            ("server.address", "localhost"), ("server.port", nil), ("client.address", "127.0.0.1"),
            ("network.protocol.version", "1.1"), ("user_agent.original", "test"), ("error.type", nil),
            ("sluice.binding", "GET /fruits/{id}"), ("sluice.problem", nil), ("sluice.cache.outcome", nil),
        ] as [(String, String?)] { #expect(server[name] == value, "\(name)") }
        #expect(server.status == .unset)
        let attempt = try #require(traced.attempts.first)
        #expect(attempt.name == "GET")
        for (name, value) in [
            ("http.request.method", "GET"), ("http.response.status_code", "404"), ("error.type", "404"),
            ("url.full", "http://fruit.example/v1/fruits/7?api_key=***&a=b"), ("server.address", "fruit.example"),
            ("server.port", "80"), ("network.protocol.version", "1.1"), ("http.request.resend_count", nil),
            ("sluice.upstream", "fruit"), ("sluice.connection", "opened"), ("sluice.attempt.outcome", "answered"),
            ("sluice.attempt.cause", "first"),
        ] as [(String, String?)] { #expect(attempt[name] == value, "\(name)") }
        #expect(attempt.status == .error)
        #expect(attempt.shownEvents == ["sluice.request_sent", "sluice.first_byte"])
        try traced.bench.get("/fruits/8")
        #expect(traced.attempts.last?["sluice.connection"] == "reused")
    }

    /// Whose path no binding has, or whose method nobody knows, has no name of a client's making.
    @Test(arguments: [("GET /nowhere", "GET", "GET"), ("BREW /fruits/7", "HTTP", "_OTHER")])
    func namesAreFew(_ line: String, _ name: String, _ method: String) throws {
        let traced = try TraceBench([try Self.plain()])
        try traced.bench.exchange("\(line) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(traced.server?.name == name)
        #expect(traced.server?["http.request.method"] == method)
        #expect(traced.server?["http.request.method_original"] == (method == "_OTHER" ? "BREW" : nil))
        #expect(traced.server?["sluice.problem"] != nil)
        // 501 is an error of the server's (HTTP span conventions).
        #expect(traced.server?.status == (method == "_OTHER" ? .error : .unset))
    }

    @Test func aLongTextIsCut() throws {
        let traced = try TraceBench([try Self.plain()])
        try traced.bench.get("/fruits/" + String(repeating: "%C3%A4", count: 500))
        #expect(traced.server?["url.path"]?.utf8.count == TraceSpan.textMax)
    }

    /// Problems and the access log have the trace's name, sampled or not.
    @Test(arguments: ["00", "01"])
    func problemsHaveTheTrace(flags: String) throws {
        let traced = try TraceBench([try Self.plain()])
        var logged: [TraceID?] = []
        traced.bench.gateway.accessLog = { logged.append($0.traceID) }
        let answer = try traced.bench.get("/nowhere", Self.parent(flags))
        #expect(answer.text.contains("\"trace_id\":\"\(Self.trace)\""))
        #expect(logged.map { $0.map { "\($0)" } } == [Self.trace])
    }

    @Test func theAdminSocketIsNotTraced() throws {
        let traced = try TraceBench([try Self.plain()])
        let admin = AdminBench(of: traced.bench)
        _ = try AdminSocketMetricsTests.page(of: admin)
        #expect(traced.spans.isEmpty)
    }

    /// From a bucket of the histogram to the trace that fell in it; in OpenMetrics alone.
    @Test func bucketsNameTraces() throws {
        let traced = try TraceBench([try Self.plain()])
        try traced.bench.get("/fruits/7", Self.parent("00"))
        let admin = AdminBench(of: traced.bench)
        let format = "Accept: application/openmetrics-text; version=1.0.0"
        #expect(try !AdminSocketMetricsTests.page(of: admin, format).contains("trace_id"))
        try traced.bench.get("/fruits/7", Self.parent("01"))
        let page = try AdminSocketMetricsTests.page(of: admin, format)
        let bucket = #"duration_seconds_bucket{binding="GET /fruits/{id}",le="0.001"} 2"#
        #expect(page.contains(#"\#(bucket) # {trace_id="\#(Self.trace)"} 0.0 "#))
        #expect(page.split(separator: "\n").count { $0.contains("trace_id") } == 1)
        #expect(try !AdminSocketMetricsTests.page(of: admin).contains("trace_id"))
    }
}
