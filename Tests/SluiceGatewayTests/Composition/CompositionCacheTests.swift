import SluiceContract
import Testing

@testable import SluiceGateway

/// Parts and wholes that are stored, who may have them, and what changes something.
@Suite struct CompositionCacheTests {
    private static let two: KeyValuePairs = ["user": "GET /users/{id}", "weather": "GET /weather/{user.city}"]
    private static let value = "{name: String from user.name, weather: Int}"

    private static func stored(_ index: Int, _ bindings: inout [Binding], fresh: Int = 60) {
        bindings[index].cache = CachePolicy()
        bindings[index].cache?.fresh = .seconds(fresh)
    }

    @Test func aPartHasAnEntryOfItsOwn() throws {
        let bench = try ComposedBench(Self.two, value: Self.value) { Self.stored(0, &$0) }
        bench.know()
        _ = try bench.get()
        let again = try bench.get()
        #expect(again.text == #"{"name":"Ada","weather":21}"#)
        #expect(bench.asked == ["/v1/users/7", "/v1/weather/Bonn", "/v1/weather/Bonn"])
        _ = try bench.get("/users/7")
        #expect(bench.asked.count == 3)
        bench.bench.expectQuiet()
    }

    @Test func manyAskForAPartOnce() throws {
        let bench = try ComposedBench(Self.two, value: Self.value) {
            Self.stored(0, &$0)
            Self.stored(3, &$0)
        }
        bench.know()
        let clients = (0..<8).map { _ in bench.bench.client() }
        for client in clients { client.request("GET", "/profile/7") }
        #expect(bench.open.count == 1)
        clients[0].reset()
        bench.answerOnce()
        #expect(bench.open.count == 1)
        bench.answerAll()
        for client in clients.dropFirst() { #expect(client.answers.first?.text == #"{"name":"Ada","weather":21}"#) }
        for client in clients { client.reset() }
        bench.bench.expectQuiet()
    }

    @Test func allOutOfTheCacheIsAnsweredAtOnce() throws {
        let bench = try ComposedBench(Self.two, value: Self.value) {
            Self.stored(0, &$0)
            Self.stored(3, &$0)
        }
        bench.know()
        let first = try bench.get()
        let count = bench.asked.count
        #expect(try bench.get().text == first.text)
        #expect(bench.asked.count == count)
        bench.bench.expectQuiet()
    }

    @Test func theWholeHasAnEntryOfItsOwn() throws {
        let bench = try ComposedBench(Self.two, value: Self.value) { Self.stored($0.count - 1, &$0) }
        bench.know()
        let clients = (0..<3).map { _ in bench.bench.client() }
        for client in clients { client.request("GET", "/profile/7") }
        bench.answerAll()
        for client in clients { #expect(client.answers.first?.text == #"{"name":"Ada","weather":21}"#) }
        #expect(try bench.get()["Cache-Status"]?.hasPrefix("sluice; hit") == true)
        #expect(bench.asked.count == 2)
        for client in clients { client.reset() }
        bench.bench.expectQuiet()
    }

    @Test func theWholeIsNoFresherThanItsParts() throws {
        let bench = try ComposedBench(Self.two, value: Self.value)
        bench.know()
        bench.fields = "Cache-Control: max-age=60, private\r\nVary: Accept-Language\r\n"
        let answer = try bench.get()
        #expect(answer["Cache-Control"] == "private, max-age=60")
        #expect(answer["Vary"] == "Accept-Language")
    }

    @Test func aPartMayBeComposedItself() throws {
        let bench = try ComposedBench(Self.two, value: Self.value) { bindings in
            bindings.append(
                try ComposedBench.composed(
                    "GET /outer/{id}", ["inner": "GET /profile/{id}", "user": "GET /users/{id}"],
                    value: "{name: String from inner.name, id: Int from user.id}"))
        }
        bench.know()
        #expect(try bench.get("/outer/7").text == #"{"name":"Ada","id":7}"#)
        bench.answers["/v1/weather/Bonn"] = "500 broken"
        #expect(try bench.get("/outer/7").text.contains(#""part":"inner.weather""#))
        bench.bench.expectQuiet()
    }

    @Test func whoMayNotHaveAPartMayNotHaveTheWhole() throws {
        let bench = try ComposedBench(Self.two, value: Self.value) { $0[3].grants = Grants(users: [1]) }
        bench.know()
        let answer = try bench.get()
        #expect(answer.status == 403)
        #expect(answer.text.contains(#""part":"weather""#))
        bench.bench.expectQuiet()
    }

    @Test func fieldsOfTheClientGoWithEachPart() throws {
        let bench = try ComposedBench(Self.two, value: Self.value)
        bench.know()
        let client = bench.bench.client()
        client.request(
            "GET", "/profile/7", "Accept-Language: de", "If-None-Match: \"x\"", "Range: bytes=0-1",
            "Origin: http://localhost", "Sec-Fetch-Site: same-origin")
        let user = try #require(bench.open.first?.origin.requests.last)
        #expect(user["Accept-Language"] == "de")
        #expect(user["Host"] == "fruit.example")
        for name in ["If-None-Match", "Range", "Origin"] { #expect(user[name] == nil) }
        client.reset()
        bench.bench.expectQuiet()
    }

    // MARK: - Changes

    private static let order: KeyValuePairs = [
        "user": "GET /users/{id}", "order": "POST /orders body request", "invoice": "POST /invoices?order={order}",
        "weather": "GET /weather/{user.city} optional",
    ]

    private static func ordering() throws -> (ComposedBench, ClientPeer) {
        let bench = try ComposedBench(order, value: "{order: Int, invoice: Int}", key: "POST /checkout/{id}") {
            $0[$0.count - 1].body = .json(.scalar(.json))
        }
        bench.know()
        let client = bench.bench.client()
        client.request("POST", "/checkout/7", type: "application/json", body: #"{"item":1}"#)
        return (bench, client)
    }

    @Test func changesAreMadeInTheirOrder() throws {
        let (bench, client) = try Self.ordering()
        for target in ["/v1/users/7", "/v1/orders", "/v1/invoices?order=5", "/v1/weather/Bonn"] {
            #expect(bench.open.map(\.target) == [target])
            if target == "/v1/orders" { #expect(bench.open.first?.origin.requests.last?.text == #"{"item":1}"#) }
            bench.answerOnce()
        }
        #expect(client.answers.first?.text == #"{"order":5,"invoice":6}"#)
        client.reset()
        bench.bench.expectQuiet()
    }

    @Test func aLaterFailureSaysWhatHasBeenDone() throws {
        let (bench, client) = try Self.ordering()
        bench.answers["/v1/invoices?order=5"] = "500 broken"
        bench.answerAll()
        let answer = try #require(client.answers.first)
        #expect(answer.status == 500)
        #expect(answer.text.contains(#""part":"invoice""#))
        #expect(answer.text.contains(#""done":["order"]"#))
        client.reset()
        bench.bench.expectQuiet()
    }

    @Test func anEarlierFailureChangesNothing() throws {
        let (bench, client) = try Self.ordering()
        bench.answers["/v1/users/7"] = "500 broken"
        bench.answerAll()
        #expect(bench.asked == ["/v1/users/7"])
        #expect(client.answers.first?.text.contains("\"done\"") == false)
        client.reset()
        bench.bench.expectQuiet()
    }
}
