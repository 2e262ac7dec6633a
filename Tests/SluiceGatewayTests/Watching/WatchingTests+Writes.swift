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

    /// Of a part, too: whatever the whole was made of when it was asked last; stored or not.
    @Test(arguments: [false, true], [false, true])
    func aWriteToAPartIsSeenAtOnce(_ isStored: Bool, _ isPartStored: Bool) throws {
        var whole = try ComposedBench.composed("GET /whole", ["a": "GET /a"], value: "{a: Int from a}")
        whole.watch = WatchPolicy()
        var part = try Build.binding("GET /a", to: "fruit /a", value: "Int")
        var cache = CachePolicy()
        cache.fresh = .seconds(60)
        if isStored { whole.cache = cache }
        if isPartStored { part.cache = cache }
        let bench = try WatchBench(
            Build.configuration([whole, part, try Build.binding("PUT /a", to: "fruit /a")]))
        let client = bench.watch("/whole")
        try bench.answer("1")
        let writer = bench.bench.client()
        for number in 2...4 {
            writer.request("PUT", "/a", type: "application/json", body: "{}")
            try bench.answer("{}", status: 200)
            bench.deliver()
            try bench.answer("\(number)")
            #expect(bench.texts(client).last == "data {\"a\":\(number)}")
        }
        bench.expectQuiet()
    }

    /// The part that was read may be of before the write.
    @Test func aWriteToAPartDuringAQuestionAsksAgain() throws {
        var whole = try ComposedBench.composed(
            "GET /whole", ["a": "GET /a", "b": "GET /b"], value: "{a: Int from a, b: Int from b}")
        whole.watch = WatchPolicy()
        let bench = try WatchBench(
            Build.configuration([
                whole, try Build.binding("GET /a", to: "fruit /a", value: "Int"),
                try Build.binding("GET /b", to: "fruit /b", value: "Int"),
                try Build.binding("PUT /a", to: "fruit /a"),
            ]))
        let client = bench.watch("/whole")
        func open(_ method: String, _ target: String) throws -> OriginPeer {
            try #require(
                bench.open.first { $0.requests.last?.method == method && $0.requests.last?.target == "/v1\(target)" })
        }
        bench.answer(try open("GET", "/a"), "1")
        bench.bench.client().request("PUT", "/a", type: "application/json", body: "{}")
        bench.answer(try open("PUT", "/a"), "{}")
        bench.answer(try open("GET", "/b"), "1")
        bench.answer(try open("GET", "/a"), "2")
        bench.answer(try open("GET", "/b"), "1")
        #expect(bench.texts(client).suffix(2) == [#"data {"a":1,"b":1}"#, #"data {"a":2,"b":1}"#])
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
