import SluiceContract
import SluiceHTTP
import Testing

@testable import SluiceGateway

/// What the audit log and the access log hear of credentials.
@Suite struct FetchAuditTests {
    private struct Renewed: CredentialKind {
        static let word = "renewed"
        var presentation: CredentialPresentation { .bearer }
        var source: CredentialSource { .tokens(OAuth2Client()) }
    }

    private final class Log {
        var entries: [AuditEntry] = []
        var accessed: [String?] = []
        var statuses: [Int?] { entries.map(\.status) }
    }

    private let log = Log()
    private let vault: CredentialVault
    private let bench: Bench

    init() throws {
        let binding = try Build.binding("GET /a/**", to: "fruit /**")
        let stored = try Build.binding("GET /stored", to: "fruit /stored") { $0.cache = CachePolicy() }
        let plain = try Build.binding("GET /plain", to: "fruit /plain") { $0.credential = CredentialChoice.none }
        let checked = try Build.binding("GET /checked", to: "fruit /checked") {
            $0.parameters = [try Build.parameter("limit", "Int")]
        }
        let configuration = Build.configuration(
            [binding, stored, plain, checked], upstreams: [Build.upstream { $0.credential = .named("fruit") }]
        ) { $0.credentials = [Credential(name: "fruit", kind: Renewed())] }
        vault = CredentialVault(.bearer, of: Renewed().source)
        bench = Bench(try RouteTable(configuration), credentials: ["fruit": vault])
        vault.set(.init(Array("token".utf8)))
        bench.gateway.auditLog = { [log] in log.entries.append($0) }
        bench.gateway.accessLog = { [log] in log.accessed.append($0.credential) }
    }

    @Test func aRequestIsToldOfWithItsStatus() throws {
        let client = bench.client()
        client.request("GET", "/a/x")
        #expect(log.entries.isEmpty)
        try bench.origin().answer(404, body: "no")
        let entry = try #require(log.entries.first)
        #expect(log.entries.count == 1 && entry.status == 404)
        #expect(entry.credential == "fruit" && entry.binding == "GET /a/**")
        #expect(entry.origin.hasPrefix("http://") && !entry.address.isEmpty && entry.client == nil)
        #expect(log.accessed == ["fruit"])
        bench.expectQuiet()
    }

    /// Each of them has shown it.
    @Test func aRefusalAndTheNextAttemptAreTwo() throws {
        let client = bench.client()
        client.request("GET", "/a/x")
        try bench.origin().answer(401, body: "no")
        #expect(log.statuses == [401])
        vault.set(.init(Array("other".utf8)))
        bench.gateway.credentialsChanged()
        bench.turn()
        try #require(bench.origins.last { !$0.isClosed }).answer(200, body: "ok")
        #expect(log.statuses == [401, 200] && client.answers.last?.text == "ok")
        bench.expectQuiet()
    }

    @Test func aRequestWithoutAnAnswerIsToldOf() throws {
        let client = bench.client()
        client.request("GET", "/a/x")
        client.reset()
        #expect(log.statuses == [nil])
        bench.expectQuiet()
    }

    /// Nothing is shown for what is stored, and it is an answer of that credential all the same.
    @Test func whatIsStoredIsShownToNobody() throws {
        for _ in 0..<2 {
            let client = bench.client()
            client.request("GET", "/stored")
            if log.entries.isEmpty {
                let answer = "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 2\r\n\r\nok"
                try bench.origin().send(answer)
            }
            #expect(client.answers.last?.text == "ok")
        }
        #expect(log.statuses == [200] && log.accessed == ["fruit", "fruit"])
        bench.expectQuiet()
    }

    @Test func whoShowsNothingIsNotToldOf() throws {
        let client = bench.client()
        client.request("GET", "/plain")
        try bench.origin().answer(200, body: "ok")
        client.request("GET", "/checked?limit=x")
        #expect(client.answers.map(\.status) == [200, 400])
        #expect(log.entries.isEmpty && log.accessed == [nil, nil])
        bench.expectQuiet()
    }
}
