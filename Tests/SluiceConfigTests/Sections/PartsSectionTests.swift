import SluiceContract
import Testing

@testable import SluiceConfig

@Suite struct PartsSectionTests {
    private static let types = """
        User: {id: Int, name: String, nick: "String?", city: String, badges: [String], friends: [Friend]}
        Friend: {id: Int}
        Post: {title: String}
        Badge: {code: String from badge_code, since: Date(seconds) -> Date}
        Profile: {name: String from user.name, badges: "[Badge]"}
        """
    private static let bindings = """
        GET /users/{id}: {to: "fruit /users/{id}", params: {id: Int}, value: User}
        GET /posts:
          to: fruit /posts
          params: {author: Int, limit: "Int?", tag: {type: red | green, default: red}}
          value: "[Post]"
        GET /badges/{badge}: {to: "fruit /badges/{badge}", params: {badge: String}, value: Badge}
        GET /weather/{city}: {to: "fruit /weather/{city}", params: {city: String}, value: Int}
        GET /mine: {to: fruit /mine, value: Int, cache: {private: true}}
        GET /guarded: {to: fruit /guarded, value: Int, allow: {uid: "1000"}}
        POST /orders: {to: fruit /orders, body: {item: Int}, value: {id: Int}}
        POST /done: {to: fruit /done, body: none}
        """

    private static func page(_ composed: String) -> Bench { fruit(bindings + "\n" + composed, types: types) }

    private static func profile(_ parts: String, _ rest: String = "", key: String = "GET /profile/{id}") -> Bench {
        let indented = parts.split(separator: "\n").map { "    \($0)\n" }.joined()
        return page("\(key):\n  params: {id: Int}\n  parts:\n\(indented)\(rest.isEmpty ? "" : "  \(rest)\n")")
    }

    private static let usual = """
        user: GET /users/{id}
        posts: GET /posts?author={user.id}&limit=20
        badges: {from: "GET /badges/{badge}", each: user.badges, as: badge, at-once: 4}
        weather: {from: "GET /weather/{user.city}", optional: true}
        """

    @Test func readsParts() throws {
        let bench = Self.profile(
            Self.usual,
            "value: {name: String from user.name, posts: '[Post]', badges: '[Badge]', weather: 'Int?'}")
        let configuration = bench.configuration()
        let binding = try #require(configuration.bindings.last)
        let parts = try #require(binding.composition?.parts)
        #expect(binding.upstream == Composition.upstreamName)
        #expect(parts.map(\.name) == ["user", "posts", "badges", "weather"])
        #expect(
            parts.map(\.description) == [
                "GET /users/{id}", "GET /posts?author={user.id}&limit=20", "GET /badges/{badge}",
                "GET /weather/{user.city}",
            ])
        #expect(parts[2].each?.description == "user.badges")
        #expect(parts[2].alias == "badge")
        #expect(parts.map(\.atOnce) == [8, 8, 4, 8])
        #expect(parts.map(\.isOptional) == [false, false, false, true])
        #expect(binding.timeout?.firstByte == binding.timeout?.total)
        #expect(Bench(Explain.yaml(configuration)).configuration() == configuration)
    }

    @Test func withoutAValueAllPartsAreTheAnswer() throws {
        let configuration = Self.profile(Self.usual).configuration()
        guard case .object(let object)? = configuration.bindings.last?.value else {
            Issue.record("no object")
            return
        }
        #expect(object.fields.map(\.name) == ["user", "posts", "badges", "weather"])
        #expect(object.fields.map { "\($0.type)" } == ["User", "[Post]", "[Badge]", "Int?"])
        #expect(Bench(Explain.yaml(configuration)).configuration() == configuration)
    }

    @Test(arguments: [
        "value: Profile", "value: {name: JSON from user.name}", "value: {nick: String? from user.nick}",
        "value: '[Post]', parent: posts", "value: {first: 'Int? from user.friends[0].id'}",
        "value: {ids: '[Int] from user.friends.*.id'}", "value: JSON", "cache: {fresh: 1m}",
    ])
    func takes(_ rest: String) {
        let bench = Self.profile(Self.usual, rest.replacing(", parent", with: "\n  parent"))
        #expect(bench.mistakes.isEmpty, "\(bench.mistakes)")
    }

    @Test(arguments: [
        ("user: GET /user/{id}", "nothing is bound to GET /user/{id} → GET /users/{id}"),
        ("user: GET", "'GET' is no request"),
        ("user: GET /users/{id", "has no '}'"),
        ("user: GET /users/{}", "names no value"),
        ("user: GET /posts?author", "is no parameter of a query"),
        ("id: GET /users/{id}", "'id' is a parameter, too"),
        ("request: GET /users/{id}", "'request' is the client's"),
        ("a b: GET /users/{id}", "cannot name a part"),
        ("a: GET /users/{b}\nb: GET /weather/{a.city}", "the parts wait for each other: a → b → a"),
        ("user: GET /profile/{id}", "the binding is made of itself"),
        ("user: GET /users/{id}\nposts: GET /posts?author={user.nmae}", "leads nowhere: there is no 'nmae' → name"),
        ("user: GET /users/{id}\nposts: GET /posts?author={user.name}", "is String, and Int is wanted as 'author'"),
        ("user: GET /users/{id}\nweather: GET /weather/{user.nick}", "may be absent, and String is wanted as 'city'"),
        ("user: GET /users/{id}\nweather: GET /weather/{user.badges}", "is [String], and no text as 'city'"),
        ("user: GET /users/{id}\nposts: GET /posts?author={usr.id}", "'usr' is no part and no parameter → user"),
        ("w: GET /weather/{city}", "'city' is no part and no parameter → add params: {city: String}"),
        ("posts: GET /posts?author={id}&limt=2", "has no parameter 'limt' in its query → limit"),
        ("posts: GET /posts?limit=2", "GET /posts needs its parameter 'author'"),
        ("posts: GET /posts?author={id}&limit=two", "'two' is no"),
        ("posts: GET /posts?author={id}&tag=blue", "'blue' is no"),
        ("user: HEAD /users/{id}", "nothing is bound to HEAD"),
        ("user: {from: \"GET /users/{id}\", as: x}", "'as' names an element of a list"),
        (
            "user: GET /users/{id}\nb: {from: \"GET /badges/{x}\", each: user.badges}", "an element has no name"
        ),
        (
            "user: GET /users/{id}\nb: {from: \"GET /badges/{x}\", each: user.city, as: x}", "'user.city' is no list"
        ),
        (
            "user: GET /users/{id}\nb: {from: GET /badges/a, each: user.badges, as: x}", "each request is the same"
        ),
        (
            "user: GET /users/{id}\nb: {from: \"GET /badges/{x}\", each: usr.badges, as: x}",
            "'usr' is no part → user"
        ),
        (
            "user: GET /users/{id}\nb: {from: \"GET /users/{x.name}\", each: user.friends, as: x}",
            "leads nowhere: there is no 'name'"
        ),
        (
            "user: GET /users/{id}\nb: {from: \"GET /badges/{x}\", each: user.badges, as: user}",
            "'user' means something else already"
        ),
        (
            "user: {from: \"GET /users/{id}\", optional: true}\nweather: GET /weather/{user.city}",
            "'weather' needs 'user', which may be missing"
        ),
        (
            "user: GET /users/{id}\nb: {from: \"GET /badges/{x}\", each: user.badges, as: x, at-once: 0}",
            "0 is out of range"
        ),
        (
            "user: GET /users/{id}\nb: {from: \"GET /badges/{x y}\", each: user.badges, as: x y}",
            "'x y' cannot name an element"
        ),
        ("order: POST /orders", "POST changes something, and GET may not"),
        ("user: {from: \"GET /users/{id}\", body: request}", "GET /users/{id} takes no body"),
    ])
    func refuses(_ parts: String, _ message: String) {
        let mistakes = Self.profile(parts).mistakes
        #expect(mistakes.contains { $0.contains(message) }, "\(mistakes)")
    }

    @Test(arguments: [
        ("value: {name: Int from user.name}", "'name' is String, and Int is wanted"),
        ("value: {nick: String from user.nick}", "'nick' may be absent, and String is wanted"),
        ("value: {weather: Int}", "'weather' may be absent, and Int is wanted"),
        ("value: {name: String from user.nmae}", "'name' leads nowhere: there is no 'nmae' → name"),
        ("value: {post: '[Post]'}", "'post' leads nowhere: there is no 'post' → posts"),
        ("value: {badges: '[Post]'}", "there is no 'title'"),
        ("value: {x: String from header X-Total}", "is read from a head"),
        ("retry: {on: connect}", "'retry' speaks of an upstream"),
        ("to: fruit /x", "either an upstream or parts"),
    ])
    func refusesTheWhole(_ rest: String, _ message: String) {
        let mistakes = Self.profile(Self.usual, rest).mistakes
        #expect(mistakes.contains { $0.contains(message) }, "\(mistakes)")
    }

    @Test(arguments: [
        ("mine: GET /mine", "cache: {fresh: 1m}", "each client has a 'mine' of its own"),
        ("guarded: GET /guarded", "cache: {fresh: 1m}", "'guarded' is not for everybody"),
        ("guarded: GET /guarded", "watch: true", "'guarded' is not for everybody, and is told to all who watch"),
    ])
    func refusesToStoreForAll(_ parts: String, _ rest: String, _ message: String) {
        let mistakes = Self.profile(parts, rest).mistakes
        #expect(mistakes.contains { $0.contains(message) }, "\(mistakes)")
        #expect(Self.profile(parts, "cache: {fresh: 1m, private: true}").mistakes == [])
    }

    /// What a part is made of counts as well, and a credential by client of its upstream.
    @Test(arguments: [
        ("GET /inner: {parts: {mine: GET /mine}}", "inner: GET /inner", "each client has a 'inner' of its own"),
        ("GET /inner: {parts: {one: GET /guarded}}", "inner: GET /inner", "'inner' is not for everybody"),
    ])
    func whatAPartIsMadeOfIsNotStoredForAll(_ inner: String, _ parts: String, _ message: String) {
        let bench = Self.page("\(inner)\nGET /outer:\n  parts: {\(parts)}\n  cache: {fresh: 1m}")
        #expect(bench.mistakes.contains { $0.contains(message) }, "\(bench.mistakes)")
    }

    /// A poll would write, or undo what it has been told itself, again and again.
    @Test(arguments: [
        "GET /outer:\n  parts: {a: GET /find}", "GET /outer:\n  parts: {a: GET /inner}",
        "ANY /outer:\n  parts: {a: POST /find}",
    ])
    func whatWritesIsNotWatched(_ outer: String) {
        let find = """
            GET /find: {to: fruit POST /find, value: Int}
            POST /find: {to: fruit /find, value: Int}
            GET /inner: {parts: {b: GET /find}, value: {b: Int}}
            """
        let value = "  value: {a: JSON from a}"
        let bench = Self.page("\(find)\n\(outer)\n\(value)\n  watch: true")
        #expect(bench.mistakes.contains { $0.contains("'a' would be asked again and again") }, "\(bench.mistakes)")
        #expect(Self.page("\(find)\n\(outer)\n\(value)").mistakes == [])
    }

    @Test func aCredentialByClientOfTheUpstreamIsSeen() throws {
        let page = """
            upstreams:
              fruit:
                url: https://fruit.example
                credential: {by: client, map: {ci: a}}
            clients: {ci: {key: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08}}
            credentials: {a: {bearer: {env: A}}}
            bindings:
              GET /one: {to: fruit /one, value: Int}
              GET /whole: {parts: {one: GET /one}, cache: {fresh: 1m}}
            """
        let mistakes = Bench(page, environment: ["A": "a"]).mistakes
        #expect(mistakes.contains { $0.contains("each client has a 'one' of its own") }, "\(mistakes)")
    }

    @Test func whatAStarFindsIsOneList() {
        let mistakes = Self.profile(
            "user: GET /users/{id}\nposts: {from: \"GET /posts?author={f}\", each: user.friends.*.id, as: f}"
        ).mistakes
        #expect(mistakes == [])
    }

    @Test func changesHaveBodies() {
        func mistakes(_ part: String, _ rest: String) -> [String] {
            Self.profile(part, rest, key: "POST /checkout/{id}").mistakes
        }
        #expect(mistakes("order: {from: POST /orders, body: request}", "body: {item: Int}") == [])
        #expect(mistakes("order: POST /orders", "").contains { $0.contains("POST /orders needs a body") })
        #expect(
            mistakes("order: {from: POST /orders, body: request}", "body: {item: String}").contains {
                $0.contains("'request.item' is String, and Int is wanted")
            })
        #expect(
            mistakes("done: {from: POST /done, body: request}", "body: {item: Int}").contains {
                $0.contains("POST /done takes no body")
            })
    }

    @Test func aBindingHasOneOfBoth() {
        #expect(Self.page("GET /x: {value: Int}").mistakes.contains { $0.contains("key 'to' is missing") })
    }

    @Test func manyPartsHaveALimit() {
        let parts = (0..<33).map { "p\($0): GET /users/{id}" }.joined(separator: "\n")
        #expect(Self.profile(parts).mistakes.contains { $0.contains("33 parts are more than 'limits.parts' takes") })
    }

    /// Who purges a part by its tag means what is made of it, too.
    @Test func whatIsMadeOfPartsHasTheirTags() {
        let bench = fruit(
            """
            GET /a: {to: fruit /a, value: Int, cache: {fresh: 1m, tags: [a, both]}}
            GET /b: {to: fruit /b, value: Int, cache: {fresh: 1m, tags: [both, b]}}
            GET /c: {parts: {a: GET /a, b: GET /b}, cache: {fresh: 1m, tags: [own, b]}}
            """)
        #expect(bench.configuration().bindings.last?.cache?.tags == ["own", "b", "a", "both"])
    }

    // MARK: - Renamed keys

    private static func renaming(_ rest: String, types: String = "User: {full_name: String, home: Place}") -> Bench {
        Bench(
            """
            upstreams:
              snake: {url: "https://snake.example", keys: camelCase}
              plain: {url: "https://plain.example"}
            types:
              \(types)
              Place: {zip_code: String}
            bindings:
              GET /users/{id}: {to: "snake /users/{id}", params: {id: Int}, value: User}
              POST /users: {to: snake /users, params: {full_name: String}, value: User}
              GET /zips/{zip}: {to: "plain /zips/{zip}", params: {zip: String}, value: {post_office: String}}
              \(rest)
            """)
    }

    /// Parts have the keys that clients get, however their types are written.
    @Test(arguments: [
        "GET /a: {parts: {user: GET /users/1, zip: 'GET /zips/{user.home.zipCode}'}}",
        "GET /a: {parts: {user: GET /users/1}, value: {zip: String from user.home.zipCode}}",
        "GET /a: {parts: {user: GET /users/1}, value: User, parent: user}",
        "GET /a: {parts: {zip: GET /zips/1}, value: {at: String from zip.post_office}}",
    ])
    func partsHaveTheKeysOfClients(_ binding: String) {
        let bench = Self.renaming(binding)
        #expect(bench.mistakes == [])
        let configuration = bench.configuration()
        #expect(Bench(Explain.yaml(configuration)).configuration() == configuration)
    }

    @Test(arguments: [
        ("value: {name: String from user.full_name}", "there is no 'full_name' → fullName"),
        ("value: {zip: String from user.home.zip_code}", "there is no 'zip_code' → zipCode"),
    ])
    func keysOfTheUpstreamAreNotThere(_ value: String, _ message: String) {
        let mistakes = Self.renaming("GET /a: {parts: {user: GET /users/1}, \(value)}").mistakes
        #expect(mistakes.contains { $0.contains(message) }, "\(mistakes)")
    }

    @Test func bodiesHaveTheKeysOfClients() {
        func mistakes(_ body: String) -> [String] {
            Self.renaming("POST /a: {body: \(body), parts: {user: {from: POST /users, body: request}}}").mistakes
        }
        #expect(mistakes("{fullName: String}") == [])
        #expect(mistakes("{full_name: String}").contains { $0.contains("there is no 'fullName' → full_name") })
    }

    /// What is made of both would have no type.
    @Test func aTypeWithTwoFormsIsNoTypeOfAPart() {
        let mistakes = Self.renaming(
            "GET /places: {to: plain /places, value: Place}\n  GET /a: {parts: {user: GET /users/1}}"
        ).mistakes
        #expect(
            mistakes.contains {
                $0.contains("'Place' has 'zipCode' from GET /users/{id}, and 'zip_code' from GET /places")
            }, "\(mistakes)")
        let other = Self.renaming(
            "GET /people: {to: plain /people, value: User}\n  GET /a: {parts: {user: GET /users/1}}",
            types: "User: {fullName: String}")
        #expect(other.mistakes == [])
    }

    /// What stands for an answer is as clients get it.
    @Test(arguments: [
        ("fixture: {value: {fullName: 12, home: {zipCode: 1}}}", ""),
        ("fixture: {value: {full_name: x, home: {zipCode: a}}}", "'fullName'"),
        ("fixture: {value: {fullName: x, home: {zip_code: a}}}", "'zipCode'"),
        ("default: {fullName: x, home: {zipCode: a}}", ""),
        ("default: {full_name: x, home: {zipCode: a}}", "'fullName'"),
    ])
    func whatStandsInHasTheKeysOfClients(_ rest: String, _ message: String) {
        let mistakes = Self.renaming("GET /a: {to: snake /a, value: User, \(rest)}").mistakes
        #expect(message.isEmpty ? mistakes == [] : mistakes.contains { $0.contains(message) }, "\(mistakes)")
    }

    @Test func aBindingMayKeepItsKeys() {
        let configuration = Self.renaming("GET /a: {to: snake /a, value: User, keys: verbatim}").configuration()
        #expect(configuration.bindings.map(\.keys) == [.camelCase, .camelCase, .verbatim, .verbatim])
    }
}
