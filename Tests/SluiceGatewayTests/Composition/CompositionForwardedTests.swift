import SluiceContract
import Testing

@testable import SluiceGateway

/// What upstreams of parts are told of a client is in what is stored of the whole, and so it keeps wholes apart, or is
/// not told.
@Suite struct CompositionForwardedTests {
    private static func bench(
        stored: Bool = true, _ edit: (inout [Binding]) throws -> Void = { _ in }
    ) throws -> ComposedBench {
        let bench = try ComposedBench(
            ["user": "GET /users/{id}", "weather": "GET /weather/{user.city}"],
            value: "{name: String from user.name, weather: Int}"
        ) { bindings in
            if stored {
                bindings[bindings.count - 1].cache = CachePolicy()
                bindings[bindings.count - 1].cache?.fresh = .seconds(60)
            }
            try edit(&bindings)
        }
        bench.know()
        return bench
    }

    /// - Returns: what the upstream of the user is told of the client's address; nil where it is not asked.
    private static func told(_ bench: ComposedBench, _ address: String, host: String = "localhost") throws -> String? {
        let client = bench.bench.client(address: address)
        client.request("GET /profile/7 HTTP/1.1\r\nHost: \(host)\r\n\r\n")
        let asked = bench.open.first?.origin.requests.last
        bench.answerAll()
        #expect(client.answers.first?.text == #"{"name":"Ada","weather":21}"#)
        client.reset()
        return asked.map { $0["X-Forwarded-For"] ?? "nothing" }
    }

    @Test func theAddressIsNotToldForWhatIsStoredForAll() throws {
        let bench = try Self.bench()
        #expect(try Self.told(bench, "10.0.0.1") == "nothing")
        #expect(try Self.told(bench, "10.0.0.2") == nil)
        bench.bench.expectQuiet()
    }

    @Test func whatIsNotStoredTellsIt() throws {
        let bench = try Self.bench(stored: false)
        for address in ["10.0.0.1", "10.0.0.2"] { #expect(try Self.told(bench, address) == address) }
    }

    /// Who has a whole of its own may be told of.
    @Test func whatIsEachClientsOwnTellsIt() throws {
        let bench = try Self.bench { $0[$0.count - 1].cache?.isPrivate = true }
        for address in ["10.0.0.1", "10.0.0.2"] {
            #expect(try Self.told(bench, address) == address)
            #expect(try Self.told(bench, address) == nil)
        }
    }

    /// A part that has an answer for each address makes a whole for each.
    @Test func aPartForEachAddressMakesAWholeForEach() throws {
        let bench = try Self.bench {
            $0[0].cache = CachePolicy()
            $0[0].cache?.fresh = .seconds(60)
            $0[0].cache?.vary = ["Forwarded"]
        }
        for address in ["10.0.0.1", "10.0.0.2"] {
            #expect(try Self.told(bench, address) == address)
            #expect(try Self.told(bench, address) == nil)
        }
    }

    /// Upstreams are told the host that is asked for, and may write it into what they answer.
    @Test func theHostKeepsWholesApart() throws {
        let bench = try Self.bench()
        #expect(try Self.told(bench, "10.0.0.1", host: "a.test") == "nothing")
        #expect(try Self.told(bench, "10.0.0.1", host: "b.test") == "nothing")
        #expect(try Self.told(bench, "10.0.0.1", host: "a.test") == nil)
        #expect(bench.asked.count == 4)
    }

    /// It holds for what a part is made of as well.
    @Test func wholesInStoredWholesTellNothing() throws {
        let bench = try Self.bench(stored: false) {
            let outer = try ComposedBench.composed(
                "GET /outer/{id}", ["inner": "GET /profile/{id}"], value: "{name: String from inner.name}")
            $0.append(outer)
            $0[$0.count - 1].cache = CachePolicy()
        }
        let client = bench.bench.client(address: "10.0.0.1")
        client.request("GET", "/outer/7")
        #expect(bench.open.first?.origin.requests.last?["X-Forwarded-For"] == nil)
        #expect(bench.open.first?.origin.requests.last?["X-Forwarded-Host"] == "localhost")
        bench.answerAll()
        client.reset()
        bench.bench.expectQuiet()
    }
}
