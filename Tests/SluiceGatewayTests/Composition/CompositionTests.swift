import SluiceContract
import Testing

@testable import SluiceGateway

/// Bindings that are made of others: what is asked, when, and what comes of it.
@Suite struct CompositionTests {
    static let profile: KeyValuePairs = [
        "user": "GET /users/{id}", "posts": "GET /posts?author={user.id}&limit=20",
        "badges": "GET /badges/{badge} each user.badges as badge at-once 2",
        "weather": "GET /weather/{user.city} optional",
    ]
    static let value = "{name: String from user.name, posts: [Post], badges: [Badge], weather: Int?}"

    private static func bench() throws -> ComposedBench {
        let bench = try ComposedBench(profile, value: value)
        bench.know()
        return bench
    }

    @Test func aProfileIsMadeOfItsParts() throws {
        let bench = try Self.bench()
        let answer = try bench.get()
        #expect(answer.status == 200)
        #expect(answer["Content-Type"] == "application/json")
        #expect(
            answer.text
                == #"{"name":"Ada","posts":[{"title":"one"}],"badges":[{"code":"a","since":"1970-01-01T00:00:00Z"},"#
                + #"{"code":"b","since":"1970-01-01T00:00:00Z"},{"code":"c","since":"1970-01-01T00:00:00Z"}],"#
                + #""weather":21}"#)
        #expect(bench.asked.first == "/v1/users/7")
        #expect(bench.asked.count == 6)
        bench.bench.expectQuiet()
    }

    @Test func whatNeedsNothingIsAskedAtOnce() throws {
        let bench = try ComposedBench(
            ["user": "GET /users/{id}", "posts": "GET /posts?author={id}", "weather": "GET /weather/Bonn"],
            value: "{user: JSON, posts: [Post], weather: Int}")
        let client = bench.bench.client()
        client.request("GET", "/profile/7")
        #expect(bench.open.map(\.target).sorted() == ["/v1/posts?author=7", "/v1/users/7", "/v1/weather/Bonn"])
        bench.know()
        bench.answers["/v1/posts?author=7"] = "[]"
        bench.answerAll()
        #expect(client.answers.first?.text == #"{"user":\#(ComposedBench.user),"posts":[],"weather":21}"#)
        client.reset()
        bench.bench.expectQuiet()
    }

    @Test(arguments: [0, 1, 2, 3, 9])
    func eachElementIsAskedForInItsPlace(_ count: Int) throws {
        let bench = try Self.bench()
        let badges = (0..<count).map { "b\($0)" }
        bench.know(badges: badges)
        let client = bench.bench.client()
        client.request("GET", "/profile/7")
        bench.answerOnce()
        var most = 0
        // The last one that was asked is answered first.
        while let last = bench.open.last(where: { $0.target.contains("badges") }) {
            most = max(most, bench.open.count { $0.target.contains("badges") })
            bench.answerOnce { $0 == last.target }
        }
        #expect(most == min(2, count))
        bench.answerAll()
        let codes = (client.answers.first?.text ?? "").split(separator: "\"code\":\"").dropFirst().map {
            $0.prefix { $0 != "\"" }
        }
        #expect(codes.map(String.init) == badges)
        client.reset()
        bench.bench.expectQuiet()
    }

    @Test func theSameIsAskedOnce() throws {
        let bench = try Self.bench()
        bench.know(badges: ["a", "a", "b", "a"])
        let answer = try bench.get()
        #expect(answer.text.contains(#""badges":[{"code":"a""#))
        #expect(bench.asked.filter { $0.contains("badges") }.sorted() == ["/v1/badges/a", "/v1/badges/b"])
    }

    @Test func anOptionalPartMayFail() throws {
        let bench = try Self.bench()
        bench.answers["/v1/weather/Bonn"] = "500 broken"
        let answer = try bench.get()
        #expect(answer.status == 200)
        #expect(answer.text.hasSuffix(#""weather":null}"#))
        // It may be there next time.
        #expect(answer["Cache-Control"] == "no-store")
        bench.bench.expectQuiet()
    }

    @Test(arguments: [
        ("/v1/users/7", "404 gone", "upstream-error", 404, "user"),
        ("/v1/posts?author=7&limit=20", #"[{"title":1}]"#, "type-mismatch", 502, "posts"),
        ("/v1/badges/b", "503 busy", "upstream-error", 503, "badges[1]"),
    ])
    func aFailureNamesItsPart(_ target: String, _ body: String, _ kind: String, _ status: Int, _ part: String) throws {
        let bench = try Self.bench()
        bench.answers[target] = body
        let answer = try bench.get()
        #expect(answer.status == status)
        #expect(answer.text.contains(#""type":"urn:sluice:problem:\#(kind)""#))
        #expect(answer.text.contains(#""part":"\#(part)""#))
        #expect(answer.text.contains(#""upstream":"fruit""#))
        bench.bench.expectQuiet()
    }

    @Test func whatIsStillUnderWayIsGivenUp() throws {
        let bench = try Self.bench()
        let client = bench.bench.client()
        client.request("GET", "/profile/7")
        bench.answerOnce()
        #expect(bench.open.count == 4)
        bench.answers["/v1/posts?author=7&limit=20"] = "500 broken"
        bench.answerOnce { $0.contains("posts") }
        #expect(client.answers.first?.status == 500)
        #expect(bench.bench.gateway.counters.exchangesOpen == 0)
        client.reset()
        bench.bench.expectQuiet()
    }

    @Test func aClientMayLeaveAtAnyTime() throws {
        for answered in 0...6 {
            let bench = try Self.bench()
            let client = bench.bench.client()
            client.request("GET", "/profile/7")
            for _ in 0..<answered {
                guard let first = bench.open.first else { break }
                bench.answerOnce { $0 == first.target }
            }
            client.reset()
            bench.bench.expectQuiet()
        }
    }

    @Test func theTimeOfTheWholeBoundsItsParts() throws {
        let bench = try ComposedBench(Self.profile, value: Self.value) { bindings in
            bindings[bindings.count - 1].timeout?.total = .seconds(3)
            bindings[bindings.count - 1].timeout?.firstByte = .seconds(3)
        }
        bench.know()
        let client = bench.bench.client()
        client.request("GET", "/profile/7")
        bench.answerOnce()
        bench.answerOnce { $0.contains("badges") }
        bench.bench.advance(by: .milliseconds(3010))
        let answer = try #require(client.answers.first)
        #expect(answer.status == 504)
        #expect(answer.text.contains(#""part":"posts, badges, weather""#))
        #expect(answer.text.contains("The parts took longer than 3 s in all."))
        #expect(!answer.text.contains(Composition.upstreamName))
        client.reset()
        bench.bench.expectQuiet()
    }

    @Test func aPartHasItsOwnTime() throws {
        let bench = try ComposedBench(Self.profile, value: Self.value) { $0[3].timeout = UpstreamTimeouts() }
        bench.know()
        let client = bench.bench.client()
        client.request("GET", "/profile/7")
        bench.answerOnce()
        bench.answerOnce { !$0.contains("weather") }
        bench.answerOnce { !$0.contains("weather") }
        bench.bench.advance(by: UpstreamTimeouts().firstByte + .milliseconds(10))
        #expect(client.answers.first?.text.hasSuffix(#""weather":null}"#) == true)
        client.reset()
        bench.bench.expectQuiet()
    }

    @Test func whatThePartsHoldHasALimit() throws {
        var configuration = Build.configuration(
            try ComposedBench.bindings() + [
                try ComposedBench.composed("GET /profile/{id}", Self.profile, value: Self.value)
            ],
            types: try ComposedBench.types())
        configuration.limits.partsBytes = 100
        let bench = try ComposedBench(configuration)
        bench.know()
        let answer = try bench.get()
        #expect(answer.status == 502)
        #expect(answer.text.contains("limits.parts-size"))
        bench.bench.expectQuiet()
    }

    @Test func aListHasALimit() throws {
        var configuration = Build.configuration(
            try ComposedBench.bindings() + [
                try ComposedBench.composed("GET /profile/{id}", Self.profile, value: Self.value)
            ],
            types: try ComposedBench.types())
        configuration.limits.partElements = 2
        let bench = try ComposedBench(configuration)
        bench.know()
        #expect(try bench.get().text.contains("limits.part-elements"))
        bench.know(badges: ["a", "b"])
        #expect(try bench.get().status == 200)
        bench.bench.expectQuiet()
    }

    @Test func headAnswersLikeGet() throws {
        let bench = try Self.bench()
        let client = bench.bench.client()
        client.request("HEAD", "/profile/7")
        bench.answerAll()
        #expect(client.answers.first?.status == 200)
        #expect(Int(client.answers.first?["Content-Length"] ?? "") ?? 0 > 100)
        client.reset()
        bench.bench.expectQuiet()
    }

    @Test func aSlowReaderGetsAllOfIt() throws {
        let bench = try ComposedBench(
            ["user": "GET /users/{id}", "posts": "GET /posts?author={id}"], value: "{posts: [Post], user: JSON}")
        bench.know()
        let many = (0..<200_000).map { #"{"title":"\#($0)"}"# }.joined(separator: ",")
        bench.answers["/v1/posts?author=7"] = "[\(many)]"
        let client = bench.bench.client()
        client.window = 0
        client.request("GET", "/profile/7")
        bench.answerAll()
        while client.answers.first?.isComplete != true {
            let before = client.reader.byteCount
            client.take(100_000)
            if client.reader.byteCount == before { break }
        }
        #expect(client.answers.first?.isComplete == true)
        #expect(client.answers.first?.bodyCount == #"{"user":\#(ComposedBench.user),"posts":[\#(many)]}"#.utf8.count)
        #expect(client.outboxHighWater < 2 << 20)
        client.reset()
        bench.bench.expectQuiet()
    }
}
