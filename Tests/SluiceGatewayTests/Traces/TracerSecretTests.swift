import SluiceContract
import Testing

@testable import SluiceGateway

/// What an upstream is shown is in no span, though it repeats it in what it is asked for next.
@Suite struct TracerSecretTests {
    private static let key = "q7Kz91wQxx4Lm0"

    private static func traced(
        _ presentation: CredentialPresentation, value: String? = nil, _ edit: (inout Binding) throws -> Void
    ) throws -> TraceBench {
        let kind = FetchCredentialTests.Renewed(presentation: presentation)
        return try TraceBench(
            [try Build.binding("GET /a", to: "fruit /a", value: value, edit)],
            upstreams: [Build.upstream { $0.credential = .named("key") }],
            credentials: [Credential(name: "key", kind: kind)], tokens: ["key": key])
    }

    private static func addresses(_ traced: TraceBench) -> [String?] { traced.attempts.map { $0["url.full"] } }

    @Test(arguments: ["/v1/b?k=\(key)&n=1", "/v1/b?n=1&%6B=\(key)", "/v1/b?k=&n=1&k=\(key)"])
    func aRedirectThatRepeatsTheKey(location: String) throws {
        let traced = try Self.traced(.query(name: "k")) { $0.follow = .sameOrigin }
        let client = traced.bench.client()
        client.request("GET", "/a")
        try traced.bench.origin().answer(301, "Location: \(location)", body: "elsewhere")
        // Once, and by the gateway.
        #expect(try traced.bench.forwarded().target == "/v1/b?n=1&k=\(Self.key)")
        try traced.bench.origin().answer(200, body: "ok")
        #expect(client.answers.map(\.status) == [200])
        #expect(Self.addresses(traced) == ["http://fruit.example/v1/a", "http://fruit.example/v1/b?n=1"])
        traced.bench.expectQuiet()
    }

    @Test func aRedirectThatRepeatsATokenElsewhere() throws {
        let traced = try Self.traced(.bearer) { $0.follow = .sameOrigin }
        let client = traced.bench.client()
        client.request("GET", "/a")
        try traced.bench.origin().answer(301, "Location: /v1/b/\(Self.key)?n=\(Self.key)", body: "elsewhere")
        try traced.bench.origin().answer(200, body: "ok")
        #expect(client.answers.map(\.status) == [200])
        #expect(Self.addresses(traced) == ["http://fruit.example/v1/a", "http://fruit.example/v1/b/***?n=***"])
        traced.bench.expectQuiet()
    }

    @Test func aNextPageThatRepeatsTheKey() throws {
        let next = try #require(FieldPath("n"))
        let traced = try Self.traced(.query(name: "k"), value: "[Int]") {
            $0.parent = FieldPath("v")
            $0.pages = PagePolicy(.url(next))
        }
        let client = traced.bench.client()
        client.request("GET", "/a")
        try traced.bench.origin().answer(json: #"{"v": [1], "n": "/v1/a?k=\#(Self.key)&p=2"}"#)
        #expect(try traced.bench.forwarded().target == "/v1/a?p=2&k=\(Self.key)")
        try traced.bench.origin().answer(json: #"{"v": [2]}"#)
        #expect(client.answers.first?.text == "[1,2]")
        #expect(Self.addresses(traced) == ["http://fruit.example/v1/a", "http://fruit.example/v1/a?p=2"])
        traced.bench.expectQuiet()
    }
}
