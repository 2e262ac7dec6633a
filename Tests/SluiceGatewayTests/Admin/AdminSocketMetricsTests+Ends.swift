import SluiceContract
import Testing

@testable import SluiceGateway

/// What is counted of requests and attempts that end in an unusual way, and of credentials.
extension AdminSocketMetricsTests {
    private static let passing = "ANY /raw/**"

    private static func bench(_ edit: (inout Binding) throws -> Void = { _ in }) throws -> Bench {
        try Bench(Build.configuration([try Build.binding(passing, to: "fruit /**", edit)]))
    }

    private static func value(_ page: String, _ name: String) -> String? {
        samples(page, "sluice_\(name){binding=\"\(passing)\"} ").first
    }

    /// Who leaves an answer that is on its way into the cache has waited for the upstream, not for the gateway.
    @Test func whoLeavesEarlyHasWaitedForTheUpstream() throws {
        let bench = try Self.bench { $0.cache = CachePolicy() }
        let client = bench.client()
        client.request("GET", "/raw/a")
        bench.advance(by: .milliseconds(50))
        client.reset()
        let page = try Self.page(of: AdminBench(of: bench))
        #expect(Self.value(page, "request_upstream_duration_seconds_sum") == "0.05")
        #expect(Self.value(page, "request_gateway_duration_seconds_sum") == "0.0")
    }

    /// How long somebody listens is no measure of anything.
    @Test(
        arguments: [
            ("text/event-stream", "Transfer-Encoding: chunked", true),
            ("text/plain", "Transfer-Encoding: chunked", false), ("text/event-stream", "Content-Length: 9", false),
        ], [false, true])
    func streamsHaveNoTime(_ answer: (type: String, framing: String, isStream: Bool), isCached: Bool) throws {
        let bench = try Self.bench { if isCached { $0.cache = CachePolicy() } }
        let client = bench.client()
        client.request("GET", "/raw/a")
        try bench.origin().send("HTTP/1.1 200 OK\r\nContent-Type: \(answer.type)\r\n\(answer.framing)\r\n\r\n")
        bench.advance(by: .seconds(1))
        client.reset()
        let page = try Self.page(of: AdminBench(of: bench))
        let attempts = "sluice_upstream_attempt_duration_seconds_count"
        #expect(Self.samples(page, "sluice_requests_total").count == 1)
        #expect(Self.samples(page, "sluice_upstream_attempts_total").count == 1)
        #expect(Self.value(page, "request_duration_seconds_count") == (answer.isStream ? nil : "1"))
        #expect(Self.samples(page, attempts).count == (answer.isStream ? 0 : 1))
    }

    /// What stops after its head is no success, whatever its status; before it, neither.
    @Test(arguments: [nil, "[Int]"] as [String?], ["", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[1,"])
    func whatStallsIsLate(_ type: String?, _ answer: String) throws {
        let bench = try Self.bench { $0.value = try type.map { try Build.type($0) } }
        let client = bench.client()
        client.request("GET", "/raw/a")
        try bench.origin().send(answer)
        bench.advance(by: .seconds(120))
        client.reset()
        let page = try Self.page(of: AdminBench(of: bench))
        #expect(
            Self.samples(page, "sluice_upstream_attempts_total") == [#"{upstream="fruit",outcome="timeout"} 1"#])
    }

    /// The rest of a request that has its answer is for nobody, however malformed.
    @Test func anAnsweredRequestIsCountedOnce() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request(
            "POST /nowhere HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\n")
        #expect(client.answers.map(\.status) == [404])
        let page = try Self.page(of: AdminBench(of: bench))
        #expect(
            Self.samples(page, "sluice_requests_total") == [#"{binding="(none)",method="POST",status="4xx"} 1"#])
    }

    private struct Board: CredentialBoard {
        var report: CredentialReport

        var reports: [CredentialReport] { [report] }
        func renew(_ name: String) -> Bool { false }
        func take(_ request: SignInRequest, _ done: @escaping @Sendable (SignInAnswer) -> Void) {}
    }

    /// A token is shown while it lasts, whatever becomes of its renewal.
    @Test(
        arguments: [
            (CredentialReport.State.ready, 60, 1, 0), (.renewing, 60, 1, 0), (.failing, 60, 1, 1), (.failing, 0, 0, 1),
            (.ready, 0, 0, 0), (.missing, nil, 0, 0),
        ] as [(CredentialReport.State, Int?, Int, Int)])
    func credentialsAreReadyWhileTheyLast(
        _ state: CredentialReport.State, _ seconds: Int?, _ ready: Int, _ failing: Int
    ) throws {
        let (vault, bench) = try FetchCredentialTests.make(FetchCredentialTests.Keeper(), .bearer)
        if let seconds {
            let until = bench.gateway.now + UInt64(seconds) * 1_000_000_000
            vault.set(.init(Array("token".utf8), usableUntil: until))
        }
        var report = CredentialReport(state: state)
        (report.name, report.kind) = ("fruit", "renewed")
        bench.gateway.credentialBoard = Board(report: report)
        let page = try Self.page(of: AdminBench(of: bench))
        let labels = #"{credential="fruit",kind="renewed"} "#
        #expect(Self.samples(page, "sluice_credential_ready" + labels) == ["\(ready)"])
        #expect(Self.samples(page, "sluice_credential_failing" + labels) == ["\(failing)"])
    }
}
