import Testing

@testable import SluiceClient

/// Every form that RestfulPropertyKit's pages show: names, labels and operators are the same, views are not here.
@Suite struct PublishedRestTests {
    struct Plum: Codable {
        let name: String
        let size: Int
        let color: String
    }

    struct Plums: ParentCodable {
        var values: [Plum] = []

        static func wrap(child: [Plum]) -> Self {
            return Plums(values: child)
        }
    }

    struct Login: Codable {
        var email: String
        var password: String
    }

    struct Screen {
        @Rest(path: "plum") var plum: Plum = Plum(name: "plum", size: 3, color: "blue")
        @Rest(path: "plums", params: ["limit": 10]) var whole: Plums = Plums()
        @Rest(path: "plums", parent: Plums.self, prop: \.values) var part: [Plum] = []
        @Rest(path: "plums", params: ["limit": 10], parent: Plums.self, prop: \.values) var plums: [Plum] = []
        @Rest(path: "login", bearer: false) var login: Login = Login(email: "", password: "")

        private var cancelable: RestMutableValueReference<Task<Void, Never>?> = RestMutableValueReference(value: nil)

        /// What a view's body and its buttons do.
        func load() {
            cancelable.update(with: self.$plum>?.sink(receiveCompletion: { _ in }, receiveValue: { _ in }))
        }

        func sendCurrent() {
            cancelable.update(with: self.$login<!.sink(receiveCompletion: { _ in }, receiveValue: { _ in }))
        }

        func sendNew(_ new: Login) {
            cancelable.update(
                with: (self.$login <- new)
                    .sink(receiveCompletion: { _ in }, receiveValue: { _ in }))
        }

        func ended() async { await cancelable.value?.value }
    }

    @Test func r1r3FormsAsTheyWerePublished() async throws {
        let transport = ScriptedTransport { request in
            .json(request.method == "GET" ? #"{"name":"fig","size":1,"color":"green"}"# : "{}")
        }
        try await GatewayClient.withClient(GatewayClient(transport: transport)) {
            let screen = Screen()
            #expect(screen.$plum.wrappedValue.name == "plum")
            print(screen.$plum, screen.$plum.projectedValue)
            #expect(screen.plum.size == 3 && screen.whole.values.isEmpty && screen.part.isEmpty)
            screen.load()
            await screen.ended()
            #expect(screen.plum.name == "fig" && screen.$plum.name == "fig")
            screen.$login.email = "a@b.example"
            screen.sendCurrent()
            await screen.ended()
            screen.sendNew(Login(email: "new@b.example", password: "x"))
            await screen.ended()
            try await (screen.$plum ++ ["limit": 5])>?
            screen.$plum>?.success {}
        }
        #expect(transport.lines.prefix(4) == ["GET /plum", "POST /login", "POST /login", "GET /plum?limit=5"])
    }

    /// R1: the host may be told after the properties were made; one that is none is told by the call.
    @Test func r1AHostIsToldLater() async throws {
        RestConfiguration.host = "127.0.0.1:8080"
        #expect(RestConfiguration.host == "127.0.0.1:8080")
        let address = (RestConfiguration.client(of: "fruit:81").transport as? GatewayTransport)?.address
        #expect(address == (try GatewayAddress("http://fruit:81")))
        let error = await #expect(throws: CallError.self) {
            try await RestConfiguration.client(of: "a host that is none").success(of: Call(.get, "/"))
        }
        guard case .url? = error else { throw CallError.encode("another error than that of the address") }
    }
}
