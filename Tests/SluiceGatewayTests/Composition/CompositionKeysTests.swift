import SluiceContract
import Testing

@testable import SluiceGateway

/// Types that are written with the upstream's keys, and parts that have them renamed (`keys: camelCase`).
@Suite struct CompositionKeysTests {
    private static func bench(_ edit: (inout [Binding]) throws -> Void = { _ in }) throws -> ComposedBench {
        let user = try Build.object(["full_name": "String", "home": "Place", "badge_codes": "[String]"])
        var bindings = try ComposedBench.bindings()
        bindings[0].keys = .camelCase
        bindings[0].value = .named("User")
        bindings += [
            try Build.binding("POST /users", to: "fruit /users", value: "Int") {
                $0.keys = .camelCase
                $0.body = .json(.named("User"))
            }
        ]
        try edit(&bindings)
        let types = [
            TypeDefinition(name: "User", type: .object(user)),
            TypeDefinition(name: "Place", type: .object(try Build.object(["zip_code": "String"]))),
        ]
        let bench = try ComposedBench(Build.configuration(bindings, types: ComposedBench.types() + types))
        bench.know(badges: ["a"])
        bench.answers["/v1/users/7"] = #"{"full_name":"Ada","home":{"zip_code":"53111"},"badge_codes":["a"]}"#
        bench.answers["/v1/weather/53111"] = "21"
        bench.answers["/v1/users"] = "8"
        return bench
    }

    private static let user = #"{"fullName":"Ada","home":{"zipCode":"53111"},"badgeCodes":["a"]}"#

    @Test func valuesFlowByTheKeysThatClientsSee() throws {
        let bench = try Self.bench {
            $0.append(
                try ComposedBench.composed(
                    "GET /profile/{id}",
                    [
                        "user": "GET /users/{id}", "weather": "GET /weather/{user.home.zipCode}",
                        "badges": "GET /badges/{b} each user.badgeCodes as b",
                    ],
                    value: "{user: User, weather: Int, codes: [Badge] from badges}"))
        }
        let badge = #"{"code":"a","since":"1970-01-01T00:00:00Z"}"#
        #expect(try bench.get().text == #"{"user":\#(Self.user),"weather":21,"codes":[\#(badge)]}"#)
        #expect(bench.asked.contains("/v1/badges/a"))
        bench.bench.expectQuiet()
    }

    @Test func aBodyGoesOnAsClientsSendIt() throws {
        let bench = try Self.bench {
            $0.append(
                try ComposedBench.composed(
                    "POST /whole/{id}", ["user": "POST /users body request"], value: "{user: Int}"
                ) { $0.body = .json(.named("User")) })
        }
        let client = bench.bench.client()
        client.request("POST", "/whole/7", type: "application/json", body: Self.user)
        let sent = bench.open.first?.origin.requests.last?.text
        #expect(sent == bench.answers["/v1/users/7"])
        bench.answerAll()
        #expect(client.answers.first?.text == #"{"user":8}"#)
        client.reset()
        bench.bench.expectQuiet()
    }

    @Test func aValueIsMadeWithTheKeysOfClients() throws {
        var binding = try Build.binding("GET /a", to: "fruit /a", value: "User") { $0.fixture = .generated }
        binding.keys = .camelCase
        let types = [TypeDefinition(name: "User", type: .object(try Build.object(["full_name": "Bool"])))]
        let bench = try Bench(Build.configuration([binding], types: types) { $0.fixtures = .all })
        #expect(try bench.get("/a").text.hasPrefix(#"{"fullName":"#))
    }

    /// What a binding says goes before what its upstream says.
    @Test func aBindingMayKeepTheKeysOfItsUpstream() throws {
        let binding = try Build.binding("GET /a", to: "fruit /a") {
            $0.value = .object(try Build.object(["full_name": "String"]))
        }
        let bench = try Bench(Build.configuration([binding], upstreams: [Build.upstream { $0.keys = .camelCase }]))
        let body = #"{"full_name":"Ada"}"#
        let answer = try bench.get(
            "/a", answer: "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        #expect(answer.text == body)
    }
}
