// Made of sluice.yaml by 'sluice export swift'.
import Foundation
import SluiceClient

enum Mood: String, Codable, Sendable, CaseIterable {
    case happy
    case verySad = "very sad"
    case `in`
}

/// Int(1...5)
typealias Limited = Int

final class Node: Codable, Sendable {
    let next: Node?
    let value: Int
    let strangeKey: URL
    let mood: Mood

    enum CodingKeys: String, CodingKey {
        case next
        case value
        case strangeKey = "strange-key"
        case mood
    }

    init(next: Node? = nil, value: Int = 0, strangeKey: URL = URL(filePath: "/"), mood: Mood = .happy) {
        self.next = next
        self.value = value
        self.strangeKey = strangeKey
        self.mood = mood
    }
}

struct All: Codable, Sendable {
    var text = ""
    var numbers: [Double] = []
    var more: [String: Decimal] = [:]
    /// one | two | …
    var open = ""
    /// String | Int
    var either: JSONValue = .null
    /// Date(seconds)
    var when: Double = 0
    var inner = AllInner()
    var limited: Limited = 0
    /// true where the API leaves it out
    var selfValue = false
    var type: AllType = .one
    var fooBar = 0
    var fooBar2 = 0
    var other = Inner()

    enum CodingKeys: String, CodingKey {
        case text
        case numbers
        case more
        case open
        case either
        case when
        case inner
        case limited
        case selfValue = "self"
        case type
        case fooBar = "foo-bar"
        case fooBar2 = "fooBar"
        case other
    }

    struct AllInner: Codable, Sendable {
        var name = ""
        var type: UUID?
    }

    enum AllType: String, Codable, Sendable, CaseIterable {
        case one
        case two
    }
}

struct Inner: Codable, Sendable {
    var id = 0
}

struct AnyValue: Codable, Sendable {
    var id = 0
}

typealias Colors = [ColorsElement]
enum ColorsElement: String, Codable, Sendable, CaseIterable {
    case red
    case green
}

struct ShapeCircle: Codable, Sendable {
    var r: Double = 0
}

struct ShapeCircleValue: Codable, Sendable {
    var r: Double = 0
}

struct User: Codable, Sendable {
    var login = ""
}

/// What the gateway has of 'api'. It takes values out of their parents itself: clients are
/// `GatewayClient(…).with(parents: .gateway)`.
struct ApiBindings: Bindings {
    struct AllParent: ParentCodable {
        var data: DataValue

        struct DataValue: Codable, Sendable {
            var all: All
        }

        static func wrap(child: All) -> AllParent { AllParent(data: DataValue(all: child)) }
    }

    @Rest(path: "all", methods: [.get], parent: AllParent.self, prop: \.data.all)
    var all = All()

    /// The gateway asks for /v2/nodes/{id}.
    @Rest(path: "nodes/{id}", methods: [.get, .put])
    var nodesById = Node()

    /// Only the gateway knows: the value of key, the parameter q: String?, cache.
    @Rest(path: "any", methods: [.get])
    var any = AnyValue()

    @Rest(path: "shapes", methods: [.get])
    var shapes: [ShapeCircleValue] = []

    struct FollowersParent: ParentCodable {
        var user: UserValue

        struct UserValue: Codable, Sendable {
            var followers: Followers

            struct Followers: Codable, Sendable {
                var user: UserValue2

                struct UserValue2: Codable, Sendable {
                    var nodes: [User]
                }
            }
        }

        static func wrap(child: [User]) -> FollowersParent {
            FollowersParent(
                user: UserValue(followers: UserValue.Followers(user: UserValue.Followers.UserValue2(nodes: child)))
            )
        }
    }

    @Rest(path: "followers", methods: [.get], parent: FollowersParent.self, prop: \.user.followers.user.nodes)
    var followers: [User] = []

    struct StringsParent: ParentCodable {
        var string: StringValue

        struct StringValue: Codable, Sendable {
            var type: TypeValue

            struct TypeValue: Codable, Sendable {
                var `default`: [String]
            }
        }

        static func wrap(child: [String]) -> StringsParent {
            StringsParent(string: StringValue(type: StringValue.TypeValue(default: child)))
        }
    }

    @Rest(path: "strings", methods: [.get], parent: StringsParent.self, prop: \.string.type.`default`)
    var strings: [String] = []

    // POST /other: sends one type and gets another: make it a typed request
    // POST /form: sends no JSON: make it a typed request
    // GET /free: has no type: it passes as it is
}
