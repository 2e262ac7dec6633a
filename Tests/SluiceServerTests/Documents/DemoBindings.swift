// Made of sluice.yaml by 'sluice export swift'.
import Foundation
import SluiceClient

struct Fruit: Codable, Sendable {
    var name = ""
    var size = 0
    var color: Color = .red
    /// true where the API leaves it out
    var ripe = true
    var picked: Date?

    init(name: String = "", size: Int = 0, color: Color = .red, ripe: Bool = true, picked: Date? = nil) {
        self.name = name
        self.size = size
        self.color = color
        self.ripe = ripe
        self.picked = picked
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.name = try fields.decode(String.self, forKey: .name)
        self.size = try fields.decode(Int.self, forKey: .size)
        self.color = try fields.decode(Color.self, forKey: .color)
        self.ripe = try fields.decodeIfPresent(Bool.self, forKey: .ripe) ?? true
        self.picked = try fields.decodeIfPresent(Date.self, forKey: .picked)
    }

    enum Color: String, Codable, Sendable, CaseIterable {
        case red
        case green
        case yellow
    }
}

/// What the gateway has of 'fruit'. It takes values out of their parents itself: clients are
/// `GatewayClient(…).with(parents: .gateway)`.
struct FruitBindings: Bindings {
    struct FruitsParent: ParentCodable {
        var values: [Fruit]

        static func wrap(child: [Fruit]) -> FruitsParent { FruitsParent(values: child) }
    }

    /// Only the gateway knows: the parameter colors: [String], cache.
    @Rest(path: "fruits", params: ["limit": 10], methods: [.get], parent: FruitsParent.self, prop: \.values)
    var fruits: [Fruit] = []

    @Rest(path: "fruits/{id}", params: ["id": 1], methods: [.get, .delete])
    var fruitsById = Fruit()

    struct PostFruitsParent: ParentCodable {
        var fruit: Fruit

        static func wrap(child: Fruit) -> PostFruitsParent { PostFruitsParent(fruit: child) }
    }

    @Rest(path: "fruits", methods: [.post], parent: PostFruitsParent.self, prop: \.fruit)
    var postFruits = Fruit()

    struct SigninValue: Codable, Sendable {
        var email = ""
        var password = ""
    }

    @Rest(path: "signin", bearer: false, methods: [.post])
    var signin = SigninValue()

    struct BrokenByKindParent: ParentCodable {
        var values: [Fruit]

        static func wrap(child: [Fruit]) -> BrokenByKindParent { BrokenByKindParent(values: child) }
    }

    @Rest(
        path: "broken/{kind}",
        params: ["kind": "truncated"],
        methods: [.get],
        parent: BrokenByKindParent.self, prop: \.values
    )
    var brokenByKind: [Fruit] = []

    // ANY /raw/**: passes whatever is below it
}
