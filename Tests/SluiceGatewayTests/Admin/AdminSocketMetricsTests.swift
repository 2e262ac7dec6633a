import SluiceContract
import Testing

@testable import SluiceGateway

/// `/metrics`, `/healthz` and `/readyz` (`AdminSocket+Metrics.swift`), and what is counted.
@Suite struct AdminSocketMetricsTests {
    static func page(of bench: AdminBench, _ fields: String...) throws -> String {
        let answer = try bench.ask("/metrics", fields: fields)
        #expect(answer.status == 200)
        return answer.text
    }

    /// The lines that begin so, without that.
    static func samples(_ page: String, _ name: String) -> [String] {
        page.split(separator: "\n").filter { $0.hasPrefix(name) }.map { String($0.dropFirst(name.count)) }
    }

    @Test func requestsAreCounted() throws {
        let bench = try AdminBench()
        try bench.fill("/fruits")
        try bench.bench.get("/fruits")
        try bench.bench.get("/nowhere")
        try bench.bench.exchange(
            "POST /plain HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc",
            answer: "HTTP/1.1 500 No\r\nContent-Length: 2\r\n\r\nno")
        let page = try Self.page(of: bench)
        #expect(
            Self.samples(page, "sluice_requests_total") == [
                #"{binding="(none)",method="GET",status="4xx"} 1"#,
                #"{binding="GET /fruits",method="GET",status="2xx"} 2"#,
                #"{binding="ANY /plain",method="POST",status="5xx"} 1"#,
            ])
        #expect(
            Self.samples(page, "sluice_problems_total") == [#"{binding="(none)",kind="unknown-route"} 1"#])
        #expect(
            Self.samples(page, "sluice_cache_requests_total") == [
                #"{binding="GET /fruits",outcome="hit"} 1"#, #"{binding="GET /fruits",outcome="uri-miss"} 1"#,
            ])
        #expect(Self.samples(page, #"sluice_request_body_bytes_total{binding="ANY /plain"} "#) == ["3"])
        #expect(Self.samples(page, #"sluice_answer_body_bytes_total{binding="GET /fruits"} "#) == ["10"])
        #expect(
            Self.samples(page, "sluice_upstream_attempts_total") == [
                #"{upstream="fruit",outcome="2xx"} 1"#, #"{upstream="fruit",outcome="5xx"} 1"#,
            ])
        #expect(Self.samples(page, "sluice_cache_entries ") == ["1"])
        #expect(
            Self.samples(page, "sluice_endpoint_loops_well") == [#"{upstream="fruit",endpoint="fruit.example:80"} 1"#])
        // Whoever scrapes is no client of a binding.
        #expect(!page.contains(#"method="GET",status="none""#))
    }

    /// Over either version of HTTP, a connection that carries nothing is idle.
    @Test(arguments: [Upstream.HTTPVersionChoice.h1, .h2c])
    func connectionsAreIdleOrBusy(version: Upstream.HTTPVersionChoice) throws {
        let bench = try HTTP2UpstreamLinkTests.bench { $0.httpVersion = version }
        bench.recordsOrigins = version == .h2c
        func connections() throws -> [String] {
            Self.samples(try Self.page(of: AdminBench(of: bench)), #"sluice_upstream_connections{upstream="fruit","#)
        }
        bench.client().request("GET", "/raw/a")
        let origin = try version == .h2c ? bench.http2Origin() : nil
        #expect(try connections() == [#"state="idle"} 0"#, #"state="busy"} 1"#])
        if let origin { origin.answer(1, body: "ok") } else { try bench.origin().answer(200, body: "ok") }
        #expect(try connections() == [#"state="idle"} 1"#, #"state="busy"} 0"#])
        bench.expectQuiet()
    }

    /// Several clients may watch one value.
    @Test func whoWatchesIsCounted() throws {
        let bench = try WatchBench()
        for kind in ["nut", "fig", "fig"] { _ = bench.watch("/fruits?kind=\(kind)") }
        let page = try Self.page(of: AdminBench(of: bench.bench))
        func values(_ name: String) -> [String] {
            Self.samples(page, name).compactMap { $0.split(separator: " ").last.map(String.init) }
        }
        #expect(values("sluice_watchers{") == ["3"])
        #expect(values("sluice_watched_values{") == ["2"])
        for origin in bench.open { bench.answer(origin, "1") }
        bench.expectQuiet()
    }

    /// The part of a request's time that the upstream is at work, and the rest.
    @Test func timesAreToldApart() throws {
        let route = try Build.binding("GET /a", to: "fruit /a")
        let bench = try Bench(
            Build.configuration([route]) {
                $0.metrics.buckets = [.milliseconds(10), .milliseconds(100)]
                $0.upstreams[0].connectionsMax = 1
            })
        let clients = [bench.client(), bench.client()]
        for client in clients { client.request("GET", "/a") }
        let origin = try bench.origin()
        bench.advance(by: .milliseconds(50))
        origin.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        bench.advance(by: .milliseconds(5))
        origin.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        #expect(clients.map { $0.answers.count } == [1, 1])
        let page = try Self.page(of: AdminBench(of: bench))
        func histogram(_ name: String) -> [String] {
            Self.samples(page, "sluice_request_\(name)duration_seconds").map {
                String($0.split(separator: " ").last ?? "")
            }
        }
        // 50 ms of the one and 55 ms of the other, which waited 50 ms for the connection.
        #expect(histogram("") == ["0", "2", "2", "0.105", "2"])
        #expect(histogram("gateway_") == ["1", "2", "2", "0.05", "2"])
        #expect(histogram("upstream_") == ["1", "2", "2", "0.055", "2"])
    }

    @Test func countersOutliveAReload() throws {
        let bench = try AdminBench()
        try bench.bench.get("/plain")
        bench.bench.replace(try RouteTable(Build.configuration([try Build.binding("GET /new", to: "fruit /new")])))
        try bench.bench.get("/new")
        bench.bench.replace(
            try RouteTable(
                Build.configuration([
                    try Build.binding("ANY /plain", to: "fruit /plain"),
                    try Build.binding("GET /new", to: "fruit /new"),
                ]) { $0.upstreams[0].timeout.total = .seconds(7) }))
        try bench.bench.get("/plain")
        let page = try Self.page(of: bench)
        #expect(
            Self.samples(page, "sluice_requests_total") == [
                #"{binding="ANY /plain",method="GET",status="2xx"} 2"#,
                #"{binding="GET /new",method="GET",status="2xx"} 1"#,
            ])
        #expect(Self.samples(page, "sluice_upstream_attempts_total") == [#"{upstream="fruit",outcome="2xx"} 3"#])
        #expect(Self.samples(page, "sluice_endpoint_loops{") == [#"upstream="fruit",endpoint="fruit.example:80"} 1"#])
    }

    @Test func driftIsToldByPath() throws {
        let route = try Build.binding("GET /a", to: "fruit /a") { $0.value = .array(.scalar(.int64)) }
        let bench = try Bench(Build.configuration([route]))
        let answer = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n[1,\"a\",\"b\",4]"
        #expect(try bench.get("/a", answer: answer).status == 502)
        let page = try Self.page(of: AdminBench(of: bench))
        #expect(Self.samples(page, "sluice_type_faults_total") == [#"{binding="GET /a",path="$[]"} 2"#])
    }

    /// What a scraper would rather have.
    @Test(arguments: [
        ("", false), ("text/plain", false), ("*/*", false), ("application/openmetrics-text", true),
        ("application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.2", true),
        ("application/openmetrics-text; q=0, */*", false), ("text/plain, application/openmetrics-text;q=0.4", false),
    ])
    func formatsAreNegotiated(_ accept: String, _ isOpenMetrics: Bool) throws {
        let answer = try AdminBench().ask("/metrics", fields: accept.isEmpty ? [] : ["Accept: \(accept)"])
        let type = answer["Content-Type"] ?? ""
        #expect(
            type.hasPrefix(isOpenMetrics ? "application/openmetrics-text; version=1.0.0" : "text/plain; version=0.0.4"))
        #expect(answer.text.hasSuffix("# EOF\n") == isOpenMetrics)
        #expect(answer["Cache-Control"] == "no-store")
    }

    @Test func readinessEndsWithDraining() throws {
        let bench = try AdminBench()
        #expect(try bench.ask("/healthz").text == "ok\n")
        #expect(try bench.ask("/readyz").status == 200)
        let client = bench.bench.client(credentials: AdminBench.owner, admin: AdminAccess(owner: 1000))
        client.request("GET /readyz HTTP/1.1\r\nHost: local")
        bench.bench.gateway.drain()
        #expect(try bench.ask("/readyz").text == "draining\n")
        #expect(try bench.ask("/healthz").status == 200)
        client.send("host\r\n\r\n")
        #expect(client.answers.map(\.status) == [503])
    }

    static let rows: [(String, String, String?, Bool, Int)] = [
        ("/metrics", "localhost", nil, false, 200), ("/healthz", "127.0.0.1:9100", nil, false, 200),
        ("/readyz", "localhost", nil, false, 200), ("/cache/stats", "localhost", nil, false, 404),
        ("/reload", "localhost", nil, false, 404), ("/fruits", "localhost", nil, false, 404),
        ("/metrics", "127.0.0.2:9100", nil, false, 200), ("/metrics", "evil.example", nil, false, 421),
        ("/metrics", "localhost", nil, true, 401),
        ("/metrics", "localhost", "Bearer wrong", true, 401), ("/metrics", "localhost", "Bearer secret", true, 200),
        ("/cache", "localhost", nil, true, 401), ("/cache", "localhost", "Bearer secret", true, 404),
    ]

    /// At the address there are these three paths, for requests that name this machine, with the key where one is set.
    @Test(arguments: rows)
    func addressesTellNothingElse(
        _ path: String, _ host: String, _ authorization: String?, _ isLocked: Bool, _ status: Int
    ) throws {
        let bench = Bench(try Self.monitored(isLocked ? ["secret"] : []))
        let client = bench.client(admin: .monitoring)
        let field = authorization.map { "Authorization: \($0)\r\n" } ?? ""
        client.request("GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\(field)\r\n")
        #expect(client.answers.map(\.status) == [status])
    }

    /// - Parameter keys: nil is no address.
    private static func monitored(_ keys: [String]?) throws -> RouteTable {
        let digests = keys?.map { key in
            let digest = Array(key.utf8).withUnsafeBytes { KeyDigest(of: $0) }.hexadecimal
            return stride(from: 0, to: 64, by: 2).map { UInt8(digest.dropFirst($0).prefix(2), radix: 16) ?? 0 }
        }
        return try RouteTable(
            Build.configuration([]) {
                $0.monitor = digests.map { MonitorPlace(host: "127.0.0.2", port: 9100, keyDigests: $0) }
            })
    }

    /// Whose key is taken away is told nothing more, on the connection that it has as on any other.
    @Test func reloadsReachOpenConnections() throws {
        let bench = Bench(try Self.monitored([]))
        let client = bench.client(admin: .monitoring)
        var expected: [Int] = []
        for (keys, status) in [([], 200), (["old"], 200), (["new"], 401), (nil, 404)] as [([String]?, Int)] {
            bench.replace(try Self.monitored(keys))
            client.request("GET /healthz HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer old\r\n\r\n")
            expected.append(status)
            #expect(client.answers.map(\.status) == expected)
        }
    }

    /// More rows than are written in one turn.
    @Test func longPagesTakeSeveralTurns() throws {
        let routes = try (0..<300).map { try Build.binding("GET /r\($0)", to: "fruit /r") }
        let bench = try Bench(Build.configuration(routes))
        for number in 0..<300 { try bench.get("/r\(number)") }
        let page = try Self.page(of: AdminBench(of: bench))
        #expect(Self.samples(page, "sluice_requests_total").count == 300)
        #expect(Self.samples(page, "# TYPE sluice_requests_total").count == 1)
    }
}
