import SluiceContract
import Testing

@testable import SluiceGateway

/// What one answer may ask for and hold in all, with the answers that it is made of; and large lists and parts.
@Suite struct PartsBudgetTests {
    /// `GET /outer` asks for `GET /inner/{id}` for each element of a list, and each of those has two parts.
    private static func bench(
        _ elements: Int, atOnce: Int = 8, optional: Bool = false, _ edit: (inout Configuration) throws -> Void
    ) throws -> ComposedBench {
        var bindings = try ComposedBench.bindings()
        bindings += [
            try Build.binding("GET /lists", to: "fruit /lists", value: "JSON"),
            try ComposedBench.composed(
                "GET /inner/{id}", ["posts": "GET /posts?author={id}", "weather": "GET /weather/Bonn"],
                value: "{weather: Int}"),
            try ComposedBench.composed(
                "GET /outer",
                [
                    "list": "GET /lists",
                    "inners": "GET /inner/{x} each list as x at-once \(atOnce)\(optional ? " optional" : "")",
                ],
                value: "{inners: JSON}"),
        ]
        var configuration = Build.configuration(bindings, types: try ComposedBench.types())
        try edit(&configuration)
        let bench = try ComposedBench(configuration)
        bench.answers["/v1/lists"] = "[\((0..<elements).map(String.init).joined(separator: ","))]"
        bench.answers["/v1/weather/Bonn"] = "21"
        for index in 0..<elements { bench.answers["/v1/posts?author=\(index)"] = "[]" }
        return bench
    }

    private static func whole(_ elements: Int) -> String {
        #"{"inners":[\#(Array(repeating: #"{"weather":21}"#, count: elements).joined(separator: ","))]}"#
    }

    /// One list, five answers for its elements, and two parts of each.
    @Test(arguments: [(16, true), (15, false), (1, false)])
    func requestsOfAllAreCounted(_ most: Int, _ isEnough: Bool) throws {
        let bench = try Self.bench(5) { $0.limits.partRequests = most }
        let answer = try bench.get("/outer")
        if isEnough {
            #expect(answer.text == Self.whole(5))
        } else {
            #expect(answer.status == 502)
            #expect(answer.text.contains("limits.part-requests"))
            #expect(answer.text.contains(#""part":"inners"#))
        }
        bench.bench.expectQuiet()
    }

    /// What may be missing is no way around it.
    @Test func whatMayBeMissingCountsAsWell() throws {
        let bench = try Self.bench(50, atOnce: 1, optional: true) { $0.limits.partRequests = 20 }
        #expect(try bench.get("/outer").text.contains("limits.part-requests"))
        #expect(bench.asked.count <= 20)
        bench.bench.expectQuiet()
    }

    /// An answer that was too much for one whole is not refused to those who ask for it alone.
    @Test func whatWasTooMuchForOneIsNotForOthers() throws {
        let bench = try Self.bench(5, atOnce: 1) {
            $0.limits.partRequests = 3
            $0.bindings[$0.bindings.count - 2].cache = CachePolicy()
            $0.bindings[$0.bindings.count - 2].cache?.fresh = .seconds(60)
            $0.bindings[$0.bindings.count - 2].cache?.retryAfterError = .seconds(60)
        }
        #expect(try bench.get("/outer").text.contains("limits.part-requests"))
        #expect(try bench.get("/inner/0").text == #"{"weather":21}"#)
        bench.bench.expectQuiet()
    }

    /// Eight hold too much at a time, each of them and one after the other do not.
    @Test(arguments: [(8, false), (1, true)])
    func whatAllHoldIsCounted(_ atOnce: Int, _ isEnough: Bool) throws {
        let bench = try Self.bench(8, atOnce: atOnce) { $0.limits.partsBytes = 4000 }
        for index in 0..<8 {
            bench.answers["/v1/posts?author=\(index)"] = #"[{"title":"\#(String(repeating: "x", count: 1000))"}]"#
        }
        let client = bench.bench.client()
        client.request("GET", "/outer")
        bench.answerOnce { $0 == "/v1/lists" }
        // All hold their posts before any is whole.
        while bench.answerOnce({ $0.contains("posts") }) {}
        bench.answerAll()
        let answer = try #require(client.answers.first)
        #expect(isEnough ? answer.text == Self.whole(8) : answer.text.contains("limits.parts-size"))
        client.reset()
        bench.bench.expectQuiet()
    }

    /// Three answers are there at once, of which two elements take the first. Wherever the room for them ends, no
    /// exchange of a part is left behind.
    @Test(arguments: Array(stride(from: 60, through: 260, by: 10)))
    func noPartIsLeftWhereTheRoomEnds(_ most: Int) throws {
        var configuration = Build.configuration(
            try ComposedBench.bindings() + [
                try ComposedBench.composed(
                    "GET /profile/{id}",
                    [
                        "user": "GET /users/{id}",
                        "badges": "GET /badges/{badge} each user.badges as badge at-once 4",
                    ], value: "{badges: [Badge]}")
            ],
            types: try ComposedBench.types())
        configuration.limits.partsBytes = most
        configuration.bindings[2].cache = CachePolicy()
        configuration.bindings[2].cache?.fresh = .seconds(60)
        let bench = try ComposedBench(configuration)
        bench.know(badges: ["a", "a", "b", "c"])
        for badge in ["a", "b", "c"] { #expect(try bench.get("/badges/\(badge)").status == 200) }
        let answer = try bench.get()
        #expect(answer.status == 200 || answer.text.contains("limits.parts-size"))
        bench.bench.expectQuiet()
    }

    // MARK: - Large ones

    @Test func thousandElementsKeepTheirOrder() throws {
        let bench = try ComposedBench(CompositionTests.profile, value: CompositionTests.value)
        let badges = (0..<1000).map { "b\($0)" }
        bench.know(badges: badges)
        let client = bench.bench.client()
        client.request("GET", "/profile/7")
        bench.answerOnce()
        var most = 0
        // The one that was asked first is answered last, as long as another is there.
        while let last = bench.open.last {
            most = max(most, bench.open.count { $0.target.contains("badges") })
            bench.answerOnce { $0 == last.target }
        }
        #expect(most == 2)
        let codes = (client.answers.first?.text ?? "").split(separator: "\"code\":\"").dropFirst()
        #expect(codes.map { String($0.prefix { $0 != "\"" }) } == badges)
        #expect(Set(bench.asked.filter { $0.contains("badges") }).count == 1000)
        client.reset()
        bench.bench.expectQuiet()
    }

    /// A large part goes through the loop in pieces, each in a turn of its own, though little of it goes out.
    @Test func aLargePartTakesManyTurns() throws {
        let bench = try ComposedBench(
            ["user": "GET /users/{id}", "posts": "GET /posts?author={id}"], value: "{name: String from user.name}")
        bench.know()
        let title = String(repeating: "x", count: 1 << 16)
        bench.answers["/v1/posts?author=7"] =
            "[\(Array(repeating: #"{"title":"\#(title)"}"#, count: 128).joined(separator: ","))]"
        func turns(_ target: String) throws -> Int {
            let before = bench.bench.gateway.loop.coding.turn
            #expect(try bench.get(target).status == 200)
            return bench.bench.gateway.loop.coding.turn - before
        }
        // The upstream's bytes arrive in as many turns either way.
        let direct = try turns("/posts?author=7")
        #expect(try turns("/profile/7") - direct >= (8 << 20) / (256 << 10))
        bench.bench.expectQuiet()
    }
}
