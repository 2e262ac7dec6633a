import SluiceContract
import Testing

@testable import SluiceConfig

@Suite struct WatchSectionTests {
    private static func bench(_ watch: String, _ rest: String = "value: Int", key: String = "GET /a") -> Bench {
        fruit("\(key): {to: fruit /a, \(rest.isEmpty ? "" : rest + ", ")watch: \(watch)}")
    }

    @Test func readsAllOfIt() throws {
        let bench = Self.bench(
            "{every: 2s, send: json-patch, states: [problem], heartbeat: 5s, backoff-max: 1m, history: 7, "
                + "from: /events, event: changed}")
        let configuration = bench.configuration()
        var policy = WatchPolicy()
        (policy.every, policy.send, policy.states) = (.seconds(2), .jsonPatch, [.problem])
        (policy.heartbeat, policy.backoffMax, policy.history) = (.seconds(5), .seconds(60), 7)
        (policy.from, policy.event) = ("/events", "changed")
        #expect(configuration.bindings.first?.watch == policy)
        #expect(Bench(Explain.yaml(configuration)).configuration() == configuration)
    }

    @Test func trueIsAllDefaults() {
        #expect(Self.bench("true").configuration().bindings.first?.watch == WatchPolicy())
        #expect(Self.bench("false").configuration().bindings.first?.watch == nil)
        #expect(Self.bench("{every: 10m}").configuration().bindings.first?.watch?.backoffMax == .seconds(600))
    }

    @Test(arguments: [
        ("10s", "{every: 10s}"), ("{every: 10ms}", "10ms is out of range"),
        ("{every: 1m, backoff-max: 1s}", "'backoff-max' is shorter"),
        ("{event: a}", "there is no stream"), ("{from: events}", "is no path"), ("{from: /a/**}", "many streams"),
        ("{from: '/a/{b}'}", "no parameter fills the placeholder '{b}'"), ("{states: [loading, loading]}", "twice"),
        ("{send: patch}", "is not known here"),
    ])
    func tellsWhatIsWrong(_ watch: String, _ words: String) {
        #expect(Self.bench(watch).mistakes.first?.contains(words) == true, "\(Self.bench(watch).mistakes)")
    }

    @Test(arguments: [
        ("value: Int", "POST /a", "is not watched"), ("upgrade: websocket", "GET /a", "has no value"),
        ("rows: {as: lines, format: ndjson}, value: '[Int]'", "GET /a", "no end to compare"),
        ("keep: {bearer: a}, value: Int", "GET /a", "a token is not shown"),
    ])
    func tellsWhatCannotBeWatched(_ rest: String, _ key: String, _ words: String) {
        let mistakes = Self.bench("true", rest, key: key).mistakes
        #expect(mistakes.contains { $0.contains(words) }, "\(mistakes)")
    }

    @Test func aPatchNeedsAValue() {
        #expect(Self.bench("{send: merge-patch}", "").mistakes.first?.contains("has no 'value:'") == true)
        #expect(Self.bench("true", "").configuration().bindings.first?.watch?.send == .whole)
    }

    /// What is said for all holds where it can.
    @Test func defaultsHoldWhereTheyCan() {
        let page = fruit(
            "GET /a: {to: fruit /a, value: Int}\nPOST /a: {to: fruit /a}\nGET /b: {to: fruit /b}",
            root: "defaults: {watch: {send: merge-patch}}")
        let watches = page.configuration().bindings.map(\.watch)
        #expect(watches.map { $0?.send } == [.mergePatch, nil, .whole])
    }

    @Test func aFeedIsAnotherRouteOfTheSameUpstream() throws {
        let bench = fruit(
            """
            GET /users/{id}:
              to: "fruit /users/{id}"
              params: {id: Int, limit: "Int?"}
              value: JSON
              cache: {fresh: 1s}
              watch: {from: "/users/{id}/events"}
            """)
        let feed = try #require(bench.configuration().bindings.first?.watchFeed)
        #expect(feed.upstreamPath.description == "/users/{id}/events")
        #expect(feed.parameters.map(\.name) == ["id"])
        #expect(feed.value == nil && feed.cache == nil && feed.watch == nil)
    }
}
