import SluiceClient
import Testing

/// The examples of ComingFromRestfulPropertyKit.md.
@Suite struct ComingFromRestfulPropertyKitTests {
    struct FruitStand: Bindings {
        @Rest(path: "fruitoftheday") var fruit: Fruit = Fruit(name: "strawberry", size: 3, color: "red")
        @Rest(path: "fruits", params: ["limit": 10], parent: Fruits.self, prop: \.values) var fruits: [Fruit] = []
        @Rest(path: "signin", bearer: false) var account: Account = Account(email: "", password: "")
    }

    func appear(_ stand: FruitStand) {
        stand.$fruit>?.success { print(stand.fruit.name) }
        (stand.$account<! ->> stand.$fruits>?).sink { print($0.count) }
    }

    @Test func r3AsItWasWritten() async throws {
        let transport = ScriptedTransport { request in
            let fig = #"{"name":"fig","size":1,"color":"green"}"#
            return .json(request.target.hasPrefix("/fruits?") ? #"{"values":[\#(fig)]}"# : fig)
        }
        try await GatewayClient.withClient(GatewayClient(transport: transport)) {
            let stand = FruitStand()
            try await stand.$fruit>?
            stand.$account.email = "me@fruit.example"
            try await stand.$account<!
            try await stand.$fruit <- Fruit(name: "fig", size: 1, color: "green")
            let three = try await (stand.$fruits ++ ["limit": 3])>?
            #expect(stand.$fruit.name == "fig" && three.count == 1)
            appear(stand)
            for await state in stand.$fruits.states where state.value.count == 1 && !state.isRequesting { break }
        }
        #expect(
            transport.lines.prefix(4) == [
                "GET /fruitoftheday", "POST /signin", "POST /fruitoftheday", "GET /fruits?limit=3",
            ])
    }
}
