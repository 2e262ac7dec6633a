import SluiceContract
import Testing

@testable import SluiceGateway

/// A stored whole goes with what is stored of its parts (RFC 9111 §4.4, RFC 9875), and with what would be.
@Suite struct CompositionInvalidationTests {
    /// - Parameters:
    ///   - isStored: whether parts are stored as well.
    ///   - isNested: whether a whole is made of the whole, which is stored then.
    private static func bench(isStored: Bool = false, isNested: Bool = false) throws -> ComposedBench {
        let bench = try ComposedBench(
            ["user": "GET /users/{id}", "weather": "GET /weather/{user.city}"],
            value: "{name: String from user.name, weather: Int}"
        ) { bindings in
            var policy = CachePolicy()
            policy.fresh = .seconds(60)
            if isStored { for index in [0, 3] { bindings[index].cache = policy } }
            if isNested {
                bindings.append(
                    try ComposedBench.composed(
                        "GET /outer/{id}", ["inner": "GET /profile/{id}"],
                        value: "{name: String from inner.name, weather: Int from inner.weather}"))
            }
            if isStored || !isNested { bindings[6].cache = policy }
            bindings[bindings.count - 1].cache = policy
            bindings.insert(
                try Build.binding("PUT /users/{id}", to: "fruit /users/{id}") {
                    $0.parameters = [try Build.parameter("id", "Int", in: .path)]
                }, at: 0)
        }
        bench.know()
        return bench
    }

    private static func change(_ bench: ComposedBench, _ target: String, _ fields: String = "") throws {
        let upstream = "/v1\(target)"
        if bench.answers[upstream] == nil { bench.answers[upstream] = "{}" }
        bench.ownFields[upstream] = fields
        let client = bench.bench.client()
        client.request("PUT", target, type: "application/json", body: "{}")
        bench.answerOnce { $0 == upstream }
        bench.ownFields[upstream] = nil
        #expect(client.answers.first?.status == 200)
        client.reset()
    }

    @Test(arguments: [(false, false), (true, false), (false, true), (true, true)])
    func aChangeOfAPartIsOneOfTheWhole(_ isStored: Bool, _ isNested: Bool) throws {
        let bench = try Self.bench(isStored: isStored, isNested: isNested)
        let target = isNested ? "/outer/7" : "/profile/7"
        for _ in 0..<2 { #expect(try bench.get(target).text == #"{"name":"Ada","weather":21}"#) }
        #expect(bench.asked.count == 2)
        try Self.change(bench, "/users/8")
        #expect(try bench.get(target).text == #"{"name":"Ada","weather":21}"#)
        #expect(bench.asked.count == 3, "and the change is one of them")
        try Self.change(bench, "/users/7")
        bench.answers["/v1/users/7"] = ComposedBench.user.replacing("Ada", with: "Eve")
        #expect(try bench.get(target).text == #"{"name":"Eve","weather":21}"#)
        bench.bench.expectQuiet()
    }

    /// A whole of parts that have been stored before it depends on the same.
    @Test func aStoredPartIsAPartAsWell() throws {
        let bench = try Self.bench(isStored: true)
        _ = try bench.get("/users/7")
        _ = try bench.get()
        try Self.change(bench, "/users/7")
        bench.answers["/v1/users/7"] = ComposedBench.user.replacing("Ada", with: "Eve")
        #expect(try bench.get().text == #"{"name":"Eve","weather":21}"#)
    }

    @Test(arguments: [false, true])
    func groupsOfPartsAreGroupsOfTheWhole(_ isStored: Bool) throws {
        let bench = try Self.bench(isStored: isStored)
        bench.ownFields["/v1/weather/Bonn"] = "Cache-Groups: \"air\"\r\n"
        _ = try bench.get()
        try Self.change(bench, "/users/8", "Cache-Group-Invalidation: \"air\"\r\n")
        bench.answers["/v1/weather/Bonn"] = "22"
        #expect(try bench.get().text == #"{"name":"Ada","weather":22}"#)
    }

    /// An error that is kept of the whole depends on the same.
    @Test func aChangeOfAPartEndsAnError() throws {
        let bench = try ComposedBench(["user": "GET /users/{id}"], value: "{name: String from user.name}") { bindings in
            bindings[6].cache = CachePolicy()
            bindings[6].cache?.retryAfterError = .seconds(60)
            bindings.insert(
                try Build.binding("PUT /users/{id}", to: "fruit /users/{id}") {
                    $0.parameters = [try Build.parameter("id", "Int", in: .path)]
                }, at: 0)
        }
        bench.answers["/v1/users/7"] = "503 x"
        #expect(try bench.get().status >= 500)
        bench.know()
        #expect(try bench.get().status >= 500)
        try Self.change(bench, "/users/7")
        bench.know()
        #expect(try bench.get().text == #"{"name":"Ada"}"#)
    }

    /// What parts' upstreams are shown makes the key of the whole, too.
    @Test func anotherTokenFindsNothingOfBefore() throws {
        var bindings = try ComposedBench.bindings()
        var policy = CachePolicy()
        policy.fresh = .seconds(60)
        bindings.append(
            try ComposedBench.composed(
                "GET /inner/{id}", ["user": "GET /users/{id}"], value: "{name: String from user.name}"))
        bindings.append(
            try ComposedBench.composed(
                "GET /profile/{id}", ["inner": "GET /inner/{id}"], value: "{name: String from inner.name}"))
        bindings[bindings.count - 1].cache = policy
        let configuration = try Build.configuration(
            bindings, upstreams: [Build.upstream { $0.bearer = .value("x") }], types: ComposedBench.types()
        ) { $0.hosts = .any }
        let bench = try ComposedBench(configuration, credentials: ["fruit": "first-token-of-all"])
        bench.know()
        for _ in 0..<2 { #expect(try bench.get().text == #"{"name":"Ada"}"#) }
        #expect(bench.asked.count == 1)
        bench.bench.vaults["bearer of fruit"]?.set(.init(Array("another-token-altogether".utf8)))
        bench.answers["/v1/users/7"] = ComposedBench.user.replacing("Ada", with: "Eve")
        #expect(try bench.get().text == #"{"name":"Eve"}"#)
    }

    /// What changes while parts are asked for is not taken for the new.
    @Test func aChangeInBetweenIsSeen() throws {
        let bench = try Self.bench()
        let client = bench.bench.client()
        client.request("GET", "/profile/7")
        bench.answerOnce { $0.contains("users") }
        #expect(bench.open.map(\.target) == ["/v1/weather/Bonn"])
        try Self.change(bench, "/users/7")
        bench.answerAll()
        #expect(client.answers.first?.status == 200)
        bench.answers["/v1/users/7"] = ComposedBench.user.replacing("Ada", with: "Eve")
        #expect(try bench.get().text == #"{"name":"Eve","weather":21}"#)
        client.reset()
    }
}
