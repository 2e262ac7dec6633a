import SluiceContract
import SluiceHTTP
import Testing

@testable import SluiceGateway

/// Requests that are signed in the place of showing a secret.
@Suite struct FetchSignatureTests {
    /// Says in a field what it was handed.
    struct Telling: RequestSignature, RequestSigner {
        var fieldNames: [String] { ["Signature-Told", "Authorization"] }
        var coversBody = true
        var serverNonce: ServerNonce?

        func signer(with secrets: [[UInt8]]) throws(SignatureFault) -> any RequestSigner {
            if secrets[0].isEmpty { throw SignatureFault("there is no key") }
            return self
        }

        func lines(for request: RequestToSign, _ occasion: SigningOccasion) -> [UInt8] {
            func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }
            let fields = request.fields.map { "\(text($0.name).lowercased())=\(text($0.value))" }.sorted()
            let told = [
                text(request.method), text(request.target), text(request.host), String(occasion.milliseconds),
                text(occasion.body.joined()), occasion.nonce.map { text($0) } ?? "",
            ]
            return Array("Signature-Told: \((told + fields).joined(separator: "|"))\r\n".utf8)
        }
    }

    struct Signing: CredentialKind {
        static let word = "signing"
        var scheme = Telling()
        var presentation: CredentialPresentation { .signed(scheme) }
        var source: CredentialSource { .secrets([.value("k")]) }
    }

    private static func bench(
        _ scheme: Telling = Telling(), _ edit: (inout Binding) throws -> Void = { _ in },
        upstream: (inout Upstream) -> Void = { _ in }
    ) throws -> Bench {
        let kind = Signing(scheme: scheme)
        let configuration = Build.configuration(
            [try Build.binding("ANY /a/**", to: "fruit /**", edit)],
            upstreams: [
                Build.upstream {
                    $0.credential = .named("fruit")
                    upstream(&$0)
                }
            ]
        ) { $0.credentials = [Credential(name: "fruit", kind: kind)] }
        let vault = CredentialVault(kind.presentation, of: kind.source)
        vault.set(try CredentialVault.Secret([Array("key-of-the-signature".utf8)], for: kind.presentation))
        return Bench(try RouteTable(configuration), credentials: ["fruit": vault])
    }

    private static func told(_ message: Message) throws -> [String] {
        let values = message.values("Signature-Told")
        #expect(values.count == 1)
        return try #require(values.first).split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    }

    @Test func whatGoesOutIsSigned() throws {
        let bench = try Self.bench(upstream: {
            $0.headers = [HeaderSetting(name: "X-Own", value: "v")]
            $0.forwarded = .none
        })
        let client = bench.client()
        client.request("GET", "/a/x%20y?b=1", "X-Client:  c", "Authorization: mine", "signature-told: mine")
        let message = try bench.forwarded()
        #expect(message["Authorization"] == nil)
        #expect(
            try Self.told(message) == [
                "GET", "/v1/x%20y?b=1", "fruit.example", "784111777000", "", "", "via=1.1 sluice", "x-client=c",
                "x-own=v",
            ])
        // Nothing is signed that does not go out, and nothing but the framing goes out unsigned.
        let names = Set(message.fields.map { $0.name.lowercased() })
        #expect(names == ["host", "via", "x-client", "x-own", "signature-told"])
        try bench.origin().answer(200, body: "ok")
        #expect(client.answers.last?.text == "ok")
        bench.expectQuiet()
    }

    @Test func aBodyIsHeldUntilItIsThere() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.send("POST /a/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nfirst")
        #expect(bench.origins.isEmpty)
        client.send("-last")
        let message = try bench.forwarded()
        #expect(try Self.told(message)[4] == "first-last" && message.text == "first-last")
        #expect(message["Content-Length"] == "10")
        #expect(try Self.told(message).contains("content-length=10"))
        try bench.origin().answer(200, body: "ok")
        bench.expectQuiet()
    }

    @Test func chunksAreJoined() throws {
        let bench = try Self.bench()
        let client = bench.client()
        let chunks = "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
        client.send("PUT /a/x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks)
        let message = try bench.forwarded()
        #expect(message["Content-Length"] == "5" && message["Transfer-Encoding"] == nil)
        #expect(try Self.told(message)[4] == "abcde")
        try bench.origin().answer(200, body: "ok")
        bench.expectQuiet()
    }

    @Test(arguments: ["Content-Length: 20", "Transfer-Encoding: chunked"])
    func aLongBodyIsRefused(framing: String) throws {
        let bench = try Self.bench { $0.holdBytes = 16 }
        let client = bench.client()
        let chunk = "14\r\n" + String(repeating: "x", count: 20) + "\r\n0\r\n\r\n"
        let head = "POST /a/x HTTP/1.1\r\nHost: localhost\r\n\(framing)\r\n\r\n"
        client.request(head + (framing.hasPrefix("T") ? chunk : ""))
        let answer = try #require(client.answers.last)
        #expect(answer.status == 413)
        #expect(answer.text.contains("16 bytes") && answer.text.contains("'hold:'"), "\(answer.text)")
        #expect(bench.origins.isEmpty)
    }

    /// A body that is checked would stream behind `hold:`.
    @Test func aLongCheckedBodyIsRefused() throws {
        let bench = try Self.bench {
            $0.holdBytes = 16
            $0.body = .json(try Build.type("[Int]"))
        }
        let client = bench.client()
        client.request("POST", "/a/x", type: "application/json", body: "[\(String(repeating: "1,", count: 40))1]")
        #expect(client.answers.last?.status == 413 && bench.origins.isEmpty)
    }

    @Test func aBodyThatIsNotSignedStreams() throws {
        let bench = try Self.bench(Telling(coversBody: false)) { $0.holdBytes = 4 }
        let client = bench.client()
        client.send("POST /a/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nfirst")
        let message = try bench.forwarded()
        #expect(try Self.told(message)[4] == "")
        client.send("-last")
        #expect(try bench.forwarded().text == "first-last")
        try bench.origin().answer(200, body: "ok")
        bench.expectQuiet()
    }

    /// With its own time, and with the same body.
    @Test func everyAttemptIsSignedAnew() throws {
        let bench = try Self.bench { $0.retry = RetryPolicy() }
        let client = bench.client()
        client.request("PUT", "/a/x", type: "text/plain", body: "body")
        let first = try Self.told(bench.forwarded())
        bench.gateway.date = Array("Sun, 06 Nov 1994 08:49:47 GMT".utf8)
        try bench.origin().answer(503, body: "")
        bench.advance(by: .seconds(1))
        let second = try Self.told(bench.forwarded())
        #expect(first[3] == "784111777000" && second[3] == "784111787000")
        #expect(first[4] == "body" && second[4] == "body")
        try bench.origin().answer(200, body: "ok")
        #expect(client.answers.last?.text == "ok")
        bench.expectQuiet()
    }

    /// RFC 9449 §9.
    @Test func aNonceIsTakenAndKept() throws {
        let bench = try Self.bench(
            Telling(coversBody: false, serverNonce: ServerNonce(field: "DPoP-Nonce", demand: "use_dpop_nonce")))
        let client = bench.client()
        client.request("GET", "/a/x")
        func refuse(_ nonce: String) throws {
            try bench.origin().send(
                "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: DPoP error=\"use_dpop_nonce\", algs=\"ES256\"\r\n"
                    + "DPoP-Nonce: \(nonce)\r\nContent-Length: 0\r\n\r\n")
        }
        try refuse("one")
        #expect(client.answers.isEmpty)
        #expect(try Self.told(bench.forwarded())[5] == "one")
        // Answers may bring the next one (§8.2).
        try bench.origin().send("HTTP/1.1 200 OK\r\nDPoP-Nonce: two\r\nContent-Length: 2\r\n\r\nok")
        #expect(client.answers.last?.text == "ok")
        client.request("GET", "/a/y")
        #expect(try Self.told(bench.forwarded())[5] == "two")
        // Once more, and not for ever.
        try refuse("three")
        #expect(try Self.told(bench.forwarded())[5] == "three")
        try refuse("four")
        #expect(client.answers.last?.status == 401)
        bench.expectQuiet()
    }

    // MARK: - Nonces beside a rival

    private static func hedging(endpoints: Int = 1) throws -> Bench {
        try bench(
            Telling(coversBody: false, serverNonce: ServerNonce(field: "DPoP-Nonce", demand: "use_dpop_nonce")),
            { $0.hedge = .after(.milliseconds(50)) },
            upstream: {
                $0.alternates = (1..<endpoints).map { .tcp(host: "fruit\($0).example", port: 80, tls: false) }
                $0.retryBudget.perSecond = 100
            })
    }

    private static func demand(_ nonce: String) -> String {
        "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: DPoP error=\"use_dpop_nonce\"\r\n"
            + "DPoP-Nonce: \(nonce)\r\nContent-Length: 0\r\n\r\n"
    }

    /// Both lack it: the first that hears so is sent again, and the other would only be refused.
    @Test(arguments: [true, false]) func aNonceIsTakenForBothAttempts(isSecond: Bool) throws {
        let bench = try Self.hedging()
        let client = bench.client()
        client.request("GET", "/a/x")
        let (first, second) = try bench.hedged()
        (isSecond ? second : first).send(Self.demand("one"))
        #expect(client.answers.isEmpty && (isSecond ? first : second).isClosed)
        let nonces = try bench.origins.flatMap(\.requests).map { try Self.told($0)[5] }
        #expect(nonces.sorted() == ["", "", "one"])
        // Once more, and not for ever.
        try #require(bench.origins.last { !$0.isClosed }).send(Self.demand("two"))
        #expect(client.answers.map(\.status) == [401] && bench.origins.flatMap(\.requests).count == 3)
        bench.expectQuiet()
    }

    /// Each server has nonces of its own: what one refuses, the other may accept.
    @Test(arguments: [true, false]) func aRivalAtAnotherServerGoesOn(isRefused: Bool) throws {
        let bench = try Self.hedging(endpoints: 2)
        let client = bench.client()
        client.request("GET", "/a/x")
        let (first, second) = try bench.hedged()
        try #require(first.endpoint !== second.endpoint)
        first.send(Self.demand("one"))
        #expect(client.answers.isEmpty && !second.isClosed)
        if isRefused {
            second.send(Self.demand("two"))
            let again = try #require(bench.origins.last { !$0.isClosed })
            #expect(again.endpoint === second.endpoint && client.answers.isEmpty)
            let message = try #require(again.requests.last)
            #expect(try Self.told(message)[5] == "two")
            again.answer(200, body: "ok")
        } else {
            second.answer(200, body: "ok")
        }
        #expect(client.answers.map(\.text) == ["ok"])
        bench.expectQuiet()
    }

    /// The nonce came with another answer, between the two attempts.
    @Test func aRivalWithTheNonceGoesOn() throws {
        let bench = try Self.hedging()
        let client = bench.client()
        client.request("GET", "/a/x")
        let first = try bench.origin()
        let other = bench.client()
        other.request("GET", "/a/y")
        try bench.origin().send("HTTP/1.1 200 OK\r\nDPoP-Nonce: one\r\nContent-Length: 2\r\n\r\nok")
        bench.advance(by: .milliseconds(60))
        let second = try bench.origin()
        try #require(first !== second)
        let message = try #require(second.requests.last)
        #expect(try Self.told(message)[5] == "one")
        first.send(Self.demand("one"))
        #expect(client.answers.isEmpty && !second.isClosed)
        second.answer(200, body: "ok")
        #expect(client.answers.map(\.text) == ["ok"] && bench.origins.flatMap(\.requests).count == 3)
        bench.expectQuiet()
    }

    // MARK: - What does not help

    /// The same nonce again would be refused again.
    @Test func aNonceThatWasUsedIsNotTriedAgain() throws {
        let bench = try Self.bench(
            Telling(coversBody: false, serverNonce: ServerNonce(field: "DPoP-Nonce", demand: "use_dpop_nonce")))
        let client = bench.client()
        for expected in [401, 401] {
            client.request("GET", "/a/x")
            for _ in 0..<2 where client.answers.count < 2 {
                try bench.origin().send(
                    "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: DPoP error=\"invalid_token\"\r\n"
                        + "DPoP-Nonce: same\r\nContent-Length: 0\r\n\r\n")
                if client.answers.last?.status == expected { break }
            }
        }
        #expect(client.answers.map(\.status) == [401, 401])
        bench.expectQuiet()
    }

    @Test func theKeyIsInNoProblem() throws {
        let bench = try Self.bench { $0.value = .scalar(.json) }
        let client = bench.client()
        client.request("GET", "/a/x")
        try bench.origin().answer(500, body: #"{"message":"bad key-of-the-signature"}"#)
        let text = try #require(client.answers.last).text
        #expect(!text.contains("key-of-the-signature"))
        bench.expectQuiet()
    }
}
