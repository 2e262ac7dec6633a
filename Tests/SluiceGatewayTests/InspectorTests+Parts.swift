import SluiceContract
import Testing

@testable import SluiceGateway

extension InspectorTests {
    /// What the parts of a composed answer ask stands with the whole, which is one exchange.
    @Test func partsAreShownWithTheirWhole() throws {
        var bindings = try ComposedBench.bindings()
        bindings.append(
            try ComposedBench.composed(
                "GET /profile/{id}", ["user": "GET /users/{id}", "weather": "GET /weather/{user.city}"],
                value: "{user: JSON, weather: Int}"))
        bindings.append(
            try ComposedBench.composed("GET /page/{id}", ["profile": "GET /profile/{id}"], value: "{profile: JSON}"))
        var configuration = Build.configuration(bindings, types: try ComposedBench.types())
        configuration.inspect = InspectSettings()
        configuration.upstreams[0].bearer = .value("hush-hush-token")
        let composed = try ComposedBench(configuration, credentials: ["fruit": "hush-hush-token"])
        composed.bench.gateway.inspections = InspectionRing { 1_763_860_000_123 }
        composed.know()
        composed.answers["/v1/users/7"] = #"{"id":7,"name":"hush-hush-token","city":"Bonn","badges":[]}"#
        #expect(try composed.get("/page/7").status == 200)
        let list = try object("/exchanges", in: composed.bench)
        #expect((list["exchanges"] as? [Any])?.count == 1)
        let shown = try last(in: composed.bench)
        let attempts = try #require(shown["upstream"] as? [[String: Any]])
        #expect(attempts.map { $0["part"] as? String } == ["profile.user", "profile.weather"])
        #expect(
            attempts.map { member($0["request"], "line") as? String } == [
                "GET /v1/users/7 HTTP/1.1", "GET /v1/weather/Bonn HTTP/1.1",
            ])
        #expect(member(attempts[1]["answer"], "body") as? String == "21")
        // The whole shows what a part has brought, and a part may echo what it was asked with.
        #expect((member(shown["answer"], "body") as? String)?.contains(#""name":"***""#) == true)
        let text = try AdminBench(of: composed.bench).ask("/exchanges/1").text
        #expect(!text.contains("hush"), "\(text)")
        let timing = try #require(shown["timing"] as? [[String: Any]])
        #expect(Set(timing.compactMap { $0["attempt"] as? Int }) == [1, 2])
    }

    /// Numbers are shown, but for those that are passwords.
    @Test func numbersOfPasswordsAreNotShown() throws {
        try bench.get("/raw/a", answer: Self.json(#"{"pin":1234,"max_tokens":5}"#))
        #expect(member(try last()["answer"], "body") as? String == #"{"pin":"•••","max_tokens":5}"#)
    }
}
