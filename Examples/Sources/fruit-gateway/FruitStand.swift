import SluiceClient

struct Fruit: Codable, Sendable {
    var name: String
    var size: Int
    var color: Color
    var ripe: Bool?

    enum Color: String, Codable, Sendable, CaseIterable { case red, green, yellow }
}

struct Fruits: ParentCodable {
    var values: [Fruit] = []

    static func wrap(child: [Fruit]) -> Fruits { Fruits(values: child) }
}

/// What the API has, as the programs beside the gateway ask for it.
struct FruitStand: Bindings {
    @Rest(path: "fruits", params: ["limit": 10], methods: [.get], parent: Fruits.self, prop: \.values)
    var fruits: [Fruit] = []
    @Rest(path: "fruits/{id}", params: ["id": 1], methods: [.get, .delete])
    var fruit = Fruit(name: "", size: 0, color: .red)
}
