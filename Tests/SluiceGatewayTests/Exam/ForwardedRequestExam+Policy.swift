import SluiceContract
import Testing

@testable import SluiceGateway

// What depends on the binding, and what is answered here.
extension ForwardedRequestExam {
    static func bench(_ token: String? = nil, _ edit: (inout Upstream) -> Void = { _ in }) throws -> Bench {
        try Bench(
            Build.configuration(
                [try Build.binding("ANY /raw/**", to: "fruit /**")], upstreams: [Build.upstream("fruit", edit)]),
            tokens: token.map { ["fruit": $0] } ?? [:])
    }

    /// RFC 9110 §11.6.2, §7.6.1: no credential of the client beside ours, and none of ours lost because it was named.
    @Test(arguments: ["Authorization: Bearer evil", "Connection: Authorization", "AUTHORIZATION: Basic YTpi"])
    func ourBearerIsTheOnlyOne(field: String) throws {
        let bench = try Self.bench("secret") { $0.bearer = .value("secret") }
        try bench.get("/raw/a", field)
        #expect(try bench.forwarded().values("Authorization") == ["Bearer secret"])
    }

    /// What the configuration says of a field is not left to the client.
    @Test func configuredFieldsStandOnce() throws {
        let bench = try Self.bench { $0.headers = [HeaderSetting(name: "X-API-Key", value: "ours")] }
        try bench.get("/raw/a", "x-api-key: evil", "X-Other: b")
        #expect(try bench.forwarded().values("X-API-Key") == ["ours"])
        #expect(try bench.forwarded().values("X-Other") == ["b"])
    }

    /// RFC 9110 §9.3.7, §9.3.8, §9.3.6, §7.6.2: answered here.
    @Test(
        arguments: [
            ("OPTIONS * HTTP/1.1", "", 200), ("OPTIONS /raw/a HTTP/1.1", "Max-Forwards: 0\r\n", 200),
            ("TRACE /raw/a HTTP/1.1", "", 405), ("TRACE /raw/a HTTP/1.1", "Max-Forwards: 0\r\n", 405),
            ("CONNECT localhost:80 HTTP/1.1", "", 405), ("GET /raw/../a HTTP/1.1", "", 400),
            ("GET /raw/%2e%2E/a HTTP/1.1", "", 400), ("GET /raw/a/. HTTP/1.1", "", 400),
            ("GET /raw/a%00 HTTP/1.1", "", 400), ("GET http://evil/raw/a HTTP/1.1", "", 421),
            ("GET /nowhere HTTP/1.1", "", 404),
            ("GET https://localhost/raw/a HTTP/1.1", "", 421), ("GET HTTPS://localhost:443/raw/a HTTP/1.1", "", 421),
        ])
    func isNotForwarded(line: String, fields: String, status: Int) throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request("\(line)\r\nHost: localhost\r\n\(fields)\r\n")
        #expect(client.answers.map(\.status) == [status])
        #expect(bench.origins.isEmpty)
        #expect(client.reader.fault == nil)
    }

    /// RFC 9110 §9.3.6: what a client sends behind CONNECT is meant for a tunnel and is no request.
    @Test func nothingBehindConnectIsARequest() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.expect("CONNECT")
        client.send("CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n" + MalformedRequestExam.smuggled)
        #expect(client.answers.map(\.status) == [405])
        #expect(client.sawEnd)
        #expect(bench.origins.isEmpty)
    }

    /// RFC 9110 §7.4: the secured resource over a secured connection.
    @Test func anHTTPSTargetOverTLS() throws {
        let bench = try Self.bench()
        let client = bench.client(isTLS: true)
        client.request("GET https://localhost/raw/a HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try bench.forwarded().startLine == "GET /v1/a HTTP/1.1")
        client.reset()
        bench.expectQuiet()
    }

    /// RFC 9112 §9.6: nobody knows how much of a chunked body is to come; that the connection ends is said before.
    @Test func anEarlyAnswerToChunksSaysThatItIsTheLast() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request("POST /raw/a HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
        try bench.origin().answer(413)
        #expect(client.answers.map(\.["Connection"]) == ["close"])
        #expect(client.sawEnd)
        bench.expectQuiet()
    }

    /// RFC 9112 §9.3: pipelined requests are answered in order, and the last one read is the one that says so.
    @Test func nothingBehindCloseIsARequest() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.expect("GET")
        client.send(
            "GET /raw/a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n" + MalformedRequestExam.smuggled)
        try bench.origin().answer(200)
        #expect(client.answers.map(\.["Connection"]) == ["close"])
        #expect(client.sawEnd)
        #expect(try bench.origin().requests.count == 1)
    }

    /// RFC 9110 §10.1.1: the origin's interim answer goes to the client that waits, once.
    @Test func continueIsForwarded() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request("POST /raw/a HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n")
        #expect(client.reader.interim.isEmpty)
        try bench.origin().send("HTTP/1.1 100 Continue\r\n\r\n")
        #expect(client.reader.interim.map(\.status) == [100])
        client.send("hello")
        #expect(try bench.forwarded().text == "hello")
        try bench.origin().answer(200)
        #expect(client.answers.map(\.status) == [200])
        bench.expectQuiet()
    }

    /// RFC 9112 §3.2.2, §3.2.3: userinfo and scheme are for the client; `host: client` sends what was checked.
    @Test(
        arguments: [
            ("GET http://localhost:81/raw/a HTTP/1.1", "evil", "localhost:81"),
            ("GET /raw/a HTTP/1.1", "localhost", "localhost"),
        ])
    func theClientsHost(line: String, host: String, forwarded: String) throws {
        let bench = try Self.bench { $0.host = .client }
        try bench.exchange("\(line)\r\nHost: \(host)\r\n\r\n")
        #expect(try bench.forwarded().values("Host") == [forwarded])
    }
}
