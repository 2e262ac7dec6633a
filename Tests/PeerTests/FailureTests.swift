import Testing

/// Upstreams that fail, each in its own way: every failure is a problem that says which.
@Suite struct FailureTests {
    static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    private func gateway(_ url: String, timeout: String = "{}", value: String? = nil) throws -> Daemon {
        try Daemon(
            """
            loops: 1
            upstreams:
              origin:
                url: "\(url)"
                timeout: \(timeout)
                error: {message: error.message, code: error.code}
            bindings:
              ANY /**:
                to: origin /**
                \(value.map { "value: \($0)" } ?? "")
            """)
    }

    @Test func refused() throws {
        let gateway = try gateway("http://127.0.0.1:\(LoopbackAddress.freePort())")
        defer { gateway.end() }
        let problem = try gateway.get("/a").expectProblem(.connectionRefused)
        #expect(problem.source == "network")
        #expect(problem.upstream == "origin")
    }

    /// RFC 6761 §6.4: nothing in .invalid ever exists. Where no resolver answers, that takes a while to be known.
    @Test func nameNotFound() throws {
        let gateway = try gateway("http://nobody.invalid", timeout: "{connect: 12s}")
        defer { gateway.end() }
        try gateway.get("/a").expectProblem(.nameNotFound)
    }

    @Test(arguments: [ScriptedOrigin.Step.close, .reset])
    func closedBeforeTheAnswer(_ end: ScriptedOrigin.Step) throws {
        let origin = try ScriptedOrigin([[.head, .body(2), end]])
        defer { origin.end() }
        let gateway = try gateway(origin.url)
        defer { gateway.end() }
        try gateway.post("/a", json: "{}").expectProblem(.connectionReset)
        #expect(origin.connectionCount == 1, "a POST is never sent twice")
    }

    /// RFC 9110 §9.2.2: a request that changes nothing may be sent again, on a new connection.
    @Test func anIdempotentRequestIsReplayedOnce() throws {
        let origin = try ScriptedOrigin([
            [.head, .send(Self.ok), .head, .close], [.head, .send(Self.ok)],
        ])
        defer { origin.end() }
        let gateway = try gateway(origin.url)
        defer { gateway.end() }
        let client = try gateway.client()
        #expect(try client.get("/a").text == "ok")
        #expect(try client.get("/b").text == "ok")
        #expect(origin.connectionCount == 2)
        #expect(origin.received(on: 1).hasPrefix("GET /b "))
    }

    @Test func aPostOnADeadConnectionIsNotReplayed() throws {
        let origin = try ScriptedOrigin([[.head, .send(Self.ok), .head, .body(2), .close]], thereafter: [.close])
        defer { origin.end() }
        let gateway = try gateway(origin.url)
        defer { gateway.end() }
        #expect(try gateway.get("/a").text == "ok")
        try gateway.post("/b", json: "{}").expectProblem(.connectionReset)
        #expect(origin.allReceived.components(separatedBy: "POST /b").count == 2)
    }

    @Test(arguments: [
        "SSH-2.0-nothing\r\n\r\n",
        "HTTP/1.1 2000 OK\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n",
    ])
    func garbage(_ answer: String) throws {
        let origin = try ScriptedOrigin([], thereafter: [.head, .send(answer), .close])
        defer { origin.end() }
        let gateway = try gateway(origin.url)
        defer { gateway.end() }
        try gateway.get("/a").expectProblem(.upstreamProtocol)
    }

    @Test func noFirstByteInTime() throws {
        let gate = Gate()
        defer { gate.open() }
        let origin = try ScriptedOrigin([[.head, .wait(gate)]])
        defer { origin.end() }
        let gateway = try gateway(origin.url, timeout: "{first-byte: 150ms}")
        defer { gateway.end() }
        let problem = try gateway.get("/a").expectProblem(.firstByteTimeout)
        #expect(problem.source == "network")
    }

    @Test func notWholeInTime() throws {
        let gate = Gate()
        defer { gate.open() }
        let origin = try ScriptedOrigin([
            [.head, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[1,"), .wait(gate)]
        ])
        defer { origin.end() }
        let gateway = try gateway(origin.url, timeout: "{total: 300ms}", value: "[Int]")
        defer { gateway.end() }
        try gateway.get("/a").expectProblem(.totalTimeout)
    }

    /// Linux leaves the SYN of a connection unanswered for which the listener's queue has no room.
    @Test func noConnectionInTime() throws {
        let listener = try Listener(backlog: 0)
        let filler = try Connection(port: listener.port)
        defer { filler.end() }
        let gateway = try gateway("http://127.0.0.1:\(listener.port)", timeout: "{connect: 150ms}")
        defer { gateway.end() }
        try gateway.get("/a").expectProblem(.connectTimeout)
    }

    @Test(arguments: [
        ScriptedOrigin.Step.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[1,2"),
        .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n[1,2\r\n"),
    ])
    func cutShort(_ beginning: ScriptedOrigin.Step) throws {
        let transcript = [.head, beginning, .close]
        let origin = try ScriptedOrigin([], thereafter: transcript)
        defer { origin.end() }
        let untouched = try gateway(origin.url)
        defer { untouched.end() }
        let response = try untouched.get("/a")
        #expect(response.status == 200)
        #expect(!response.isComplete, "a client must be able to tell")
        // Held until it is proven, a checked answer can still become a problem.
        let checked = try gateway(origin.url, value: "[Int]")
        defer { checked.end() }
        try checked.get("/a").expectProblem(.upstreamTruncated)
    }

    /// The upstream's own error, in its own words, in our envelope.
    @Test func theUpstreamsErrorIsRead() throws {
        let body = #"{"error": {"message": "no such fruit", "code": "E404"}}"#
        let head = "HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\nRetry-After: 7\r\n"
        let origin = try ScriptedOrigin(
            [],
            thereafter: [
                .head, .send(head + "Content-Length: \(body.utf8.count)\r\n\r\n" + body),
            ])
        defer { origin.end() }
        let gateway = try gateway(origin.url, value: "[Int]")
        defer { gateway.end() }
        let response = try gateway.get("/a")
        let problem = try response.expectProblem(.upstreamError, status: 404)
        #expect(problem.detail.contains("no such fruit"))
        #expect(problem.code == "E404")
        #expect(problem.source == "upstream")
        #expect(response["Retry-After"] == "7")
    }
}
