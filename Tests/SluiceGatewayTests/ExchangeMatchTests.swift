import SluiceContract
import Testing

@testable import SluiceGateway

/// Methods and targets that are about the gateway itself.
@Suite struct ExchangeMatchTests {
    static func bench() throws -> Bench {
        try Bench(
            Build.configuration([
                try Build.binding("GET|POST /a", to: "fruit /a"), try Build.binding("ANY /raw/**", to: "fruit /**"),
            ]))
    }

    /// RFC 9110 §9.3.7: what the server as a whole can do.
    @Test func anAsteriskIsAnsweredHere() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.send("OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let answer = try #require(client.answers.first)
        #expect(answer.status == 200)
        #expect(answer["Allow"]?.contains("GET") == true)
        #expect(answer["Allow"]?.contains("TRACE") == false)
    }

    /// RFC 9112 §3.2.4: the same in absolute-form, without a path.
    @Test(arguments: [("http://localhost", 200), ("http://localhost:8080", 200), ("https://localhost", 421)])
    func anAbsoluteTargetWithoutAPath(target: String, status: Int) throws {
        let bench = try Self.bench()
        let answer = try bench.exchange("OPTIONS \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(answer.status == status)
        #expect((answer["Allow"] == "GET, HEAD, POST, PUT, DELETE, PATCH, OPTIONS") == (status == 200))
        #expect(bench.origins.isEmpty)
    }

    /// RFC 9110 §10.2.1: `ANY` is every method that is ever served.
    @Test func whatIsNeverServedIsNotAllowed() throws {
        let answer = try Self.bench().exchange("TRACE /raw/x HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(answer.status == 405)
        #expect(answer["Allow"] == "GET, HEAD, POST, PUT, DELETE, PATCH, OPTIONS")
        #expect(!answer.text.contains("CONNECT"))
    }

    /// RFC 9110 §7.6.2.
    @Test func maxForwardsIsCountedDown() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.send("OPTIONS /raw/x HTTP/1.1\r\nHost: localhost\r\nMax-Forwards: 0\r\n\r\n")
        #expect(client.answers.first?.status == 200)
        #expect(client.answers.first?["Allow"] != nil)
        _ = try bench.exchange("OPTIONS /raw/x HTTP/1.1\r\nHost: localhost\r\nMax-Forwards: 3\r\n\r\n")
        #expect(try bench.forwarded()["Max-Forwards"] == "2")
    }

    /// RFC 9110 §7.6.2: what is no number, and what is for another method, goes on as it came.
    @Test(arguments: [
        ("OPTIONS", "+3"), ("OPTIONS", "-1"), ("OPTIONS", "3, 3"), ("OPTIONS", "many"), ("OPTIONS", ""),
        ("OPTIONS", "99999999999999999999"), ("GET", "0"), ("POST", "0"),
    ])
    func otherMaxForwardsGoOn(method: String, value: String) throws {
        let bench = try Self.bench()
        _ = try bench.exchange(
            "\(method) /raw/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nMax-Forwards: \(value)\r\n\r\n")
        #expect(try bench.forwarded()["Max-Forwards"] == value)
    }

    /// A TRACE would show the upstream's bearer to the client.
    @Test func traceIsNeverForwarded() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.send("TRACE /raw/x HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(client.answers.first?.status == 405)
    }

    /// RFC 9110 §9.1, §15.6.2: `ANY` is every method that means something; others have to be bound by name. The client
    /// may go on with what is known.
    @Test(arguments: ["BREW", "get", "Get", "PRI", "GETT", "PROPFIND2"], ["/a", "/raw/pot"])
    func unknownMethodsAreNotImplemented(method: String, path: String) throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request("\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello")
        #expect(client.answers.map(\.status) == [501])
        #expect(bench.origins.isEmpty)
        client.request("GET", "/raw/pot")
        #expect(try bench.forwarded().startLine == "GET /v1/pot HTTP/1.1")
    }

    /// What has a meaning, if not here, is told what the path is bound for (RFC 9110 §15.5.6).
    @Test func registeredMethodsThatAreNotBound() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request("PROPFIND", "/a")
        client.request("PROPFIND", "/nowhere")
        #expect(client.answers.map(\.status) == [405, 404])
        #expect(client.answers.first?["Allow"]?.contains("GET") == true)
    }

    @Test func registeredMethodsAndThoseBoundByNameAreForwarded() throws {
        let bench = try Bench(
            Build.configuration([
                try Build.binding("ANY /raw/**", to: "fruit /**"), try Build.binding("BREW /raw/**", to: "fruit /**"),
            ]))
        for method in ["PROPFIND", "VERSION-CONTROL", "QUERY", "BREW"] {
            #expect(try bench.exchange("\(method) /raw/a HTTP/1.1\r\nHost: localhost\r\n\r\n").status == 200)
            #expect(try bench.forwarded().startLine == "\(method) /v1/a HTTP/1.1")
        }
    }

    @Test(arguments: ["/raw/../a", "/raw/%2e%2E/a", "/raw/a/.", "/raw/%5c..", "/raw/%00", "/raw/%0d"])
    func ambiguousPathsAreRefused(path: String) throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(client.answers.first?.status == 400)
    }

    /// Some servers decode slashes, and merge empty segments: a wildcard is no way around what is bound by itself.
    @Test(arguments: [
        ("GET /raw/secret%2fadmin", 400), ("GET /raw/secret%2Fadmin", 400), ("GET /raw//secret/admin", 400),
        ("GET /raw/secret//%2fadmin", 400), ("GET /raw/team%2f7/key", 400), ("HEAD /raw/secret%2fadmin", 400),
        ("GET /raw/inner%2fa", 400),
        // These lead to the same binding, however they are read.
        ("POST /raw/secret%2fadmin", 200), ("GET /raw/secret%2fadmins", 200), ("GET /raw/other%2fadmin", 200),
        ("GET /raw/other//admin", 200), ("GET /raw/inner/a%2fb", 200), ("GET /lone/a%2fb//c", 200),
        // A placeholder holds what it is given.
        ("GET /raw/team/a%2fb/key", 200),
    ])
    func aPathThatLeadsElsewhereIsRefused(request: String, status: Int) throws {
        let bench = try Bench(
            Build.configuration([
                try Build.binding("ANY /raw/**", to: "fruit /**"), try Build.binding("ANY /lone/**", to: "fruit /**"),
                try Build.binding("GET /raw/secret/admin", to: "fruit /secret/admin"),
                try Build.binding("GET /raw/inner/**", to: "fruit /inner/**"),
                try Build.binding("GET /raw/team/{id}/key", to: "fruit /team/{id}/key") {
                    $0.parameters = [try Build.parameter("id", "String", in: .path)]
                },
            ]))
        let answer = try bench.exchange(
            "\(request) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n",
            answer: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        #expect(answer.status == status)
        #expect(bench.origins.isEmpty == (status == 400))
    }
}
