import SluiceContract
import SluiceHTTP
import Synchronization
import Testing

@testable import SluiceGateway

/// Requests that show a credential which somebody keeps good.
@Suite struct FetchCredentialTests {
    /// A credential of a kind that is renewed.
    struct Renewed: CredentialKind {
        static let word = "renewed"
        var presentation = CredentialPresentation.bearer
        var source: CredentialSource { .tokens(OAuth2Client()) }
    }

    /// Who keeps it: what it is asked for.
    final class Keeper: Sendable {
        let wishes = Mutex<[String]>([])

        func take(_ wish: CredentialVault.Wish) {
            wishes.withLock {
                switch wish {
                case .secret: $0.append("secret")
                case .another: $0.append("another")
                }
            }
        }
    }

    private let keeper = Keeper()
    private let vault: CredentialVault
    private let bench: Bench

    init() throws { (vault, bench) = try Self.make(keeper, .bearer) }

    static func make(
        _ keeper: Keeper, _ presentation: CredentialPresentation, _ edit: (inout Binding) -> Void = { _ in },
        upstream: (inout Upstream) -> Void = { _ in }
    ) throws -> (CredentialVault, Bench) {
        let kind = Renewed(presentation: presentation)
        let configuration = Build.configuration(
            [try Build.binding("ANY /a/**", to: "fruit /**", edit)],
            upstreams: [
                Build.upstream {
                    $0.credential = .named("fruit")
                    upstream(&$0)
                }
            ]
        ) { $0.credentials = [Credential(name: "fruit", kind: kind)] }
        let vault = CredentialVault(presentation, of: kind.source) { keeper.take($0) }
        return (vault, Bench(try RouteTable(configuration), credentials: ["fruit": vault]))
    }

    private func show(_ token: String, for duration: Duration? = nil, in bench: Bench? = nil) {
        let bench = bench ?? self.bench
        let until = duration.map { bench.gateway.now + $0.nanosecondsClamped } ?? .max
        vault.set(.init(Array(token.utf8), usableUntil: until, family: 7))
        bench.gateway.credentialsChanged()
        bench.turn()
    }

    private var wishes: [String] { keeper.wishes.withLock { $0 } }

    // MARK: - Waiting

    @Test func requestsWaitForASecretThatIsOnItsWay() throws {
        let clients = (0..<3).map { _ in bench.client() }
        for client in clients { client.request("GET", "/a/x") }
        #expect(bench.origins.isEmpty && wishes == ["secret", "secret", "secret"])
        show("one")
        #expect(bench.origins.count == 3)
        for origin in bench.origins {
            #expect(origin.requests.last?.values("Authorization") == ["Bearer one"])
            origin.answer(200, body: "ok")
        }
        for client in clients { #expect(client.answers.last?.text == "ok") }
        bench.expectQuiet()
    }

    @Test func aSecretThatIsOverIsNotShown() throws {
        show("one", for: .seconds(10))
        let client = bench.client()
        client.request("GET", "/a/x")
        #expect(try bench.forwarded()["Authorization"] == "Bearer one")
        try bench.origin().answer(200, body: "ok")
        bench.advance(by: .seconds(11))
        client.request("GET", "/a/x")
        #expect(try bench.origin().requests.count == 1)
        show("two", for: .seconds(10))
        #expect(try bench.origin().requests.last?["Authorization"] == "Bearer two")
        try bench.origin().answer(200, body: "ok")
        bench.expectQuiet()
    }

    @Test func nobodyWaitsForEver() throws {
        let client = bench.client()
        client.request("GET", "/a/x")
        bench.advance(by: .milliseconds(9900))
        #expect(client.answers.isEmpty)
        bench.advance(by: .milliseconds(200))
        let answer = try #require(client.answers.last)
        #expect(answer.status == 503 && answer.text.contains("credential-unavailable"))
        #expect(answer["Retry-After"] == "1" && bench.origins.isEmpty)
        // What comes too late changes nothing for it.
        show("one")
        #expect(bench.origins.isEmpty)
        bench.expectQuiet()
    }

    @Test func whoWaitsHearsThatThereIsNone() throws {
        let client = bench.client()
        client.request("GET", "/a/x")
        vault.withhold(Problem(.signInNeeded, detail: "run: sluice login fruit"))
        bench.gateway.credentialsChanged()
        bench.turn()
        #expect(client.answers.last?.status == 503)
        #expect(client.answers.last?.text.contains("sluice login fruit") == true)
        client.request("GET", "/a/x")
        #expect(client.answers.count == 2 && bench.origins.isEmpty)
        bench.expectQuiet()
    }

    @Test func whoLeavesWhileItWaitsIsForgotten() throws {
        let client = bench.client()
        client.request("GET", "/a/x")
        client.reset()
        bench.turn()
        show("one")
        #expect(bench.origins.isEmpty)
        bench.expectQuiet()
    }

    // MARK: - Refused by the upstream

    @Test(arguments: [("GET", ""), ("POST", "body"), ("DELETE", "")])
    func aRefusedRequestIsSentOnceMore(method: String, body: String) throws {
        show("one")
        let client = bench.client()
        if body.isEmpty {
            client.request(method, "/a/x")
        } else {
            client.request(method, "/a/x", type: "text/plain", body: body)
        }
        try bench.origin().answer(401, body: "no")
        #expect(wishes == ["another"] && client.answers.isEmpty)
        show("two")
        let again = try #require(bench.origins.last?.requests.last)
        #expect(again["Authorization"] == "Bearer two" && again.text == body)
        try bench.origin().answer(200, body: "ok")
        #expect(client.answers.last?.text == "ok")
        bench.expectQuiet()
    }

    /// One replay: a second refusal is the upstream's answer.
    @Test func itIsSentOnceMoreAndNotTwice() throws {
        show("one")
        let client = bench.client()
        client.request("GET", "/a/x")
        try bench.origin().answer(401, body: "no")
        show("two")
        try bench.origin().answer(401, body: "still no")
        #expect(client.answers.last?.status == 401 && client.answers.last?.text == "still no")
        #expect(wishes == ["another", "another"])
        bench.expectQuiet()
    }

    /// Whoever was refused after somebody else finds the new secret there.
    @Test func whatIsThereAlreadyIsNotWaitedFor() throws {
        show("one")
        let client = bench.client()
        client.request("GET", "/a/x")
        show("two")
        try bench.origin().answer(401, body: "no")
        #expect(try bench.forwarded()["Authorization"] == "Bearer two")
        try bench.origin().answer(200, body: "ok")
        #expect(client.answers.last?.status == 200)
        bench.expectQuiet()
    }

    @Test func aLongBodyCannotBeSentAgain() throws {
        show("one")
        let client = bench.client()
        client.request("POST", "/a/x", type: "text/plain", body: String(repeating: "x", count: 70_000))
        try bench.origin().answer(401, body: "no")
        #expect(client.answers.last?.status == 401 && wishes == ["another"])
        bench.expectQuiet()
    }

    // MARK: - How it is shown

    @Test func theClientsOwnFieldOfThatNameStaysHere() throws {
        let (vault, bench) = try Self.make(keeper, .field(name: "X-Key", prefix: ""))
        vault.set(.init(Array("k".utf8)))
        let client = bench.client()
        client.request("GET", "/a/x", "x-key: mine", "Authorization: Bearer mine")
        let message = try bench.forwarded()
        #expect(message.values("X-Key") == ["k"] && message["Authorization"] == nil)
        try bench.origin().answer(200, body: "ok")
        bench.expectQuiet()
    }

    @Test(arguments: [
        ("/a/x", "/v1/x?key=a%2Bb%26"), ("/a/x?b=1", "/v1/x?b=1&key=a%2Bb%26"),
        ("/a/x?key=mine&b=1", "/v1/x?b=1&key=a%2Bb%26"), ("/a/x?%6Bey=mine", "/v1/x?key=a%2Bb%26"),
    ])
    func aKeyInTheQuery(target: String, sent: String) throws {
        let (vault, bench) = try Self.make(keeper, .query(name: "key")) { $0.unknownParameters = .pass }
        vault.set(.init(Array("a+b&".utf8)))
        let client = bench.client()
        client.request("GET", target)
        #expect(try bench.forwarded().startLine == "GET \(sent) HTTP/1.1")
        try bench.origin().answer(200, body: "ok")
        bench.expectQuiet()
    }
}
