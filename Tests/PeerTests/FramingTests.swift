import Testing

/// Requests and answers on the wire, between a raw client and a scripted origin.
@Suite struct FramingTests {
    static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    private func gateway(_ origin: ScriptedOrigin) throws -> Daemon {
        try Daemon(
            """
            upstreams:
              origin: {url: "\(origin.url)"}
            bindings:
              ANY /**: {to: origin /**}
            """)
    }

    /// RFC 9112 §9.3.2: answers in the order of the requests.
    @Test(.needsPeers) func pipelinedRequestsAreAnsweredInOrder() throws {
        let gateway = try Daemon(
            """
            upstreams:
              httpbin: {url: "\(Httpbin.shared.get().url)"}
            bindings:
              ANY /**: {to: httpbin /**}
            """)
        defer { gateway.end() }
        let client = try gateway.client()
        let targets = ["/delay/0.3", "/anything/second", "/delay/0.1", "/anything/fourth"]
        client.connection.send(targets.map { "GET \($0) HTTP/1.1\r\nHost: localhost\r\n\r\n" }.joined())
        for target in targets {
            let response = try client.response()
            #expect(response.status == 200)
            #expect(response.text.contains(target), "\(response.text)")
        }
    }

    /// RFC 9110 §9.3.2: the fields of a GET and no body; the connection goes on.
    @Test func headHasNoBody() throws {
        let origin = try ScriptedOrigin([
            [.head, .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"), .head, .send(Self.ok)]
        ])
        defer { origin.end() }
        let gateway = try gateway(origin)
        defer { gateway.end() }
        let client = try gateway.client()
        let head = try client.request("HEAD", "/a")
        #expect(head.status == 200)
        #expect(head["Content-Length"] == "2")
        #expect(try client.get("/a").text == "ok")
        #expect(origin.received().hasPrefix("HEAD /a HTTP/1.1\r\n"))
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nhello world",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6;x=y\r\n world\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello world",
        "HTTP/1.0 200 OK\r\n\r\nhello world",
    ])
    func everyFramingOfAnAnswerComesThrough(_ answer: String) throws {
        let origin = try ScriptedOrigin([[.head, .send(answer), .close], [.head, .trickle(answer), .close]])
        defer { origin.end() }
        let gateway = try gateway(origin)
        defer { gateway.end() }
        for _ in 0..<2 {
            let response = try gateway.get("/a")
            #expect(response.status == 200)
            #expect(response.text == "hello world")
            #expect(response.isComplete)
        }
    }

    @Test func aRequestMayComeByteByByte() throws {
        let origin = try ScriptedOrigin([[.head, .body(3), .send(Self.ok)]])
        defer { origin.end() }
        let gateway = try gateway(origin)
        defer { gateway.end() }
        let client = try gateway.client()
        for byte in "POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc".utf8 {
            client.connection.send([byte])
        }
        #expect(try client.response().text == "ok")
        #expect(origin.received().hasSuffix("\r\n\r\nabc"))
    }

    @Test(.needsPeers) func aChunkedUploadArrives() throws {
        let gateway = try Daemon(
            """
            upstreams:
              httpbin: {url: "\(Httpbin.shared.get().url)"}
            bindings:
              ANY /**: {to: httpbin /**}
            """)
        defer { gateway.end() }
        let client = try gateway.client()
        client.send("POST", "/anything", fields: ["Transfer-Encoding: chunked", "Content-Type: text/plain"])
        for chunk in ["5\r\nhello\r\n", "6\r\n wor", "ld\r\n", "0\r\n", "\r\n"] {
            client.connection.send(chunk)
        }
        let response = try client.response()
        #expect(response.status == 200)
        #expect(response.text.contains(#""data": "hello world""#), "\(response.text)")
    }

    /// RFC 9110 §6.5.1: trailers go only to a client that said it takes them.
    @Test(arguments: [["TE: trailers", "Connection: TE"], []])
    func trailersReachWhoTakesThem(_ fields: [String]) throws {
        let answer = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 7\r\n\r\n"
        let origin = try ScriptedOrigin([[.head, .send(answer)]])
        defer { origin.end() }
        let gateway = try gateway(origin)
        defer { gateway.end() }
        let response = try gateway.get("/a", fields: fields)
        #expect(response.text == "ok")
        #expect(response.isComplete)
        #expect(response.trailers.map(\.value) == (fields.isEmpty ? [] : ["7"]))
    }

    /// RFC 9110 §10.1.1: the expectation is the origin's to meet, before the body has moved.
    @Test func expectationIsAnsweredBeforeTheBody() throws {
        let origin = try ScriptedOrigin([
            [.head, .send("HTTP/1.1 100 Continue\r\n\r\n"), .body(3), .send(Self.ok)]
        ])
        defer { origin.end() }
        let gateway = try gateway(origin)
        defer { gateway.end() }
        let client = try gateway.client()
        client.send("POST", "/a", fields: ["Expect: 100-continue", "Content-Length: 3"])
        #expect(try client.head().status == 100)
        client.connection.send("abc")
        #expect(try client.response().text == "ok")
        #expect(origin.received().hasSuffix("abc"))
    }

    @Test func anUnknownExpectationIsRefused() throws {
        let origin = try ScriptedOrigin([])
        defer { origin.end() }
        let gateway = try gateway(origin)
        defer { gateway.end() }
        try gateway.get("/a", fields: ["Expect: wonders"]).expectProblem(.expectationFailed)
        #expect(origin.connectionCount == 0)
    }

    /// RFC 9110 §15.2.
    @Test func interimAnswersComeThrough() throws {
        let origin = try ScriptedOrigin([
            [.head, .send("HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n"), .send(Self.ok)]
        ])
        defer { origin.end() }
        let gateway = try gateway(origin)
        defer { gateway.end() }
        let response = try gateway.get("/a")
        #expect(response.interim.map(\.status) == [103])
        #expect(response.interim.first?["Link"] == "</a.css>")
        #expect(response.text == "ok")
    }

    /// A client that half-closes looks like one that has gone, and whose request costs the upstream for nothing.
    @Test func aHalfClosingClientIsTakenForGone() throws {
        let origin = try ScriptedOrigin([[.head]])
        defer { origin.end() }
        let gateway = try gateway(origin)
        defer { gateway.end() }
        let client = try gateway.client()
        client.send("GET", "/a")
        try Poll.until("the request is there", holds: { !origin.received().isEmpty })
        client.connection.halfClose()
        #expect(client.isEnded())
        try Poll.until("the upstream request is given up", holds: { origin.openConnectionCount == 0 })
    }

    /// RFC 9110 §7.6.1 and §7.6.3.
    @Test func hopByHopFieldsStay() throws {
        let origin = try ScriptedOrigin([
            [
                .head,
                .send("HTTP/1.1 200 OK\r\nConnection: X-Hop\r\nX-Hop: 1\r\nX-Kept: 2\r\nContent-Length: 0\r\n\r\n"),
            ]
        ])
        defer { origin.end() }
        let gateway = try gateway(origin)
        defer { gateway.end() }
        let response = try gateway.get(
            "/a",
            fields: [
                "Connection: X-Secret", "X-Secret: 1", "Keep-Alive: timeout=5", "Proxy-Connection: keep-alive",
                "X-Kept: 2",
            ])
        let forwarded = origin.received().lowercased()
        #expect(!forwarded.contains("x-secret"))
        #expect(!forwarded.contains("keep-alive"))
        #expect(!forwarded.contains("proxy-connection"))
        #expect(forwarded.contains("x-kept: 2"))
        #expect(forwarded.contains("\r\nvia: 1.1 "))
        #expect(forwarded.contains("\r\nhost: 127.0.0.1:\(origin.port)\r\n"))
        #expect(response["X-Hop"] == nil)
        #expect(response["X-Kept"] == "2")
    }

    @Test func connectionsAreReusedOnBothSides() throws {
        let origin = try ScriptedOrigin(answering: Self.ok)
        defer { origin.end() }
        let gateway = try Daemon(
            """
            loops: 1
            upstreams:
              origin: {url: "\(origin.url)"}
            bindings:
              ANY /**: {to: origin /**}
            """)
        defer { gateway.end() }
        let client = try gateway.client()
        for _ in 0..<20 { #expect(try client.get("/a").text == "ok") }
        #expect(origin.connectionCount == 1)
    }
}
