import Foundation
import Testing

/// The token goes to its own upstream and nowhere else.
@Suite struct BearerTests {
    static let ok = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 15\r\n\r\n{\"token\":\"new\"}"

    private func gateway(
        _ origin: ScriptedOrigin, bearer: String, binding: String = "", environment: [String: String] = [:]
    ) throws -> Daemon {
        try Daemon(
            """
            loops: 1
            upstreams:
              origin:
                url: "\(origin.url)"
                bearer: \(bearer)
              other:
                url: "\(origin.url)/other"
            bindings:
              ANY /mine/**: {to: origin /mine/**}
              ANY /open/**: {to: origin /open/**, bearer: false}
              ANY /other/**: {to: other /**}
              POST /signin: {to: origin /signin, bearer: false, keep: {bearer: token}}
            \(binding)
            """, environment: environment)
    }

    /// What the origin saw in `Authorization` of the newest request.
    private func authorization(at origin: ScriptedOrigin) -> String? {
        let head = origin.allReceived.components(separatedBy: "HTTP/1.1\r\n").last ?? ""
        let line = head.components(separatedBy: "\r\n").first { $0.lowercased().hasPrefix("authorization:") }
        return line.map { String($0.dropFirst("authorization:".count)).trimmingCharacters(in: .whitespaces) }
    }

    @Test func itGoesToItsOwnUpstreamOnly() throws {
        let origin = try ScriptedOrigin(answering: Self.ok)
        defer { origin.end() }
        let gateway = try gateway(origin, bearer: "{value: secret-1}")
        defer { gateway.end() }
        #expect(try gateway.get("/mine/a").status == 200)
        #expect(authorization(at: origin) == "Bearer secret-1")
        #expect(try gateway.get("/open/a").status == 200)
        #expect(authorization(at: origin) == nil)
        #expect(try gateway.get("/other/a").status == 200)
        #expect(authorization(at: origin) == nil)
    }

    /// DESIGN §9: a client's own never reaches an upstream that has a bearer.
    @Test func theClientsIsReplaced() throws {
        let origin = try ScriptedOrigin(answering: Self.ok)
        defer { origin.end() }
        let gateway = try gateway(origin, bearer: "{value: secret-1}")
        defer { gateway.end() }
        #expect(try gateway.get("/mine/a", fields: ["Authorization: Bearer theirs"]).status == 200)
        #expect(authorization(at: origin) == "Bearer secret-1")
        #expect(!origin.allReceived.contains("theirs"))
        #expect(try gateway.get("/other/a", fields: ["Authorization: Bearer theirs"]).status == 200)
        #expect(authorization(at: origin) == "Bearer theirs")
    }

    @Test func itComesFromTheEnvironment() throws {
        let origin = try ScriptedOrigin(answering: Self.ok)
        defer { origin.end() }
        let gateway = try gateway(
            origin, bearer: "{env: SLUICE_TEST_TOKEN}", environment: ["SLUICE_TEST_TOKEN": "secret-2"])
        defer { gateway.end() }
        #expect(try gateway.get("/mine/a").status == 200)
        #expect(authorization(at: origin) == "Bearer secret-2")
    }

    @Test func aChangedFileIsReadAgain() throws {
        let folder = try TemporaryFolder()
        try folder.write("first\n", to: "token")
        let origin = try ScriptedOrigin(answering: Self.ok)
        defer { origin.end() }
        let gateway = try gateway(
            origin, bearer: "{file: token}", environment: ["CREDENTIALS_DIRECTORY": folder.path])
        defer { gateway.end() }
        #expect(try gateway.get("/mine/a").status == 200)
        #expect(authorization(at: origin) == "Bearer first")
        try folder.write("second\n", to: "token")
        try Poll.until(
            "the new token is sent",
            holds: {
                _ = try gateway.get("/mine/a")
                return authorization(at: origin) == "Bearer second"
            })
    }

    @Test func aTokenOfAnAnswerIsKept() throws {
        let origin = try ScriptedOrigin(answering: Self.ok)
        defer { origin.end() }
        let gateway = try gateway(origin, bearer: "{value: old}")
        defer { gateway.end() }
        let signedIn = try gateway.post("/signin", json: #"{"email": "a@b.example"}"#)
        #expect(signedIn.text == #"{"token":"new"}"#)
        #expect(authorization(at: origin) == nil)
        #expect(try gateway.get("/mine/a").status == 200)
        #expect(authorization(at: origin) == "Bearer new")
        #expect(try gateway.get("/other/a").status == 200)
        #expect(authorization(at: origin) == nil)
    }

    /// The answer with the token is nobody's, and the client gets back what it sent.
    @Test func aSignInMayBeEchoed() throws {
        let body = #"{"token":"new"}"#
        let origin = try ScriptedOrigin(
            answering: "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        defer { origin.end() }
        let binding =
            "  POST /echoed: {to: origin /signin, bearer: false, body: {email: String}, answer: echo,"
            + " keep: {bearer: token}}"
        let gateway = try gateway(origin, bearer: "{value: old}", binding: binding)
        defer { gateway.end() }
        let sent = #"{"email": "a@b.example"}"#
        let signedIn = try gateway.post("/echoed", json: sent)
        #expect(signedIn.status == 201 && signedIn.text == sent)
        #expect(try gateway.get("/mine/a").status == 201)
        #expect(authorization(at: origin) == "Bearer new")
    }

    /// Nobody sees the answer: one without a token would be taken for a sign-in.
    @Test(arguments: [
        (#"{"access_token":"new"}"#, ""), (#"{"token":null}"#, ""), (#"{"token":"a\nb"}"#, ""), ("", ""),
        ("no gzip", "Content-Encoding: gzip\r\n"),
    ])
    func anEchoedSignInWithoutATokenIsAProblem(body: String, field: String) throws {
        let origin = try ScriptedOrigin(
            answering: "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\(field)"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        defer { origin.end() }
        let binding =
            "  POST /echoed: {to: origin /signin, bearer: false, body: {email: String}, answer: echo,"
            + " keep: {bearer: token}}"
        let gateway = try gateway(origin, bearer: "{value: old}", binding: binding)
        defer { gateway.end() }
        let answer = try gateway.post("/echoed", json: #"{"email": "a@b.example"}"#)
        #expect(answer.status == 502)
        #expect(answer.text.contains("missing-value") && answer.text.contains(#""name":"$.token""#))
        #expect(try gateway.get("/mine/a").status == 200)
        #expect(authorization(at: origin) == "Bearer old")
    }

    /// Redirects go to the client, so that the token goes nowhere.
    @Test func aRedirectIsPassedOn() throws {
        let elsewhere = try ScriptedOrigin([])
        defer { elsewhere.end() }
        let origin = try ScriptedOrigin(
            answering: "HTTP/1.1 302 Found\r\nLocation: \(elsewhere.url)/a\r\nContent-Length: 0\r\n\r\n")
        defer { origin.end() }
        let gateway = try gateway(
            origin, bearer: "{value: secret-1}", binding: "  GET /follow: {to: origin /x, follow: same-origin}")
        defer { gateway.end() }
        #expect(try gateway.get("/mine/a").status == 302)
        #expect(try gateway.get("/follow").status == 302)
        #expect(elsewhere.connectionCount == 0)
    }

    /// Whoever starts the daemon may ignore the ends of its children, and it inherits that: then the kernel keeps no
    /// exit status (waitpid(2), ECHILD), and half of an output would be a token.
    @Test func aProgramThatFailsIsNotBelieved() throws {
        let origin = try ScriptedOrigin(answering: Self.ok)
        defer { origin.end() }
        let folder = try TemporaryFolder()
        let port = try LoopbackAddress.freePort()
        let page = try folder.write(
            """
            listen: 127.0.0.1:\(port)
            credentials:
              printed: {command: {run: [sh, -c, "echo half; exit 3"]}}
            upstreams:
              origin: {url: "\(origin.url)", credential: printed}
            bindings:
              GET /a: {to: origin /}
            """, to: "sluice.yaml")
        let gateway = try ChildProcess(["env", "--ignore-signal=CHLD", Daemon.binary, "serve", "--config", page])
        defer { gateway.end() }
        try gateway.waitUntilServing(on: port)
        let answer = try HTTPClient(port: port).get("/a")
        #expect(answer.status == 503)
        #expect(answer.text.contains("ended with status 3"), "\(answer.text)")
        #expect(!origin.allReceived.contains("half"))
    }

    @Test func noProblemAndNoLogTellsIt() throws {
        let origin = try ScriptedOrigin([], thereafter: [.head, .close])
        defer { origin.end() }
        let gateway = try gateway(origin, bearer: "{value: secret-1}")
        let response = try gateway.get("/mine/a")
        gateway.end()
        #expect(response.status == 502)
        #expect(!response.text.contains("secret-1"))
        #expect(!gateway.process.errors.contains("secret-1"))
        #expect(!gateway.process.output.contains("secret-1"))
    }
}
