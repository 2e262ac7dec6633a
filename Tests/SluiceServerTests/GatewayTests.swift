import SluiceClient
import SluiceConfig
import SluiceContract
import SluiceServer
import Testing

@Suite struct GatewayTests {
    struct Fruit: Codable, Sendable, Equatable {
        var name: String
        var size: Int
        var color: Color
        var ripe: Bool?

        enum Color: String, Codable, Sendable, CaseIterable {
            case red, green, yellow
        }
    }

    struct Fruits: ParentCodable {
        var values: [Fruit] = []

        static func wrap(child: [Fruit]) -> Fruits { Fruits(values: child) }
    }

    struct Account: Codable, Sendable {
        var email: String
        var password: String
    }

    struct FruitStand: Bindings {
        @Rest(path: "fruits", params: ["limit": 10], parent: Fruits.self, prop: \.values) var fruits: [Fruit] = []
        @Rest(path: "fruitoftheday") var today = Fruit(name: "strawberry", size: 3, color: .red)
        @Rest(path: "signin", bearer: false) var account = Account(email: "", password: "")
    }

    @Test func propertiesBecomeAPage() throws {
        let gateway = Gateway(
            FruitStand(), upstream: "https://fruit.example/v1", bearer: .environment("FRUIT_TOKEN"))
        print(try gateway.yaml())
        print(gateway.warnings)
    }
}
