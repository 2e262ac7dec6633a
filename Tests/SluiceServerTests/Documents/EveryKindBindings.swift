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
    var selfValue = true
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

    init(
        text: String = "",
        numbers: [Double] = [],
        more: [String: Decimal] = [:],
        open: String = "",
        either: JSONValue = .null,
        when: Double = 0,
        inner: AllInner = AllInner(),
        limited: Limited = 0,
        selfValue: Bool = true,
        type: AllType = .one,
        fooBar: Int = 0,
        fooBar2: Int = 0,
        other: Inner = Inner()
    ) {
        self.text = text
        self.numbers = numbers
        self.more = more
        self.open = open
        self.either = either
        self.when = when
        self.inner = inner
        self.limited = limited
        self.selfValue = selfValue
        self.type = type
        self.fooBar = fooBar
        self.fooBar2 = fooBar2
        self.other = other
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.text = try fields.decode(String.self, forKey: .text)
        self.numbers = try fields.decode([Double].self, forKey: .numbers)
        self.more = try fields.decode([String: Decimal].self, forKey: .more)
        self.open = try fields.decode(String.self, forKey: .open)
        self.either = try fields.decode(JSONValue.self, forKey: .either)
        self.when = try fields.decode(Double.self, forKey: .when)
        self.inner = try fields.decode(AllInner.self, forKey: .inner)
        self.limited = try fields.decode(Limited.self, forKey: .limited)
        self.selfValue = try fields.decodeIfPresent(Bool.self, forKey: .selfValue) ?? true
        self.type = try fields.decode(AllType.self, forKey: .type)
        self.fooBar = try fields.decode(Int.self, forKey: .fooBar)
        self.fooBar2 = try fields.decode(Int.self, forKey: .fooBar2)
        self.other = try fields.decode(Inner.self, forKey: .other)
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

struct Defaults: Codable, Sendable {
    /// 5 where the API leaves it out
    var count: Int? = 5
    /// "very sad" where the API leaves it out
    var mood: Mood = .verySad
    /// [1] where the API leaves it out
    var free: JSONValue = .array([.integer(1)])
    /// ["a"] where the API leaves it out
    var list: [String] = ["a"]
    /// nil where the API leaves it out, which means {"id":1}
    var seed: Inner?
    /// Int | String; 5 where the API leaves it out
    var either: JSONValue = .integer(5)
    /// 7 where the API leaves it out
    var later: Later = 7

    init(
        count: Int? = 5,
        mood: Mood = .verySad,
        free: JSONValue = .array([.integer(1)]),
        list: [String] = ["a"],
        seed: Inner? = nil,
        either: JSONValue = .integer(5),
        later: Later = 7
    ) {
        self.count = count
        self.mood = mood
        self.free = free
        self.list = list
        self.seed = seed
        self.either = either
        self.later = later
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.count = try fields.contains(.count) ? fields.decodeIfPresent(Int.self, forKey: .count) : 5
        self.mood = try fields.decodeIfPresent(Mood.self, forKey: .mood) ?? .verySad
        self.free = try fields.contains(.free) ? fields.decode(JSONValue.self, forKey: .free) : .array([.integer(1)])
        self.list = try fields.decodeIfPresent([String].self, forKey: .list) ?? ["a"]
        self.seed = try fields.decodeIfPresent(Inner.self, forKey: .seed)
        self.either = try fields.contains(.either) ? fields.decode(JSONValue.self, forKey: .either) : .integer(5)
        self.later = try fields.contains(.later) ? fields.decodeIfPresent(Later.self, forKey: .later) ?? nil : 7
    }
}

typealias Later = Int?

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
