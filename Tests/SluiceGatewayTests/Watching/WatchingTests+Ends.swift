import SluiceContract
import Testing

@testable import SluiceGateway

/// Limits, the ends of streams, the upstream's events, and several loops.
extension WatchingTests {
    // MARK: - Limits and ends

    @Test func thereAreLimits() throws {
        let bench = try WatchBench(limits: { ($0.watchers, $0.watched, $0.watchedBytes) = (3, 1, 1024) })
        let client = bench.watch()
        #expect(bench.watch("/fruits?kind=fig").answers.first?.text.contains("limits.watched'") == true)
        _ = bench.watch()
        _ = bench.watch()
        let refused = bench.watch()
        #expect(refused.answers.first?.status == 503)
        #expect(refused.answers.first?.text.contains("limits.watchers'") == true)
        try bench.answer("\"\(String(repeating: "x", count: 2000))\"")
        #expect(bench.events(client).last?.data.contains("limits.watched-size") == true)
        bench.expectQuiet()
    }

    /// Room is made by what nobody watches any more.
    @Test func allValuesTogetherHaveABound() throws {
        let bench = try WatchBench(limits: { $0.watchedTotalBytes = 3000 })
        let memory = bench.bench.gateway.loopCache.shared.watches.memory
        let value = "\"\(String(repeating: "x", count: 1000))\""
        let client = bench.watch()
        try bench.answer(value)
        #expect(bench.events(client).last?.data == value)
        #expect(memory.count > 2000 && memory.count < 2200)
        let other = bench.watch("/fruits?kind=fig")
        try bench.answer(value)
        #expect(bench.events(other).last?.name == "problem")
        #expect(bench.events(other).last?.data.contains("limits.watched-total") == true)
        client.reset()
        bench.deliver()
        bench.advance(by: .seconds(25))
        try bench.answer(value)
        #expect(bench.events(other).last?.data == value)
        #expect(bench.bench.gateway.counters.watched == 1)
        bench.expectQuiet()
        #expect(memory.count == 0)
    }

    /// What clients could come back for goes before what they are told.
    @Test func changesAreForgottenWhereThereIsNoRoom() throws {
        let bench = try WatchBench(limits: { $0.watchedTotalBytes = 5000 })
        let client = bench.watch()
        for letter in "abcdef" {
            try bench.answer("\"\(String(repeating: letter, count: 1000))\"")
            #expect(bench.events(client).last?.data.contains("\(letter)\(letter)") == true)
            #expect(bench.bench.gateway.loopCache.shared.watches.memory.count <= 5000)
            bench.advanceToQuestion()
        }
        try bench.answer("1")
        bench.expectQuiet()
    }

    @Test func streamsEndWithTheDaemon() throws {
        let bench = try WatchBench()
        let clients = [bench.watch(), bench.watch()]
        try bench.answer("1")
        bench.bench.gateway.drain()
        bench.bench.turn()
        for client in clients {
            #expect(client.answers.first?.isComplete == true)
            #expect(client.sawEnd)
        }
        #expect(bench.bench.gateway.counters.watched == 0)
    }

    @Test func anotherConfigurationEndsWhatItChanges() throws {
        let bench = try WatchBench()
        let client = bench.watch()
        try bench.answer("1")
        var other = try WatchBench.configuration()
        other.bindings.append(try Build.binding("GET /nuts", to: "fruit /nuts"))
        bench.bench.replace(try RouteTable(other))
        #expect(client.answers.first?.isComplete == false)
        bench.advanceToQuestion()
        try bench.answer("2")
        #expect(bench.texts(client).last == "data 2")
        bench.bench.replace(try RouteTable(try WatchBench.configuration { $0.watch?.send = .jsonPatch }))
        #expect(client.answers.first?.isComplete == true)
        bench.expectQuiet()
    }

    /// Behind a stream that a reload ends its client may have asked for what rests: that is asked where it lies now.
    @Test(arguments: 0..<4)
    func aReloadThatEndsOneStreamWakesAnother(_ round: Int) throws {
        func configuration(isFirstThere: Bool) throws -> Configuration {
            var bindings = try (0..<6).map { number in
                try Build.binding("GET /nuts/\(number)", to: "nut /\(number)", value: "JSON") {
                    $0.watch = WatchPolicy()
                }
            }
            var upstreams = [Build.upstream("nut")]
            if isFirstThere {
                bindings.append(
                    try Build.binding("GET /fruits", to: "fruit /", value: "JSON") { $0.watch = WatchPolicy() })
                upstreams.insert(Build.upstream("fruit"), at: 0)
            }
            return Build.configuration(bindings, upstreams: upstreams)
        }
        let bench = try WatchBench(configuration(isFirstThere: true))
        let nuts = (0..<6).map { bench.watch("/nuts/\($0)") }
        for origin in bench.open { bench.answer(origin, "1") }
        for client in nuts { client.reset() }
        let client = bench.watch("/fruits")
        try bench.answer("1")
        client.request("GET", "/nuts/\(round)", "Accept: text/event-stream")
        bench.bench.replace(try RouteTable(configuration(isFirstThere: false)))
        #expect(client.answers.map(\.isComplete) == [true, false])
        try bench.answer("2")
        #expect(bench.benches[0].origins.filter { !$0.isClosed }.allSatisfy { $0.upstream == "nut" })
        #expect(client.answers.last?.text.contains("data: 2") == true)
        bench.expectQuiet()
    }

    // MARK: - Events of the upstream

    @Test func theUpstreamsEventsAskAtOnce() throws {
        let bench = try WatchBench {
            $0.watch?.from = "/events"
            $0.watch?.event = "changed"
        }
        let client = bench.watch("/fruits?kind=fig")
        let feed = try #require(bench.open.first { $0.requests.last?.target == "/v1/events" })
        #expect(feed.requests[0]["Accept"] == "text/event-stream")
        bench.leaveOpen(feed)
        try bench.answer("1")
        feed.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
        try bench.answer("1")
        feed.send("event: other\ndata: 1\n\n")
        #expect(bench.open.isEmpty)
        feed.send("event: changed\ndata: 1\n\n")
        try bench.answer("2")
        #expect(bench.texts(client).last == "data 2")
        bench.expectQuiet()
    }

    // MARK: - Loops

    @Test func oneLoopAsksForAll() throws {
        let bench = try WatchBench(loops: 3)
        let clients = (0..<3).map { bench.watch(on: $0) }
        try bench.answer("1")
        let late = bench.watch(on: 2)
        bench.advanceToQuestion()
        try bench.answer("2")
        for client in clients { #expect(bench.events(client).compactMap(\.number) == [1, 2]) }
        #expect(bench.texts(late).first == "data 1")
        #expect(bench.requests.count == 2)
        bench.expectQuiet()
    }

    /// The loop that asks goes on as long as another one's clients watch.
    @Test func itGoesOnForOtherLoops() throws {
        let bench = try WatchBench(loops: 2)
        let first = bench.watch(on: 0)
        try bench.answer("1")
        let second = bench.watch(on: 1)
        let id = try #require(bench.events(second).last?.id)
        first.reset()
        bench.deliver()
        bench.advance(by: .seconds(11) + .milliseconds(10))
        try bench.answer("2")
        #expect(bench.texts(second).last == "data 2")
        let back = bench.watch("/fruits", "Last-Event-ID: \(id)", on: 1)
        #expect(bench.texts(back) == ["data 2"])
        bench.expectQuiet()
    }

    /// A loop that ends leaves the question to those that are left.
    @Test func anotherLoopAsksOnceOneEnds() throws {
        let bench = try WatchBench(loops: 2)
        let first = bench.watch(on: 0)
        try bench.answer("1")
        let second = bench.watch(on: 1)
        bench.benches[0].gateway.drain()
        bench.benches[0].turn()
        bench.deliver()
        #expect(first.answers.first?.isComplete == true)
        try bench.answer("5")
        #expect(bench.texts(second).last == "data 5")
        bench.expectQuiet()
    }
}
