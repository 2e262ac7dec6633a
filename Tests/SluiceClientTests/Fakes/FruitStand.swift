import SluiceClient

struct Fruit: Codable, Equatable {
    var name: String
    var size: Int
    var color: String
}

struct Fruits: ParentCodable {
    var values: [Fruit] = []

    static func wrap(child: [Fruit]) -> Self {
        Fruits(values: child)
    }
}

struct Account: Codable, Equatable {
    var email: String
    var password: String
}

struct FruitStand: Bindings {
    @Rest(path: "fruits", params: ["limit": 10], parent: Fruits.self, prop: \.values) var fruits: [Fruit] = []
    @Rest(path: "fruitoftheday") var today = Fruit(name: "strawberry", size: 3, color: "red")
    @Rest(path: "signin", bearer: false) var account = Account(email: "", password: "")

    /// A stand whose gateway is a closure.
    static func asking(_ transport: ScriptedTransport) -> FruitStand {
        FruitStand().use(GatewayClient(transport: transport))
    }
}
