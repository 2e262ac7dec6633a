import Testing

/// The demo API keeps the promises of its help, so that what goes wrong behind it goes wrong in the gateway.
@Suite struct DemoUpstreamTests {
    @Test(
        arguments: [
            ("GET", "/fruits?limit=2", nil, 200, #"{"total":12,"values":[{"id":1,"#),
            ("GET", "/fruits?colors=red&colors=green&limit=0", nil, 200, #"{"total":8,"values":[],"#),
            ("GET", "/fruits?limit=-1", nil, 400, #"{"error":{"message":"#),
            ("GET", "/fruits?colors=blue", nil, 400, #""code":"bad_color""#),
            ("GET", "/fruits/1", nil, 200, #"{"id":1,"name":"apple","#),
            ("GET", "/fruits/99", nil, 404, #""code":"no_such_fruit""#),
            ("POST", "/fruits", #"{"fruit":{"name":"fig","size":3,"color":"green"}}"#, 201, #"{"fruit":{"id":13,"#),
            ("POST", "/fruits", #"{"fruit":{"name":"fig","size":0,"color":"green"}}"#, 422, #""code":"bad_fruit""#),
            ("POST", "/fruits", #"{"name":"fig","size":3,"color":"green"}"#, 422, #""code":"bad_fruit""#),
            ("DELETE", "/fruits/2", nil, 204, ""),
            ("PUT", "/fruits/2", nil, 405, #""code":"method_not_allowed""#),
            ("POST", "/signin", #"{"email":"a","password":"fruit-salad"}"#, 200, #"{"token":""#),
            ("POST", "/signin", #"{"email":"a","password":"wrong"}"#, 401, #""code":"wrong_password""#),
            ("GET", "/slow?ms=1", nil, 200, #"{"waited":1}"#),
            ("GET", "/broken/text", nil, 200, "<h1>"),
            ("GET", "/broken/error", nil, 500, #""code":"rotten""#),
            ("GET", "/nothing", nil, 404, #""code":"not_found""#),
        ] as [(String, String, String?, Int, String)])
    func answersAsItsHelpSays(
        _ method: String, _ target: String, _ body: String?, _ status: Int, _ expected: String
    ) throws {
        let upstream = try DemoUpstream()
        defer { upstream.end() }
        let response = try upstream.request(method, target, body: body)
        #expect(response.status == status)
        #expect(response.isComplete)
        #expect(response.text.contains(expected) || expected.isEmpty, "\(response.text)")
    }

    @Test func wantsABearer() throws {
        let upstream = try DemoUpstream()
        defer { upstream.end() }
        let response = try HTTPClient(port: upstream.port).get("/v1/fruits")
        #expect(response.status == 401)
        #expect(response["WWW-Authenticate"]?.hasPrefix("Bearer") == true)
    }

    @Test func breaksAsAsked() throws {
        let upstream = try DemoUpstream()
        defer { upstream.end() }
        #expect(try upstream.request("GET", "/broken/truncated").isComplete == false)
        #expect(throws: (any Error).self) { try upstream.request("GET", "/broken/reset") }
        let trailers = try upstream.request("GET", "/broken/trailers")
        #expect(trailers.isComplete)
        #expect(trailers.trailers.map(\.name) == ["X-Fruit-Count"])
    }

    /// A file that has the path of the socket is not removed.
    @Test func aFileInItsPlaceStays() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("notes", to: "notes.txt")
        let command = try Daemon.run("demo-upstream", "--listen", "unix:\(path)")
        #expect(command.exitStatus == 1)
        #expect(command.errors.contains("is in use by another program"), "\(command.errors)")
        #expect(folder.read("notes.txt") == "notes")
    }

    /// What `scripts/run` prints, through the gateway with the configuration that ships.
    @Test func theShippedConfigurationFits() throws {
        let upstream = try DemoUpstream()
        defer { upstream.end() }
        let gateway = try Daemon(upstream.configuration())
        defer { gateway.end() }
        #expect(try gateway.get("/fruits?limit=3").text.hasPrefix(#"[{"id":1,"#))
        #expect(try gateway.get("/fruits/1").text.hasPrefix(#"{"id":1,"#))
        #expect(try gateway.get("/fruits/one").status == 400)
        #expect(try gateway.get("/fruits?limt=3").text.contains("limit"))
        #expect(try gateway.get("/raw/fruits?limit=1").text.hasPrefix(#"{"total":"#))
        let made = try gateway.post("/fruits", json: #"{"name": "fig", "size": 3, "color": "green"}"#)
        #expect(made.status == 201)
        #expect(made.text.hasPrefix(#"{"id":13,"name":"fig""#))
    }
}
