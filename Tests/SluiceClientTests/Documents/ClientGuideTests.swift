import SluiceClient
import Testing

/// The examples of docs/CLIENT.md, as they stand there: compiled, and run against a gateway in memory.
@Suite struct ClientGuideTests {
    struct Fruit: Codable {
        var name: String
        var size: Int
        var color: String
    }
    struct Account: Codable {
        var email: String
        var password: String
    }
    struct Fruits: ParentCodable {
        var values: [Fruit] = []
        static func wrap(child: [Fruit]) -> Fruits { Fruits(values: child) }
    }

    struct FruitStand: Bindings {
        @Rest(path: "fruits", params: ["limit": 10], parent: Fruits.self, prop: \.values) var fruits: [Fruit] = []
        @Rest(path: "fruitoftheday") var today = Fruit(name: "strawberry", size: 3, color: "red")
        @Rest(path: "signin", bearer: false) var account = Account(email: "", password: "")
    }

    struct Rename: JSONRequest {
        struct Body: Encodable { var newName: String }
        struct Response: Decodable {
            @ResponseBody<Fruit> var fruit
            @ResponseErrorBody<GatewayProblem> var problem
            @ResponseStatusCode var status
            @ResponseHeader<DefaultHeaderStrategyOptional> var etag: String?
        }
        var body: Body
        @RequestHTTPMethod var method = .put
        @RequestPath var path = "/fruits/{name}"
        @RequestPathParameter var name: String
        @QueryItem var dryRun: Bool?
        @RequestHeader var ifMatch: String?
    }

    struct FindFruits: GetJSONRequest {
        typealias Response = [Fruit]
        var start = 0
        var end: Int?
        let path = "/fruits"
        var urlParams: [URLParameter] {
            ("start", start)
            if let end { ("end", end) }
        }
    }

    struct NewFruit: KeyedAPIParameters {
        enum Key: String, ParamJSONKey { case name, size }
        var name: String
        var size: Int
        func param(for key: Key) -> any APIParamConvertible {
            switch key {
            case .name: name
            case .size: size
            }
        }
    }

    struct OneFruit: Transport {
        func send(_ request: CallRequest, timeout: Duration?) async throws -> CallAnswer {
            let fig = #"{"name":"fig","size":1,"color":"green"}"#
            return CallAnswer(status: 200, fields: [], body: AnswerBody(Array(fig.utf8)))
        }
    }

    private let gateway = GatewayClient(
        transport: ScriptedTransport { request in
            let fig = #"{"name":"fig","size":1,"color":"green"}"#
            return .json(request.target.hasPrefix("/fruits?") ? "[\(fig)]" : fig)
        })

    @Test func addresses() throws {
        let stand = FruitStand()
        GatewayClient.use(try GatewayClient("unix:/run/sluice.sock"))  // for the whole program
        stand.use(try GatewayClient("http://localhost:9000/fruit"))  // for these properties
    }

    @Test func boundProperties() async throws {
        try await GatewayClient.withClient(gateway) {
            let stand = FruitStand()
            let fruits = try await stand.$fruits.get()
            stand.$account.email = "me@example.org"
            try await stand.$account.post()
            try await stand.$today.post(Fruit(name: "fig", size: 1, color: "green"))
            let some = try await (stand.$fruits ++ ["limit": 3]).get()
            for await state in stand.$today.states {
                print(state.value.name, state.isRequesting)
                if !state.isRequesting { break }
            }
            #expect(fruits.count == 1 && some.count == 1)
            do {
                try await stand.$fruits.get()
            } catch CallError.problem(let problem) where problem.kind == .rateLimited {
                print("again in", problem.retryAfter ?? .seconds(1))
            } catch CallError.missingPath(let fault), CallError.decode(let fault) {
                print(fault.path, fault.detail, fault.body.count)
            } catch {
                print(error)
            }
        }
    }

    func upload(_ lines: AsyncThrowingStream<[UInt8], any Error>) throws -> MultipartForm {
        let form = MultipartForm([
            .init(name: "note", text: "ripe"),
            try .file(name: "photo", at: "/var/photos/fig.jpg", mediaType: "image/jpeg"),
            .init(name: "log", filename: "log.txt", content: .stream(length: nil, lines)),
        ])
        return form
    }

    @Test func uploads() {
        // There is no such photo here, which is told before anything is sent.
        #expect(throws: CallError.self) { try upload(AsyncThrowingStream { $0.finish() }) }
    }

    @Test func downloads() async throws {
        let client = gateway
        var file: [UInt8] = []
        let photo = try await client.stream(Call(.get, "/photos/fig.jpg"))
        print(photo.status, photo.fields["Content-Length"] ?? "of unknown length")
        for try await piece in photo.body { file += piece }
        #expect(file.count > 10)
    }

    @Test func requests() async throws {
        try await GatewayClient.withClient(gateway) {
            let client = try GatewayClient.current()
            let renamed = try await client.send(Rename(body: .init(newName: "fig"), name: "a/b"))
            print(renamed.status, renamed.fruit?.name ?? "none", renamed.problem?.detail ?? "no problem")
            let fruit = NewFruit(name: "fig", size: 1)
            let made = try await client.send(ParameterRequest(.post, "fruits", fruit, as: Fruit.self))
            #expect(made.name == "fig")
            #expect(try await client.send(FindFruits(end: 3)).count == 1)
        }
    }

    @Test func resources() async throws {
        try await GatewayClient.withClient(gateway) {
            let service = ResourceService()
            let fig: TypedResource<Fruit> = service.resource("/fruits").child("fig").withParam("lang", "en").typed()
            let value = try await fig.value()
            print(fig.state.content?.name ?? "none", fig.state.isLoading, fig.state.latestError?.title ?? "no error")
            #expect(value.name == "fig")
            switch fig.state.display(.keepData) {
            case .data: print(fig.content?.name ?? "")
            case .loading: print("…", fig.state.progress?.fraction ?? 0)
            case .error(let error): print(error.title, error.isRetryable)
            }
            let both = LoadableGroup(fig, TypedResource.fake(1), rules: [.anyData, .loading, .error])
            for await display in both.displays {
                print(display)
                if case .data = display { break }
            }
        }
    }

    struct Shop: Bindings {
        @Rest(path: "fruits", params: ["limit": 10]) var fruits: [Fruit] = []
        @Rest(path: "fruits") var newFruit = Fruit(name: "", size: 0, color: "")
    }

    /// What README.md shows.
    @Test func aFirstLook() async {
        await GatewayClient.withClient(gateway) {
            let shop = await Self.firstLook()
            #expect(shop.fruits.count == 1 && shop.newFruit.name == "fig")
        }
    }

    /// A function of its own, as a reader would write it: in a closure the compiler accepts more.
    private static func firstLook() async -> Shop {
        let shop = Shop()  // SLUICE_URL says where the gateway is
        do {
            let red = try await (shop.$fruits ++ ["colors": ["red"], "limit": 3]).get()
            try await shop.$newFruit.post(Fruit(name: "fig", size: 3, color: "green"))
            print(red.count, shop.newFruit.name)
        } catch CallError.problem(let problem) {
            print(problem.title, problem.detail, problem.faults.first?.hint ?? "")
        } catch {
            print(error)
        }
        return shop
    }

    @Test func tests() async throws {
        let answer = try await GatewayClient.withClient(GatewayClient(transport: OneFruit())) {
            try await FruitStand().$today.get()
        }
        #expect(answer.name == "fig")
    }
}
