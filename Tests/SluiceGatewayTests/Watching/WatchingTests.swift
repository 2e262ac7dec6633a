import SluiceCache
import SluiceContract
import Testing

@testable import SluiceGateway

/// Clients that watch a value, from the request to the last event.
@Suite struct WatchingTests {
    static let long = String(repeating: "0123456789", count: 5)

    @Test func theValueNowAndThenEachChange() throws {
        let bench = try WatchBench()
        let client = bench.watch()
        #expect(client.answers.first?.status == 200)
        #expect(client.answers.first?["Content-Type"] == "text/event-stream")
        #expect(client.answers.first?["Vary"] == "Accept")
        #expect(client.answers.first?.text.hasPrefix("retry: ") == true)
        #expect(bench.texts(client) == ["loading {}"])
        try bench.answer(#"{"n":1}"#)
        bench.advanceToQuestion()
        try bench.answer(#"{"n":1}"#)
        bench.advanceToQuestion()
        try bench.answer(#"{"n":2}"#)
        #expect(bench.texts(client) == ["loading {}", #"data {"n":1}"#, "not-modified {}", #"data {"n":2}"#])
        #expect(bench.events(client).compactMap(\.number) == [1, 2])
        #expect(bench.requests.count == 3)
        bench.expectQuiet()
    }

    @Test func whoAsksForSomethingElseGetsOneAnswer() throws {
        let bench = try WatchBench()
        for accept in ["", "Accept: application/json\r\n", "Accept: application/json, text/event-stream\r\n"] {
            let client = bench.bench.client()
            client.request("GET /fruits HTTP/1.1\r\nHost: localhost\r\n\(accept)\r\n")
            try bench.answer("[1]")
            #expect(client.answers.first?.text == "[1]")
            #expect(client.answers.first?["Vary"] == "Accept")
        }
        bench.expectQuiet()
    }

    @Test func manyAreToldByOneQuestion() throws {
        let bench = try WatchBench()
        let clients = (0..<1500).map { _ in bench.watch() }
        #expect(bench.open.count == 1)
        try bench.answer("1")
        bench.advanceToQuestion()
        clients[7].reset()
        try bench.answer("2")
        for (index, client) in clients.enumerated() where index != 7 {
            #expect(bench.events(client).compactMap(\.number) == [1, 2])
        }
        #expect(bench.requests.count == 2)
        bench.expectQuiet()
    }

    @Test func otherParametersAndFieldsAreOtherValues() throws {
        let bench = try WatchBench()
        _ = bench.watch("/fruits?kind=nut")
        _ = bench.watch("/fruits?kind=fig")
        _ = bench.watch("/fruits?kind=fig", "Accept-Language: de")
        _ = bench.watch("/fruits?kind=fig", "accept-language: de", "User-Agent: x", "Cache-Control: no-cache")
        #expect(bench.open.count == 3)
        #expect(bench.bench.gateway.counters.watched == 3)
        for origin in bench.open { bench.answer(origin, "1") }
        bench.expectQuiet()
    }

    /// Nobody is told what was asked for in another one's name.
    @Test(arguments: [
        ("X-Kind: nut", "X-Kind: fig"), ("Cookie: a=1", "Cookie: a=2"),
        ("Authorization: Bearer a", "Authorization: Bearer b"), ("X-API-Key: a", "X-API-Key: b"),
        ("X-Own: a", "X-Own: b"),
    ])
    func whatGoesUpstreamTellsThemApart(_ one: String, _ other: String) throws {
        let bench = try WatchBench { $0.parameters.append(try Build.parameter("X-Kind", "String?", in: .header)) }
        let first = bench.watch("/fruits", one)
        _ = bench.watch("/fruits", one)
        let second = bench.watch("/fruits", other)
        let open = bench.open
        #expect(open.count == 2)
        for (index, origin) in open.enumerated() { bench.answer(origin, "\(index)") }
        #expect(Set([first, second].map { bench.texts($0).last }) == ["data 0", "data 1"])
        #expect(Set(bench.requests.map { $0[String(one.prefix { $0 != ":" })] }).count == 2)
        bench.expectQuiet()
    }

    @Test func nobodyIsAskedOnceAllHaveLeft() throws {
        let bench = try WatchBench()
        let client = bench.watch()
        try bench.answer("1")
        client.reset()
        bench.advance(by: .seconds(50))
        #expect(bench.requests.count == 1)
        bench.expectQuiet()
    }

    @Test func aQuestionEndsWithTheLastWatcher() throws {
        let bench = try WatchBench()
        bench.watch().reset()
        #expect(bench.open.isEmpty)
        bench.expectQuiet()
    }

    // MARK: - Questions

    @Test func asksWithTheValidatorsOfTheLastAnswer() throws {
        let bench = try WatchBench()
        let client = bench.watch("/fruits", "If-None-Match: \"mine\"")
        #expect(bench.requests[0]["If-None-Match"] == nil)
        try bench.answer("1", "ETag: \"a\"", "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT")
        bench.advanceToQuestion()
        #expect(bench.requests[1]["If-None-Match"] == "\"a\"")
        #expect(bench.requests[1]["If-Modified-Since"] == "Sun, 06 Nov 1994 08:49:37 GMT")
        try bench.answer("", status: 304)
        #expect(bench.texts(client).last == "not-modified {}")
        bench.advanceToQuestion()
        try bench.answer("2", "ETag: \"b\"")
        bench.advanceToQuestion()
        #expect(bench.requests[3]["If-None-Match"] == "\"b\"")
        #expect(bench.requests[3]["If-Modified-Since"] == nil)
        try bench.answer("3")
        bench.advanceToQuestion()
        #expect(bench.requests[4]["If-None-Match"] == nil)
        try bench.answer("3")
        bench.expectQuiet()
    }

    /// RFC 9110 §13.1.3: each condition stands in a request once, also where the connection that it was sent on first
    /// was closed, and it is sent again.
    @Test func aSecondAttemptHasItsConditionsOnce() throws {
        let bench = try WatchBench()
        let client = bench.watch()
        try bench.answer("1", "ETag: \"a\"", "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT")
        bench.advanceToQuestion()
        try #require(bench.open.first).reset()
        bench.deliver()
        #expect(bench.requests.count == 3)
        let last = try #require(bench.requests.last)
        #expect(last.values("If-None-Match") == ["\"a\""])
        #expect(last.values("If-Modified-Since") == ["Sun, 06 Nov 1994 08:49:37 GMT"])
        try bench.answer("", status: 304)
        #expect(bench.texts(client).last == "not-modified {}")
        bench.expectQuiet()
    }

    /// What is stored is validated, and what somebody else has just fetched is taken.
    @Test func aCacheAsksOnce() throws {
        let bench = try WatchBench {
            $0.cache = CachePolicy()
            $0.cache?.fresh = .seconds(60)
        }
        let client = bench.watch()
        try bench.answer("1", "ETag: \"a\"")
        bench.advanceToQuestion()
        #expect(bench.requests[1]["If-None-Match"] == "\"a\"")
        try bench.answer("", status: 304, "ETag: \"a\"")
        #expect(bench.texts(client) == ["loading {}", "data 1", "not-modified {}"])
        try bench.bench.get("/fruits")
        #expect(bench.requests.count == 2)
        bench.expectQuiet()
    }

    /// A client that does not watch is told to ask again (`serve: loading`); a poll waits, and so do those who watch.
    @Test func aPollIsPatient() throws {
        let bench = try WatchBench {
            $0.cache = CachePolicy()
            $0.cache?.fresh = .seconds(60)
            $0.serve = [.fresh, .loading, .error]
        }
        let client = bench.watch()
        let plain = bench.bench.client()
        plain.request("GET /fruits HTTP/1.1\r\nHost: localhost\r\n\r\n")
        bench.advance(by: .seconds(2))
        #expect(plain.answers.first?.status == 202)
        #expect(bench.texts(client) == ["loading {}"])
        try bench.answer("1")
        #expect(bench.texts(client) == ["loading {}", "data 1"])
        bench.expectQuiet()
    }

    @Test func theAdminSocketTellsWhatIsWatched() throws {
        let bench = try WatchBench()
        _ = bench.watch("/fruits?kind=fig")
        _ = bench.watch("/fruits?kind=fig")
        try bench.answer("[1]")
        let admin = bench.bench.client(credentials: AdminBench.owner, admin: AdminAccess(owner: 1000))
        admin.request("GET", "/watches")
        let text = admin.answers.first?.text ?? ""
        #expect(
            text.contains(#""binding":"GET /fruits","target":"/fruits?kind=fig","watchers":2,"changes":1"#), "\(text)")
        bench.expectQuiet()
    }

    // MARK: - What is told

    @Test(arguments: [
        (WatchPolicy.Form.mergePatch, #"merge-patch {"n":2}"#),
        (.jsonPatch, #"json-patch [{"op":"replace","path":"/n","value":2}]"#),
    ])
    func changesAsPatches(_ form: WatchPolicy.Form, _ patch: String) throws {
        let bench = try WatchBench { $0.watch?.send = form }
        let client = bench.watch()
        try bench.answer(#"{"n":1,"long":"\#(Self.long)"}"#)
        bench.advanceToQuestion()
        try bench.answer(#"{"n":2,"long":"\#(Self.long)"}"#)
        #expect(bench.texts(client).last == patch)
        let late = bench.watch()
        #expect(bench.texts(late) == [#"data {"n":2,"long":"\#(Self.long)"}"#])
        bench.expectQuiet()
    }

    @Test func problemsAreToldAndLeaveTheValue() throws {
        let bench = try WatchBench()
        let client = bench.watch()
        try bench.answer("1")
        bench.advanceToQuestion()
        try bench.answer("{}", status: 503)
        let events = bench.events(client).suffix(2)
        #expect(events.map(\.name) == ["stale", "problem"])
        #expect(events.last?.data.contains(#""status":503"#) == true)
        #expect(events.last?.id == nil)
        let late = bench.watch()
        #expect(bench.events(late).map(\.name) == ["data", "stale", "problem"])
        bench.advance(by: .seconds(23))
        try bench.answer("1")
        #expect(bench.texts(client).last == "not-modified {}")
        bench.expectQuiet()
    }

    @Test func whatHasDriftedIsAProblem() throws {
        let bench = try WatchBench { $0.value = .scalar(.int) }
        let client = bench.watch()
        try bench.answer(#""one""#)
        #expect(bench.events(client).last?.data.contains("type-mismatch") == true)
        bench.expectQuiet()
    }

    @Test func statesThatAreNotWantedAreNotTold() throws {
        let bench = try WatchBench { $0.watch?.states = [] }
        let client = bench.watch()
        try bench.answer("1")
        bench.advanceToQuestion()
        try bench.answer("1")
        bench.advanceToQuestion()
        try bench.answer("{}", status: 503)
        #expect(bench.texts(client) == ["data 1"])
        bench.expectQuiet()
    }

    @Test func aSilenceIsBrokenByAComment() throws {
        let bench = try WatchBench {
            $0.watch?.every = .seconds(600)
            $0.watch?.backoffMax = .seconds(600)
        }
        let client = bench.watch()
        try bench.answer("1")
        let before = client.answers.first?.text ?? ""
        bench.advance(by: .seconds(15) + .milliseconds(10))
        #expect(client.answers.first?.text == before + ":\n\n")
        bench.expectQuiet()
    }

    @Test func textPassesAsItIs() throws {
        let bench = try WatchBench { $0.value = nil }
        let client = bench.watch()
        try bench.answer("a\nb")
        #expect(bench.texts(client).last == "data a\nb")
        bench.expectQuiet()
    }

    // MARK: - Clients that come back, or fall behind

    @Test func whoComesBackGetsWhatItHasMissed() throws {
        let bench = try WatchBench()
        let client = bench.watch()
        _ = bench.watch()
        try bench.answer("1")
        let id = try #require(bench.events(client).last?.id)
        client.reset()
        for number in 2...4 {
            bench.advanceToQuestion()
            try bench.answer("\(number)")
        }
        let again = bench.watch("/fruits", "Last-Event-ID: \(id)")
        #expect(bench.texts(again) == ["data 2", "data 3", "data 4"])
        let unknown = bench.watch("/fruits", "Last-Event-ID: 1-1")
        #expect(bench.texts(unknown) == ["data 4"])
        bench.expectQuiet()
    }

    /// Nobody has watched meanwhile, but what was told is kept for a while.
    @Test func whoComesBackAloneGoesOn() throws {
        let bench = try WatchBench()
        let client = bench.watch()
        try bench.answer("1")
        let id = try #require(bench.events(client).last?.id)
        client.reset()
        bench.advance(by: .seconds(30))
        let again = bench.watch("/fruits", "Last-Event-ID: \(id)")
        try bench.answer("1")
        #expect(bench.texts(again) == ["not-modified {}"])
        bench.advanceToQuestion()
        try bench.answer("2")
        #expect(bench.events(again).last?.number == 2)
        bench.expectQuiet()
    }

    @Test func whoIsBehindSkipsToTheLatest() throws {
        let bench = try WatchBench { $0.watch?.every = .seconds(1) }
        let slow = bench.watch()
        let quick = bench.watch()
        slow.window = 100
        for number in 1...6 {
            try bench.answer("[\(number),\"\(String(repeating: "x", count: 40_000))\"]")
            bench.advance(by: .milliseconds(1150))
        }
        slow.take(.max)
        bench.advance(by: .milliseconds(300))
        #expect(bench.events(quick).compactMap(\.number) == [1, 2, 3, 4, 5, 6])
        let numbers = bench.events(slow).compactMap(\.number)
        #expect(numbers.last == 6 && numbers.count < 6 && numbers == numbers.sorted(), "\(numbers)")
        let cells = bench.bench.gateway.generation.cells(of: bench.bench.gateway.generation.table.routes[0])
        #expect(Int(cells.value(BindingCells.skippedChanges)) == 6 - numbers.count)
        for origin in bench.open { bench.answer(origin, "7") }
        bench.expectQuiet()
    }
}
