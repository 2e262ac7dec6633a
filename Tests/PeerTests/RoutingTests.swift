import Testing

/// Which binding answers, and what is said where none does.
@Suite struct RoutingTests {
    private func gateway(_ origin: ScriptedOrigin) throws -> Daemon {
        try Daemon(
            """
            upstreams:
              fruit: {url: "\(origin.url)/v1"}
            bindings:
              GET /fruits:
                to: fruit /fruits
                params: {limit: Int = 10, colors: [String]}
              GET /fruits/{id}:
                to: fruit /fruits/{id}
                params: {id: Int}
              GET /fruits/best: {to: fruit /winner}
              DELETE /fruits/{name}/leaf:
                to: fruit /leaves/{name}
                params: {name: String}
              ANY /raw/**: {to: fruit /**}
            """)
    }

    /// Target sent, request line that the origin sees.
    static let matches = [
        ("GET /fruits", "GET /v1/fruits?limit=10 HTTP/1.1"),
        ("GET /fruits?limit=3&colors=red&colors=green", "GET /v1/fruits?limit=3&colors=red&colors=green HTTP/1.1"),
        ("GET /fruits/7", "GET /v1/fruits/7 HTTP/1.1"),
        ("GET /fruits/best", "GET /v1/winner HTTP/1.1"),
        ("DELETE /fruits/a%2Fb%20c/leaf", "DELETE /v1/leaves/a%2Fb%20c HTTP/1.1"),
        ("GET /raw/deep/er?x=1&y=%41", "GET /v1/deep/er?x=1&y=%41 HTTP/1.1"),
        ("PUT /raw/a", "PUT /v1/a HTTP/1.1"),
        ("GET http://localhost/fruits/7", "GET /v1/fruits/7 HTTP/1.1"),
    ]

    @Test(arguments: matches)
    func aRequestReachesItsBinding(_ sent: String, _ forwarded: String) throws {
        let origin = try ScriptedOrigin(answering: "HTTP/1.1 204 No Content\r\n\r\n")
        defer { origin.end() }
        let gateway = try gateway(origin)
        defer { gateway.end() }
        let parts = sent.split(separator: " ").map(String.init)
        #expect(try gateway.client().request(parts[0], parts[1]).status == 204)
        #expect(origin.received().hasPrefix(forwarded + "\r\n"), "\(origin.received())")
    }

    @Test func anUnknownPathIsAProblem() throws {
        let origin = try ScriptedOrigin([])
        defer { origin.end() }
        let gateway = try gateway(origin)
        defer { gateway.end() }
        try gateway.get("/vegetables").expectProblem(.unknownRoute)
        #expect(origin.connectionCount == 0)
    }

    /// RFC 9110 §15.5.6: `Allow` names what would have been served.
    @Test func anUnknownMethodNamesTheKnownOnes() throws {
        let origin = try ScriptedOrigin([])
        defer { origin.end() }
        let gateway = try gateway(origin)
        defer { gateway.end() }
        let response = try gateway.client().request("PUT", "/fruits/7", body: "{}")
        try response.expectProblem(.methodNotAllowed)
        #expect(response["Allow"]?.contains("GET") == true)
        #expect(origin.connectionCount == 0)
    }

    /// DESIGN §9: DNS rebinding.
    @Test func aForeignHostIsNotServed() throws {
        let origin = try ScriptedOrigin([])
        defer { origin.end() }
        let gateway = try gateway(origin)
        defer { gateway.end() }
        let client = try gateway.client()
        client.connection.send("GET /fruits HTTP/1.1\r\nHost: evil.example\r\n\r\n")
        try client.response().expectProblem(.hostNotServed)
        #expect(origin.connectionCount == 0)
    }

    @Test func allFaultsOfARequestComeInOneAnswer() throws {
        let origin = try ScriptedOrigin([])
        defer { origin.end() }
        let gateway = try gateway(origin)
        defer { gateway.end() }
        let problem = try gateway.get("/fruits?limit=many&colrs=red").expectProblem(.badParameters)
        let faults = problem.faults ?? []
        #expect(Set(faults.map(\.name)) == ["limit", "colrs"])
        #expect(faults.first { $0.name == "limit" }?.in == "query")
        #expect(faults.first { $0.name == "limit" }?.expected.contains("Int") == true)
        #expect(faults.first { $0.name == "limit" }?.found.contains("many") == true)
        #expect(faults.first { $0.name == "colrs" }?.hint?.contains("colors") == true)
        try gateway.get("/fruits/seven").expectProblem(.badParameters)
        #expect(origin.connectionCount == 0)
    }
}
