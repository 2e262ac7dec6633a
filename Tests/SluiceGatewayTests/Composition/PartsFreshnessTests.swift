import SluiceContract
import Testing

@testable import SluiceGateway

/// What is stored of a whole is for no more people, and for no longer, than each of its parts.
@Suite struct PartsFreshnessTests {
    private static func bench(
        _ parts: KeyValuePairs<String, String> = ["user": "GET /users/{id}", "weather": "GET /weather/{user.city}"],
        _ edit: (inout [Binding]) throws -> Void = { _ in }
    ) throws -> ComposedBench {
        let bench = try ComposedBench(parts, value: "{name: String from user.name, weather: Int}") { bindings in
            bindings[bindings.count - 1].cache = CachePolicy()
            try edit(&bindings)
        }
        bench.know()
        return bench
    }

    private static func name() throws -> ObjectType { try Build.object(["name": "String"]) }

    /// RFC 9111 §3.5: one part that others may have does not speak for another one.
    @Test(
        arguments: [
            ("max-age=60, must-revalidate", "max-age=60", false), ("max-age=60", "max-age=60, public", false),
            ("max-age=60, public", "max-age=60, s-maxage=60", true),
            ("max-age=60, must-revalidate", "no fields", false),
        ], ["Authorization: Bearer", "X-API-Key:"])
    func aCredentialOfTheClientKeepsTheWholeForIt(_ parts: (String, String, Bool), _ credential: String) throws {
        let (first, second, isStored) = parts
        let bench = try Self.bench { $0[$0.count - 1].cache?.fresh = .seconds(60) }
        bench.ownFields = ["/v1/users/7": first, "/v1/weather/Bonn": second].compactMapValues {
            $0 == "no fields" ? nil : "Cache-Control: \($0)\r\n"
        }
        for token in ["one", "two"] {
            let client = bench.bench.client()
            client.request("GET", "/profile/7", "\(credential) \(token)")
            bench.answerAll()
            #expect(client.answers.first?.status == 200)
            client.reset()
        }
        #expect(bench.asked.count == (isStored ? 2 : 4))
        bench.bench.expectQuiet()
    }

    @Test func theShortestLifeOfAllCounts() throws {
        let bench = try Self.bench()
        bench.ownFields = [
            "/v1/users/7": "Cache-Control: s-maxage=5, max-age=3600\r\n",
            "/v1/weather/Bonn": "Cache-Control: max-age=60\r\nAge: 50\r\n",
        ]
        #expect(try bench.get()["Cache-Control"] == "proxy-revalidate, max-age=10, s-maxage=5")
        bench.ownFields["/v1/users/7"] = "Cache-Control: max-age=3600\r\n"
        bench.bench.advance(by: .seconds(6))
        #expect(try bench.get()["Cache-Control"] == "max-age=10")
    }

    /// RFC 9111 §5.2.2: what one part asks for holds for the whole, and no part makes it fresher than another is.
    @Test(
        arguments: [
            ("max-age=60\r\nAge: 20", "max-age=50", "max-age=40"), ("max-age=10\r\nAge: 50", "max-age=60", "max-age=0"),
            ("no-store", "private, max-age=60", "no-store, private"), ("max-age=60", nil, nil),
            ("no-cache, max-age=9", "must-revalidate, max-age=30", "no-cache, must-revalidate, max-age=9"),
            ("proxy-revalidate, max-age=9", "max-age=30", "proxy-revalidate, max-age=9"),
            ("public, max-age=9", "public, max-age=9", "max-age=9"),
            ("s-maxage=600, max-age=0", "max-age=60", "proxy-revalidate, max-age=0, s-maxage=60"),
            ("max-age=9\r\nAge: 9223372036854775807", "max-age=60", "max-age=0"),
            ("max-age=9\r\nAge: 5, 7\r\nAge: 1", "max-age=60", "max-age=4"),
            ("s-maxage=9", "max-age=9", "proxy-revalidate, max-age=0, s-maxage=9"),
            ("max-age=60\r\nDate: Wed, 03 Jan 1990 00:00:00 GMT", "max-age=60", "max-age=0"),
            ("no-store\r\nCDN-Cache-Control: max-age=9", "max-age=60", "no-store, max-age=0, s-maxage=9"),
            ("max-age=5\r\nCDN-Cache-Control: max-age=9", "max-age=60", "max-age=5"),
        ] as [(String, String?, String?)])
    func theWholeSaysWhatItsPartsSay(_ user: String, _ weather: String?, _ whole: String?) throws {
        let bench = try ComposedBench(
            ["user": "GET /users/{id}", "weather": "GET /weather/{user.city}"],
            value: "{name: String from user.name, weather: Int}")
        bench.know()
        bench.ownFields["/v1/users/7"] = "Cache-Control: \(user)\r\nVary: Accept-Language, X-A\r\n"
        bench.ownFields["/v1/weather/Bonn"] = (weather.map { "Cache-Control: \($0)\r\n" } ?? "") + "Vary: x-a,X-B\r\n"
        let answer = try bench.get()
        #expect(answer["Cache-Control"] == whole)
        #expect(answer["Vary"] == "Accept-Language, X-A, X-B")
    }

    /// A default stands in for an answer that may be there a second later.
    @Test func aDefaultIsNotStored() throws {
        let bench = try Self.bench {
            $0[$0.count - 1].cache?.fresh = .seconds(60)
            $0[3].defaultJSON = "0"
            $0[3].serve = [.fresh, .default]
        }
        bench.answers["/v1/weather/Bonn"] = "500 broken"
        #expect(try bench.get().text == #"{"name":"Ada","weather":0}"#)
        bench.answers["/v1/weather/Bonn"] = "21"
        #expect(try bench.get().text == #"{"name":"Ada","weather":21}"#)
    }

    /// What an answer of a part depends on is in the key of the whole.
    @Test func fieldsThatAPartDependsOnKeepWholesApart() throws {
        let bench = try Self.bench {
            $0[$0.count - 1].cache?.fresh = .seconds(60)
            $0[0].parameters.append(try Build.parameter("tenant", "String?", in: .header))
        }
        for (tenant, count) in [("a", 2), ("b", 4), ("a", 4)] {
            let client = bench.bench.client()
            client.request("GET", "/profile/7", "tenant: \(tenant)")
            bench.answerAll()
            #expect(client.answers.first?.status == 200)
            #expect(bench.asked.count == count)
            client.reset()
        }
    }

    /// One target is another question where another binding takes it.
    @Test func partsOfTwoBindingsAreTwoQuestions() throws {
        let bench = try ComposedBench(
            ["me": "GET /users/7", "user": "GET /users/{id}"],
            value: "{me: String from me.name, user: String from user.name}"
        ) { bindings in
            bindings.insert(
                try Build.binding("GET /users/7", to: "fruit /own") { $0.value = .object(try Self.name()) }, at: 0)
        }
        bench.know()
        bench.answers["/v1/own"] = #"{"name":"Eve"}"#
        #expect(try bench.get().text == #"{"me":"Eve","user":"Ada"}"#)
    }

    /// What no client may send does not come by way of a value.
    @Test(arguments: ["..%2F..%2Fadmin", "a%5Cb", "%00"])
    func aValueDoesNotClimb(_ id: String) throws {
        let bench = try ComposedBench(
            ["user": "GET /names/{who}"], value: "{name: String from user.name}", key: "GET /whole"
        ) { bindings in
            bindings.insert(
                try Build.binding("GET /names/{name}", to: "fruit /names/{name}") {
                    $0.value = .object(try Self.name())
                    $0.parameters = [try Build.parameter("name", "String", in: .path)]
                }, at: 0)
            bindings[bindings.count - 1].parameters = [try Build.parameter("who", "String")]
        }
        bench.know()
        #expect(try bench.get("/whole?who=\(id)").status >= 400)
        #expect(bench.asked.isEmpty)
    }

    /// A value of an upstream that fits into no path is no fault of the client.
    @Test(arguments: ["", ".."])
    func aValueThatFitsIntoNoPathIsTheUpstreams(_ city: String) throws {
        let bench = try Self.bench()
        bench.answers["/v1/users/7"] = #"{"id":7,"name":"Ada","city":"\#(city)","badges":[]}"#
        let answer = try bench.get()
        #expect(answer.status == 502)
        #expect(answer.text.contains(#""type":"urn:sluice:problem:type-mismatch""#), "\(answer.text)")
        #expect(answer.text.contains(#""part":"weather""#), "\(answer.text)")
        #expect(bench.asked == ["/v1/users/7"])
    }

    /// Whoever chooses a fixture of a part gets a whole that is stored for those who choose it, too.
    @Test func aChosenFixtureOfAPartIsForThoseWhoChooseIt() throws {
        var bindings = try ComposedBench.bindings()
        bindings[0].fixture = Fixture(.value(ComposedBench.user))
        bindings[0].fixtures = [
            NamedFixture("eve", Fixture(.value(#"{"id":7,"name":"Eve","city":"Ulm","badges":[]}"#)))
        ]
        bindings.append(
            try ComposedBench.composed(
                "GET /profile/{id}", ["user": "GET /users/{id}"], value: "{name: String from user.name}"
            ) {
                $0.cache = CachePolicy()
                $0.cache?.fresh = .seconds(60)
            })
        let configuration = Build.configuration(bindings, types: try ComposedBench.types()) { $0.fixtures = .all }
        let bench = try ComposedBench(configuration)
        for _ in 0..<2 {
            #expect(try bench.get("/profile/7", "Prefer: example=eve").text == #"{"name":"Eve"}"#)
            let usual = try bench.get("/profile/7")
            #expect(usual.text == #"{"name":"Ada"}"#)
            #expect(usual["Vary"]?.contains("Prefer") == true)
        }
    }

    /// A whole that is stored is another one once what it is made of is made of something else, however deep.
    @Test(
        arguments: [
            { $0.isOptional = true }, { $0.name = "other" }, { $0.query = [.init("author", [.text("8")])] },
        ] as [@Sendable (inout Composition.Part) -> Void])
    func changedPartsOfPartsAreOtherWholes(_ edit: @Sendable (inout Composition.Part) -> Void) throws {
        func salt(_ edit: (inout Composition.Part) -> Void) throws -> UInt64? {
            var bindings = try ComposedBench.bindings()
            var inner = try ComposedBench.composed(
                "GET /inner/{id}", ["posts": "GET /posts?author={id}"], value: "{a: Int}")
            if var composition = inner.composition {
                edit(&composition.parts[0])
                inner.composition = composition
            }
            inner.value = .scalar(.json)
            bindings += [
                inner,
                try ComposedBench.composed("GET /outer/{id}", ["inner": "GET /inner/{id}"], value: "{inner: JSON}") {
                    $0.cache = CachePolicy()
                },
            ]
            let table = try RouteTable(Build.configuration(bindings, types: ComposedBench.types()))
            return table.routes.last?.cache?.salt.0
        }
        let usual = try salt { _ in }
        #expect(usual != nil)
        #expect(try salt(edit) != usual)
        #expect(try salt { _ in } == usual)
    }
}
