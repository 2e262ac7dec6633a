import SluiceClient
import Testing

/// The examples of ComingFromSiesta.md.
@Suite struct ComingFromSiestaTests {
    struct FruitAPI: Sendable {
        let service = ResourceService()

        func fruit(named name: String) -> TypedResource<Fruit> {
            service.resource("/fruits").child(name).typed()
        }

        func fruits(color: String? = nil) -> TypedResource<[Fruit]> {
            service.resource("/fruits").withParam("color", color).typed()
        }
    }

    func text(of fruit: TypedResource<Fruit>) -> String {
        switch fruit.state.display([.anyData, .loading, .error]) {
        case .data: fruit.content.map { "\($0.name), \($0.color)" } ?? ""
        case .loading: "loading"
        case .error(let error): error.title + (fruit.isReloadable ? " (try again)" : "")
        }
    }

    @Test func s2AsItWasUsed() async throws {
        let transport = ScriptedTransport { request in
            let fig = #"{"name":"fig","size":3,"color":"green"}"#
            return .json(request.target.hasPrefix("/fruits?") ? "[\(fig)]" : fig)
        }
        try await GatewayClient.withClient(GatewayClient(transport: transport)) {
            let api = FruitAPI()
            let fig = api.fruit(named: "fig")
            for await _ in fig.states {
                print(text(of: fig))
                if !fig.state.isLoading { break }
            }
            fig.loadIfNeeded()
            let both = (try await fig.value(), try await api.fruits(color: "green").value())
            #expect(both.0.name == "fig" && both.1.count == 1)
            let made = try await api.service.resource("/fruits").request(.post, both.0, as: Fruit.self)
            api.service.invalidate { $0.path.hasPrefix("/fruits") }
            #expect(made.name == "fig" && !fig.currentState.isUpToDate)
            let answer = TypedResource.loading { 6 * 7 }
            print(try await answer.value())
        }
        #expect(transport.lines == ["GET /fruits/fig", "GET /fruits?color=green", "POST /fruits"])
    }

    @Test func s16FakesAsTheyWereUsed() {
        print(text(of: .fake(Fruit(name: "fig", size: 3, color: "green"))))
        print(text(of: .fakeLoading()))
        print(text(of: .fakeFailure(.problem(GatewayProblem(.draining, status: 503)))))
        #expect(text(of: .fakeLoading()) == "loading")
    }
}
