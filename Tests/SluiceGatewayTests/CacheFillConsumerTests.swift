import SluiceCache
import SluiceContract
import SluiceHTTP
import Testing

@testable import SluiceGateway

/// A cache fill as the only consumer of a fetch: it needs no exchange.
@Suite struct CacheFillConsumerTests {
    private final class Place {
        let bench: Bench
        let cache: LoopCache
        let request: BoundRequest
        let route: Route

        init(_ edit: (inout Binding) -> Void = { _ in }) throws {
            let binding = try Build.binding("GET /fruits", to: "fruit /fruits") {
                $0.cache = CachePolicy()
                edit(&$0)
            }
            bench = try Bench(Build.configuration([binding]))
            cache = bench.gateway.loopCache
            request = BoundRequest(bench.gateway.generation)
            route = bench.gateway.generation.table.routes[0]
            request.borrowedRoute = Borrowed(route)
            "GET".utf8.withContiguousStorageIfAvailable { request.head.set(method: UnsafeRawBufferPointer($0)) }
            Array("/fruits".utf8).withUnsafeBytes { request.target.append($0) }
            request.body.isComplete = true
        }

        /// Asks for nobody in particular.
        func begin() throws -> CacheFill {
            let policy = try #require(route.cache)
            let lookup = cache.lookUp(request, route, policy)
            let fill = CacheFill(
                request, route, policy, lookup, flight: lookup.key, control: CacheControl(), hasAuthorization: false,
                in: cache)
            fill.begin(request)
            bench.turn()
            return fill
        }

        func stored() throws -> StoredResponse? {
            cache.lookUp(request, route, try #require(route.cache)).entry
        }
    }

    @Test func whatArrivesIsStored() throws {
        let place = try Place()
        weak let fill = try place.begin()
        #expect(fill != nil, "it keeps itself while its fetch is at work")
        try place.bench.origin().send("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 5\r\n\r\napple")
        let entry = try #require(try place.stored())
        #expect(Array(entry.body) == Array("apple".utf8))
        #expect(place.cache.fills.isEmpty)
        place.bench.expectQuiet()
        place.bench.turn()
        #expect(fill == nil)
    }

    /// What is stored is asked about with its validators, and a 304 renews it.
    @Test func theValidatorsOfWhatIsStoredGoAlong() throws {
        let place = try Place()
        _ = try place.begin()
        let origin = try place.bench.origin()
        origin.send("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nETag: \"v1\"\r\nContent-Length: 5\r\n\r\napple")
        _ = try place.begin()
        #expect(origin.requests.last?["If-None-Match"] == "\"v1\"")
        origin.send("HTTP/1.1 304 Not Modified\r\nCache-Control: max-age=120\r\nETag: \"v1\"\r\n\r\n")
        #expect(try place.stored()?.lifetime == 120)
        place.bench.expectQuiet()
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nCache-Control: no-store\r\nContent-Length: 5\r\n\r\napple",
        "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 9\r\n\r\napple",
        "nonsense\r\n\r\n",
    ])
    func whatCannotBeStoredLeavesNothing(_ answer: String) throws {
        let place = try Place()
        weak let fill = try place.begin()
        let origin = try place.bench.origin()
        origin.send(answer)
        if !origin.isClosed { origin.reset() }
        #expect(try place.stored() == nil)
        #expect(place.cache.fills.isEmpty)
        place.bench.turn()
        #expect(fill == nil)
        #expect(place.bench.gateway.counters.fillsOpen == 0)
    }

    /// Its place at a limit is given back, whatever becomes of it.
    @Test func itsPlaceAtALimitIsGivenBack() throws {
        let place = try Place { $0.concurrency = ConcurrencyLimit(1, queue: 1, wait: .seconds(1)) }
        let gate = try #require(place.route.meter?.gate)
        _ = try place.begin()
        #expect(gate.inFlight == 1)
        try place.bench.origin().send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\napple")
        #expect(gate.inFlight == 0 && gate.waiting == 0)
    }
}
