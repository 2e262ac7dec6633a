import SluiceClient
import Testing

/// SluiceClient and the daemon, as two processes with a socket between them.
@Suite struct ClientLibraryTests {
    struct Fruit: Codable, Equatable {
        var name: String
        var size: Int
    }

    struct Fruits: ParentCodable {
        var values: [Fruit] = []
        static func wrap(child: [Fruit]) -> Fruits { Fruits(values: child) }
    }

    struct Stand: Bindings {
        @Rest(path: "fruits", params: ["limit": 2], parent: Fruits.self, prop: \.values) var fruits: [Fruit] = []
        @Rest(path: "raw", parent: Fruits.self, prop: \.values) var raw: [Fruit] = []
        @Rest(path: "wrong") var wrong: [Int] = []
        @Rest(path: "nowhere") var nowhere = 0
    }

    private static let page = #"{"values":[{"name":"fig","size":1}]}"#
    private static let configuration = """
        types: {Fruit: {name: String, size: Int}}
        bindings:
          GET /fruits: {to: fruit /fruits, params: {limit: Int}, parent: values, value: "[Fruit]", cache: {fresh: 1h}}
          POST /fruits: {to: fruit /fruits, params: {limit: Int}, parent: values, body: "[Fruit]", value: "[Fruit]"}
          GET /raw: {to: fruit /fruits}
          GET /wrong: {to: fruit /fruits, parent: values, value: "[Int]"}
        """

    /// Runs a test against a gateway at a TCP port, and at a Unix socket.
    private func withGateway(_ test: (GatewayClient, ScriptedOrigin) async throws -> Void) async throws {
        let head =
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(Self.page.utf8.count)\r\n\r\n"
        let origin = try ScriptedOrigin(answering: head + Self.page)
        defer { origin.end() }
        let folder = try TemporaryFolder()
        let socket = folder.file("gateway.sock")
        let daemon = try Daemon(
            // Threads are few while all tests run: nothing ends by its time here, neither at the origin nor here.
            "upstreams: {fruit: {url: \"\(origin.url)\", timeout: {connect: 10m, first-byte: 10m, total: 10m}}}\n"
                + "limits: {header-timeout: 10m, body-timeout: 10m, keep-alive: 10m}\n" + Self.configuration,
            extraListener: "unix:\(socket)")
        defer { daemon.end() }
        for address in ["http://127.0.0.1:\(daemon.port)", "unix:\(socket)"] {
            try await test(GatewayClient(address).with(timeout: .seconds(600)), origin)
        }
    }

    /// The binding's `parent:` is the property's: bare on the wire, and read all the same.
    @Test func boundPropertiesOverBothKindsOfSocket() async throws {
        try await withGateway { client, _ in
            let stand = Stand().use(client)
            let fig = Fruit(name: "fig", size: 1)
            let fruits = try await stand.$fruits.get()
            let raw = try await stand.$raw.get()
            #expect(fruits == [fig] && raw == [fig] && stand.fruits == raw)
        }
    }

    @Test func problemsAreTyped() async throws {
        try await withGateway { client, _ in
            let stand = Stand().use(client)
            let wrong = await #expect(throws: CallError.self) { try await stand.$wrong.get() }
            guard case .problem(let problem) = wrong else {
                Issue.record("\(wrong as Any)")
                return
            }
            #expect(problem.kind == .typeMismatch && problem.upstream == "fruit")
            #expect(problem.faults.first?.name == "$.values[0]")
            let nowhere = await #expect(throws: CallError.self) { try await stand.$nowhere.get() }
            #expect(nowhere?.kind == .unknownRoute && nowhere?.status == 404)
            let undeclared = await #expect(throws: CallError.self) { try await stand.$fruits.with(["x": 1]).get() }
            #expect(undeclared?.kind == .badParameters)
        }
    }

    /// A resource is told where its content came from, and asks by its tag.
    @Test func resourcesKnowTheGatewaysCache() async throws {
        try await withGateway { client, _ in
            // Any other answer stores nothing.
            _ = try await client.success(of: Call(.get, "/fruits", query: ["limit": 7]))
            let service = ResourceService(client: client)
            let resource = service.resource("/fruits").withParam("limit", 7).typed([Fruit].self)
            let value = try await resource.value()
            #expect(value.count == 1 && resource.state.event == .newData(.cache))
            #expect(resource.state.latestData?.etag != nil)
            let revalidating = service.resource("/fruits?limit=7")
            #expect(revalidating.typed([Fruit].self) === resource)
            try await resource.freshValue()
            #expect(resource.state.event == .notModified, "the slice's tag is the same, whatever is asked upstream")
        }
    }
}
