import Foundation
import Testing

/// Metrics as Prometheus reads them from a running daemon.
@Suite struct MetricsTests {
    private final class Place {
        let folder: TemporaryFolder
        let origin: ScriptedOrigin
        let gateway: Daemon
        let port: UInt16

        init(_ origin: ScriptedOrigin, loops: Int = 2) throws {
            folder = try TemporaryFolder()
            port = try LoopbackAddress.freePort()
            self.origin = origin
            gateway = try Daemon(
                """
                admin: {socket: \(folder.file("admin.sock")), address: "127.0.0.1:\(port)"}
                loops: \(loops)
                upstreams:
                  origin: {url: "\(origin.url)", health: {path: /health}}
                credentials:
                  key: {api-key: {env: SLUICE_TEST_KEY}, name: X-Key}
                bindings:
                  GET /fruits/{name}:
                    to: "origin /fruits/{name}"
                    params: {name: String}
                    value: [Int]
                    credential: key
                    cache: {fresh: 1h}
                  ANY /plain: {to: origin /plain, concurrency: 10}
                """,
                environment: ["SLUICE_TEST_KEY": "secret-of-a-key"])
        }

        func end() {
            gateway.end()
            origin.end()
        }

        func page(_ fields: String...) throws -> String {
            let answer = try HTTPClient(port: port).get("/metrics", fields: fields)
            #expect(answer.status == 200)
            return answer.text
        }

        /// - Returns: exit status and all that it has printed.
        func promtool(check page: String) throws -> (status: Int32, text: String) {
            let file = try folder.write(page, to: "page")
            let process = try ChildProcess(
                ["/bin/sh", "-c", "exec \"$0\" check metrics < \"$1\"", try Peers.promtool(), file])
            return (try process.waitForExit(), process.output + process.errors)
        }
    }

    private static let answer =
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n[1,2,3]"

    @Test func promtoolFindsNothing() throws {
        let place = try Place(ScriptedOrigin(answering: Self.answer))
        defer { place.end() }
        for target in ["/fruits/a", "/fruits/a", "/fruits/b", "/plain", "/nowhere"] {
            _ = try place.gateway.get(target)
        }
        let page = try place.page()
        let (status, text) = try place.promtool(check: page)
        #expect(status == 0 && text.isEmpty, "\(text)")
        for name in [
            #"sluice_requests_total{binding="GET /fruits/{name}",method="GET",status="2xx"} 3"#,
            #"sluice_cache_requests_total{binding="GET /fruits/{name}",outcome="hit"} 1"#,
            #"sluice_in_flight_limit{scope="binding",name="ANY /plain"} 10"#,
            #"sluice_credential_ready{credential="key",kind="api-key"} 1"#,
            #"sluice_upstream_attempts_total{upstream="origin",outcome="2xx"} 3"#, "sluice_build_info{version=\"0",
            #"sluice_loop_turn_duration_seconds_count{loop="1"}"#,
        ] {
            #expect(page.contains(name), "\(name) is not in\n\(page)")
        }
        #expect(!page.contains("secret-of-a-key"))
        #expect(try place.page("Accept: application/openmetrics-text").hasSuffix("# EOF\n"))
        #expect(try HTTPClient(port: place.port).get("/cache").status == 404)
        #expect(try HTTPClient(port: place.port).get("/readyz").text == "ready\n")
    }

    /// Debian's Prometheus scrapes the daemon, and has what it counted.
    @Test func prometheusScrapes() throws {
        let place = try Place(ScriptedOrigin(answering: Self.answer))
        defer { place.end() }
        for _ in 0..<3 { #expect(try place.gateway.get("/plain").status == 200) }
        let port = try LoopbackAddress.freePort()
        let file = try place.folder.write(
            """
            scrape_configs:
              - job_name: sluice
                scrape_interval: 1s
                static_configs: [{targets: ["127.0.0.1:\(place.port)"]}]
            """, to: "prometheus.yml")
        let prometheus = try ChildProcess([
            try Peers.prometheus(), "--config.file=\(file)", "--storage.tsdb.path=\(place.folder.file("data"))",
            "--web.listen-address=127.0.0.1:\(port)",
        ])
        defer { prometheus.end() }
        try prometheus.waitUntilListening(on: port)
        let query = "/api/v1/query?query=sluice_requests_total%7Bbinding%3D%22ANY%20/plain%22%7D"
        let found = try Poll.until("Prometheus has scraped") { () -> String? in
            let text = try HTTPClient(port: port).get(query).text
            return text.contains(#""value""#) ? text : nil
        }
        #expect(found.contains(#""job":"sluice""#) && found.contains(#","3"]"#), "\(found)")
        let up = try HTTPClient(port: port).get("/api/v1/query?query=up").text
        #expect(up.contains(#","1"]"#), "\(up)")
    }

    /// No quantile of the gateway's is above what its client has measured around it. How far it is below depends on how
    /// long the client waits for the processor, so that is compared at the fastest request: the same bucket, or the
    /// next.
    @Test func quantilesAgreeWithTheClients() throws {
        let place = try Place(ScriptedOrigin(answering: Self.answer), loops: 1)
        defer { place.end() }
        let client = try place.gateway.client()
        let clock = ContinuousClock()
        var times: [Duration] = []
        for _ in 0..<200 {
            let start = clock.now
            #expect(try client.get("/plain").status == 200)
            times.append(clock.now - start)
        }
        times.sort()
        let page = try place.page()
        let lead = #"sluice_request_duration_seconds_bucket{binding="ANY /plain",le=""#
        let buckets = page.split(separator: "\n").filter { $0.hasPrefix(lead) }.map { line in
            let parts = line.dropFirst(lead.count).split(separator: "\"} ")
            return (bound: Double(parts[0]) ?? .infinity, count: Int(parts[1]) ?? 0)
        }
        #expect(buckets.count == 15 && buckets.last?.count == 200)
        for percent in [50, 90] {
            let measured = times[times.count * percent / 100 - 1] / .seconds(1)
            let own = try #require(buckets.firstIndex { $0.count * 100 >= 200 * percent })
            let theirs = try #require(buckets.firstIndex { measured <= $0.bound })
            #expect(own <= theirs, "\(percent) %: \(measured) s, \(buckets)")
        }
        let fastest = times[0] / .seconds(1)
        let own = try #require(buckets.firstIndex { $0.count > 0 })
        let theirs = try #require(buckets.firstIndex { fastest <= $0.bound })
        #expect((0...1).contains(theirs - own), "\(fastest) s, \(buckets)")
    }

    // MARK: - What goes with the documentation

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Prometheus can read the rules in a file, and the documentation tells of every metric in them.
    private func check(rules path: String) throws {
        let process = try ChildProcess([try Peers.promtool(), "check", "rules", path])
        #expect(try process.waitForExit() == 0, "\(process.output)\(process.errors)")
        let guide = try String(contentsOf: Self.root.appendingPathComponent("docs/OPERATIONS.md"), encoding: .utf8)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let words = text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.filter { $0.hasPrefix("sluice_") }
        #expect(words.count > 10)
        for word in words {
            let name = ["_bucket", "_sum", "_count"].reduce(String(word)) { name, suffix in
                name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name
            }
            #expect(guide.contains("`\(name)`"), "docs/OPERATIONS.md does not tell of \(name)")
        }
    }

    @Test func alertRulesAreSound() throws {
        try check(rules: Self.root.appendingPathComponent("config/alerts.yaml").path)
    }

    /// Every query of the dashboard, as a rule, with its variables set.
    @Test func dashboardIsSound() throws {
        struct Dashboard: Decodable {
            var panels: [Panel]

            struct Panel: Decodable {
                var id: Int
                var type: String
                var title: String
                var gridPos: Position
                var targets: [Target]?
            }
            struct Position: Decodable { var x, y, w, h: Int }
            struct Target: Decodable { var expr: String }
        }
        let file = Self.root.appendingPathComponent("config/dashboard.json")
        let dashboard = try JSONDecoder().decode(Dashboard.self, from: Data(contentsOf: file))
        #expect(Set(dashboard.panels.map(\.id)).count == dashboard.panels.count)
        #expect(dashboard.panels.allSatisfy { $0.gridPos.x + $0.gridPos.w <= 24 })
        var rules = "groups:\n  - name: dashboard\n    rules:\n"
        for panel in dashboard.panels where panel.type != "row" {
            #expect(panel.targets?.isEmpty == false, "\(panel.title) shows nothing")
            for (index, target) in (panel.targets ?? []).enumerated() {
                let query = target.expr.replacing("$__rate_interval", with: "5m").replacing("$instance", with: ".*")
                    .replacing("$binding", with: ".*")
                #expect(!query.contains("$"), "\(query)")
                rules += "      - record: panel:\(panel.id):\(index)\n        expr: '\(query)'\n"
            }
        }
        let folder = try TemporaryFolder()
        try check(rules: try folder.write(rules, to: "rules.yaml"))
    }
}
