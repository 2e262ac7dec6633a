import SluiceClient

struct Fruit: Codable, Sendable {
    var id: Int?
    var name: String
    var size: Int
    var color: String
}

struct Account: Codable, Sendable {
    var email: String
    var password: String
}

/// What the gateway binds, as properties: `$fruits` asks, `fruits` is the latest answer.
struct FruitStand: Bindings {
    @Rest(path: "fruits", params: ["limit": 10]) var fruits: [Fruit] = []
    @Rest(path: "fruits") var newFruit = Fruit(name: "", size: 0, color: "")
    @Rest(path: "signin", bearer: false) var account = Account(email: "", password: "")
}
