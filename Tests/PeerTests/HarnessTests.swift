import Foundation
import Testing

/// The harness itself: a client that misread, or an origin that misplayed, would make every other test say nothing.
@Suite struct HarnessTests {
    static let answers: [(wire: String, body: String, isComplete: Bool)] = [
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "hello", true),
        ("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nhello", "hello", false),
        ("HTTP/1.1 200 OK\r\n\r\nhello", "hello", true),
        ("HTTP/1.1 204 No Content\r\n\r\n", "", true),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n0\r\n\r\n", "hello", true),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nA: b\r\n\r\n", "hello", true),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", "hello", false),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nc\r\nhello", "hello", false),
    ]

    @Test(arguments: answers)
    func theClientTellsWholeFromCutShort(_ answer: (wire: String, body: String, isComplete: Bool)) throws {
        let origin = try ScriptedOrigin([[.head, .trickle(answer.wire), .close]])
        defer { origin.end() }
        let response = try HTTPClient(port: origin.port).get("/")
        #expect(response.text == answer.body)
        #expect(response.isComplete == answer.isComplete)
    }

    @Test func theClientKeepsInterimAnswersApart() throws {
        let origin = try ScriptedOrigin([
            [
                .head,
                .send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
            ]
        ])
        defer { origin.end() }
        let response = try HTTPClient(port: origin.port).get("/")
        #expect(response.status == 200)
        #expect(response.interim.map(\.status) == [103])
    }

    @Test func aResetIsNoOrderlyEnd() throws {
        let origin = try ScriptedOrigin([[.head, .send("HTTP/1.1 200 OK\r\n\r\nhello"), .reset]])
        defer { origin.end() }
        #expect(try HTTPClient(port: origin.port).get("/").isComplete == false)
    }

    @Test func theOriginRecordsWhatCame() throws {
        let origin = try ScriptedOrigin([[.head, .body(3), .send("HTTP/1.1 204 No Content\r\n\r\n")]])
        defer { origin.end() }
        let client = try HTTPClient(port: origin.port)
        #expect(try client.request("POST", "/a", body: "abc").status == 204)
        #expect(origin.received() == "POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc")
        #expect(origin.connectionCount == 1)
    }

    @Test func aGateHoldsTheOriginUp() throws {
        let gate = Gate()
        let origin = try ScriptedOrigin([[.head, .wait(gate), .send("HTTP/1.1 204 No Content\r\n\r\n")]])
        defer { origin.end() }
        let client = try HTTPClient(port: origin.port)
        client.send("GET", "/")
        try Poll.until("the request is there") { origin.received().isEmpty ? nil : true }
        gate.open()
        #expect(try client.response().status == 204)
    }

    @Test func aChildIsEndedAndTellsItsStatus() throws {
        let child = try ChildProcess(["/bin/sh", "-c", "echo out; echo err >&2; exit 3"])
        #expect(try child.waitForExit() == 3)
        #expect(child.output == "out\n")
        #expect(child.errors == "err\n")
        let sleeper = try ChildProcess(["/bin/sleep", "60"])
        #expect(sleeper.exitStatus == nil)
        sleeper.end()
        #expect(sleeper.exitStatus == -SIGTERM)
    }

    @Test(.needsPeers) func httpbinAnswers() throws {
        let httpbin = try Httpbin.shared.get()
        let response = try HTTPClient(port: httpbin.port).get("/get?a=b")
        #expect(response.status == 200)
        #expect(response.isComplete)
    }

    @Test(.needsPeers) func nginxAnswersOverTLS() throws {
        let authority = try CertificateAuthority.shared.get()
        let identity = try authority.identity("harness", name: "IP:127.0.0.1")
        let nginx = try NginxOrigin(identity: identity, locations: #"location / { return 200 '{"a":1}'; }"#)
        defer { nginx.end() }
        let curl = try ChildProcess([
            "curl", "--silent", "--show-error", "--cacert", authority.path, "https://127.0.0.1:\(nginx.port)/",
        ])
        #expect(try curl.waitForExit() == 0)
        #expect(curl.output == #"{"a":1}"#)
    }
}
