import SluiceCache
import SluiceContract
import Testing

@testable import SluiceGateway

// What asks for a watched value before its time: writes, and purges.
extension WatchingTests {
    @Test func aWriteIsSeenAtOnce() throws {
        let bench = try WatchBench()
        let client = bench.watch()
        try bench.answer("1")
        let writer = bench.bench.client()
        writer.request("POST", "/fruits", type: "application/json", body: "{}")
        try bench.answer("{}", status: 201)
        bench.deliver()
        #expect(writer.answers.first?.status == 201)
        #expect(bench.open.first?.requests.last?.method == "GET")
        try bench.answer("2")
        #expect(bench.texts(client).last == "data 2")
        bench.expectQuiet()
    }

    /// Whoever adds to a list writes to its path.
    @Test func aWriteConcernsAllQueriesOfItsPath() throws {
        let bench = try WatchBench()
        let client = bench.watch("/fruits?kind=fig")
        try bench.answer("1")
        bench.bench.client().request("POST", "/fruits", type: "application/json", body: "{}")
        try bench.answer("{}", status: 201)
        bench.deliver()
        try bench.answer("2")
        #expect(bench.texts(client).last == "data 2")
        bench.expectQuiet()
    }

    /// Of another path than its own, where the page says so (`then:`); stored or not.
    @Test(arguments: [false, true]) func aWriteThatNamesItIsSeenAtOnce(_ isStored: Bool) throws {
        var configuration = try WatchBench.configuration {
            guard isStored else { return }
            $0.cache = CachePolicy()
            $0.cache?.fresh = .seconds(60)
        }
        var put = try Build.binding("PUT /trees", to: "fruit /trees")
        put.then = AfterWrite()
        put.then?.invalidate = ["GET /fruits"]
        configuration.bindings.append(put)
        let bench = try WatchBench(configuration)
        let client = bench.watch()
        try bench.answer("1")
        let writer = bench.bench.client()
        writer.request("PUT", "/trees", type: "application/json", body: "{}")
        try bench.answer("{}", status: 503)
        bench.deliver()
        #expect(bench.open.isEmpty, "nothing has been changed")
        writer.request("PUT", "/trees", type: "application/json", body: "{}")
        try bench.answer("{}")
        bench.deliver()
        try bench.answer("2")
        #expect(bench.texts(client) == ["loading {}", "data 1", "data 2"])
        bench.expectQuiet()
    }

    /// The answer that is on its way may be of before the write.
    @Test func aWriteDuringAQuestionAsksAgain() throws {
        let bench = try WatchBench()
        let client = bench.watch()
        let question = try #require(bench.open.first)
        let writer = bench.bench.client()
        writer.request("POST", "/fruits", type: "application/json", body: "{}")
        bench.answer(try #require(bench.open.first { $0 !== question }), "{}", status: 200)
        bench.answer(question, "1")
        try bench.answer("2")
        #expect(bench.texts(client) == ["loading {}", "data 1", "data 2"])
        bench.expectQuiet()
    }

    @Test func aPurgeAsksAgain() throws {
        let bench = try WatchBench { $0.cache = CachePolicy() }
        _ = bench.watch()
        try bench.answer("1", "Cache-Control: max-age=60")
        bench.bench.gateway.loopCache.shared.announce([PurgeRequest(.binding("GET /fruits"))])
        bench.deliver()
        try bench.answer("2")
        bench.expectQuiet()
    }
}
