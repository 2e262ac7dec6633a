import SluiceClient
import SluiceContract
import SluiceServer
import Testing

/// A gateway made of a program's properties, between that program and an API that runs.
@Suite struct PropertiesGatewayTests {
    enum Color: String, Codable, CaseIterable { case red, green, yellow }

    struct Fruit: Codable, Equatable {
        var name: String
        var size: Int
        var color: Color
    }

    struct Fruits: ParentCodable {
        var values: [Fruit] = []
        static func wrap(child: [Fruit]) -> Fruits { Fruits(values: child) }
    }

    struct NewFruit: ParentCodable {
        var fruit: Fruit
        static func wrap(child: Fruit) -> NewFruit { NewFruit(fruit: child) }
    }

    struct Account: Codable, Equatable {
        var email: String
        var password: String
    }

    struct Stand: Bindings {
        @Rest(path: "fruits", params: ["limit": 2], methods: [.get], parent: Fruits.self, prop: \.values)
        var fruits: [Fruit] = []
        @Rest(path: "fruits", methods: [.post], parent: NewFruit.self, prop: \.fruit)
        var new = Fruit(name: "", size: 0, color: .red)
        @Rest(path: "fruits/{id}", params: ["id": 1], methods: [.get, .delete])
        var one = Fruit(name: "", size: 0, color: .red)
        @Rest(path: "signin", bearer: false, methods: [.post]) var account = Account(email: "", password: "")
        @Rest(path: "broken/type", methods: [.get], parent: Fruits.self, prop: \.values) var broken: [Fruit] = []
    }

    /// The parents are the gateway's: what goes to and fro between the program and it is bare.
    private static func client(_ port: Int) throws -> GatewayClient {
        try GatewayClient("http://127.0.0.1:\(port)").with(timeout: .seconds(600)).with(parents: .gateway)
    }

    private static func patient(_ gateway: Gateway) -> Gateway {
        // Threads are few while all tests run: nothing ends by its time here.
        gateway.configured { configuration in
            for index in configuration.upstreams.indices {
                configuration.upstreams[index].timeout.connect = .seconds(60)
                configuration.upstreams[index].timeout.firstByte = .seconds(600)
                configuration.upstreams[index].timeout.total = .seconds(600)
            }
        }
    }

    @Test func aProgramIsTheGatewayAndItsClient() async throws {
        let upstream = try DemoUpstream()
        defer { upstream.end() }
        let stand = Stand()
        let gateway = Self.patient(
            Gateway(stand, upstream: "http://127.0.0.1:\(upstream.port)/v1", bearer: .value("demo-token")))
        try await gateway.withServer { port in
            stand.use(try Self.client(port))
            let fruits = try await stand.$fruits.get()
            #expect(fruits.count == 2)
            let fig = Fruit(name: "fig", size: 3, color: .green)
            let made = try await stand.$new.post(fig)
            #expect(made == fig)
            let first = try await stand.$one.get()
            let third = try await stand.$one.with(["id": 3]).get()
            #expect(first == fruits[0] && third != first)
            let wrong = await #expect(throws: CallError.self) { try await stand.$broken.get() }
            #expect(wrong?.kind == .typeMismatch)
            let refused = await #expect(throws: CallError.self) { try await stand.$fruits.with(["lim": 1]).get() }
            #expect(refused?.kind == .badParameters)
        }
    }

    @Test func aSignInIsKeptByTheGateway() async throws {
        let upstream = try DemoUpstream()
        defer { upstream.end() }
        let stand = Stand()
        let gateway = Self.patient(Gateway(stand, upstream: "http://127.0.0.1:\(upstream.port)/v1"))
        try await gateway.withServer { port in
            stand.use(try Self.client(port))
            let before = await #expect(throws: CallError.self) { try await stand.$fruits.get() }
            #expect(before?.status == 401)
            let account = Account(email: "me@fruit.example", password: "fruit-salad")
            try await stand.$account.post(account)
            #expect(stand.account == account)
            let fruits = try await stand.$fruits.get()
            #expect(fruits.count == 2)
        }
    }

    /// What the daemon makes of the page is what the program serves.
    @Test func theSamePageServesTheSame() async throws {
        let upstream = try DemoUpstream()
        defer { upstream.end() }
        let stand = Stand()
        let gateway = Self.patient(
            Gateway(stand, upstream: "http://127.0.0.1:\(upstream.port)/v1", bearer: .environment("FRUIT_TOKEN")))
        let page = try gateway.yaml().split(separator: "\n").filter { !$0.hasPrefix("listen:") }.joined(separator: "\n")
        let daemon = try Daemon(page, environment: ["FRUIT_TOKEN": "demo-token"])
        defer { daemon.end() }
        stand.use(try Self.client(Int(daemon.port)))
        let fruits = try await stand.$fruits.get()
        #expect(fruits.count == 2)
    }

    @Test func severalGatewaysServeInOneProgram() async throws {
        let upstream = try DemoUpstream()
        defer { upstream.end() }
        let folder = try TemporaryFolder()
        let (near, far) = (Stand(), Stand())
        let url = "http://127.0.0.1:\(upstream.port)/v1"
        let socket = folder.file("near.sock")
        try await Self.patient(Gateway(far, upstream: url, bearer: .value("demo-token"))).withServer { port in
            let second = Self.patient(Gateway(near, upstream: "http://127.0.0.1:\(port)"))
                .configured("fruits") { $0.cache = CachePolicy() }
            try await second.configured { $0.bindings.removeAll { $0.name != "GET /fruits" } }
                .configured { $0.bindings[0].parent = nil }
                .withServer(on: .unix(path: socket)) {
                    near.use(try GatewayClient("unix:\(socket)").with(timeout: .seconds(600)).with(parents: .gateway))
                    let fruits = try await near.$fruits.get()
                    #expect(fruits.count == 2)
                }
        }
    }

    @Test func aServiceEndsWithItsTask() async throws {
        let folder = try TemporaryFolder()
        let socket = folder.file("gateway.sock")
        let (addresses, told) = AsyncStream<[String]>.makeStream()
        let serving = Task {
            defer { told.finish() }
            try await Gateway(Stand(), upstream: "http://127.0.0.1:1").serve(on: .unix(path: socket)) { told.yield($0) }
        }
        let listening = await addresses.first { _ in true }
        #expect(listening == ["unix:\(socket)"])
        let stand = Stand().use(try GatewayClient("unix:\(socket)").with(parents: .gateway))
        let refused = await #expect(throws: CallError.self) { try await stand.$fruits.get() }
        #expect(refused?.kind == .connectionRefused)
        serving.cancel()
        try await serving.value
        let after = await #expect(throws: CallError.self) { try await stand.$fruits.get() }
        #expect(after?.kind == nil)
    }
}
