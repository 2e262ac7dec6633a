import Observation
import Testing

@testable import SluiceClient

/// Resources over a gateway: the rows S of docs/HERITAGE.md.
@Suite struct TypedResourceTests {
    let clock = ManualClock()

    private func service(_ transport: ScriptedTransport, keptMax: Int = 100) -> ResourceService {
        ResourceService(client: GatewayClient(transport: transport), keptMax: keptMax, now: { [clock] in clock.now })
    }

    static let plum = #"{"name":"plum","size":4,"color":"blue"}"#

    /// S1: everything is one value.
    @Test func s1TheStateIsOneValue() async throws {
        let etag = CallField("ETag", "\"1\"")
        let resource = service(ScriptedTransport(json: Self.plum, fields: [etag])).resource("/plum").typed(Fruit.self)
        #expect(resource.state.content == nil && !resource.state.isLoading && resource.state.event == .initial)
        #expect(try await resource.value().name == "plum")
        let state = resource.state
        #expect(state.content?.name == "plum" && state.latestError == nil && !state.isLoading && !state.isRequesting)
        #expect(state.isUpToDate && state.timestamp == clock.now && state.event == .newData(.network))
        #expect(state.latestData?.etag == "\"1\"" && state.latestData?.mediaType == "application/json")
    }

    /// S1: one object for each address and type.
    @Test func s1OneObjectForEachAddressAndType() {
        let service = service(ScriptedTransport(json: Self.plum))
        let first = service.resource("/x?b=1&a=2").typed(Fruit.self)
        #expect(first === service.resource("/x").withParam("a", 2).withParam("b", 1).typed(Fruit.self))
        #expect(first !== service.resource("/x").typed(Fruit.self))
        #expect(service.resource("/x?b=1&a=2").typed(Account.self).content == nil)
    }

    @Test func s1ResourcesThatNobodyUsesAreLetGo() {
        let service = service(ScriptedTransport(json: Self.plum), keptMax: 2)
        weak let old = service.resource("/0").typed(Fruit.self)
        #expect(old != nil, "the latest stay")
        for index in 1...2 { _ = service.resource("/\(index)").typed(Fruit.self) }
        #expect(old == nil)
    }

    /// S2: several who need it make one call; nothing is sent while it is fresh; `freshValue` always asks.
    @Test func s2LoadsAreJoined() async throws {
        let gate = Gate()
        let transport = ScriptedTransport { _ in
            await gate.pass()
            return .json(Self.plum)
        }
        let resource = service(transport).resource("/plum").typed(Fruit.self)
        resource.loadIfNeeded()
        async let first = resource.value()
        async let second = resource.value()
        #expect(resource.state.isLoading)
        gate.open()
        #expect(try await [first, second].map(\.name) == ["plum", "plum"])
        _ = try await resource.value()
        #expect(transport.lines == ["GET /plum"])
        try await resource.freshValue()
        #expect(transport.lines.count == 2)
        #expect(transport.requests[0].fields["Cache-Control"] == nil)
        #expect(transport.requests[1].fields["Cache-Control"] == "no-cache")
        clock.advance(by: .seconds(30))
        _ = try await resource.value()
        #expect(transport.lines.count == 3)
    }

    /// S4: revalidation by the tag; 304 keeps the content; a failure keeps it too.
    @Test func s4Revalidation() async throws {
        let transport = ScriptedTransport { request in
            request.fields["If-None-Match"] == "\"1\""
                ? WholeAnswer(status: 304) : .json(Self.plum, fields: [CallField("ETag", "\"1\"")])
        }
        let resource = service(transport).resource("/plum").typed(Fruit.self)
        _ = try await resource.value()
        clock.advance(by: .seconds(31))
        #expect(try await resource.value().name == "plum")
        #expect(resource.state.event == .notModified && resource.currentState.isUpToDate)
        #expect(transport.requests.map { $0.fields["If-None-Match"] } == [nil, "\"1\""])
    }

    /// S4, the trap: a 304 when nothing is stored any more is no error: it is asked for whole, and who waits is told.
    @Test func s4NotModifiedAfterAWipe() async throws {
        let box = Locked<TypedResource<Fruit>?>(nil)
        let transport = ScriptedTransport { request in
            guard request.fields["If-None-Match"] != nil else {
                return .json(Self.plum, fields: [CallField("ETag", "\"1\"")])
            }
            box.withLock { $0 }?.wipe()
            return WholeAnswer(status: 304)
        }
        let resource = service(transport).resource("/plum").typed(Fruit.self)
        box.withLock { $0 = resource }
        _ = try await resource.value()
        #expect(try await resource.freshValue().name == "plum")
        #expect(transport.requests.map { $0.fields["If-None-Match"] } == [nil, "\"1\"", nil])
        #expect(transport.requests.last?.fields["Cache-Control"] == "no-cache")
        box.withLock { $0 = nil }
    }

    /// S5: what a POST answers does not become what GET holds, unless told; afterwards it is asked for again.
    @Test func s5MutationsDoNotOverwrite() async throws {
        let transport = ScriptedTransport { request in
            .json(request.method == "GET" ? Self.plum : #"{"name":"fig","size":1,"color":"green"}"#)
        }
        let place = service(transport).resource("/plum")
        let resource = place.typed(Fruit.self)
        _ = try await resource.value()
        let answer = try await place.request(.post, ["name": "fig"], as: Fruit.self)
        #expect(answer.name == "fig" && resource.content?.name == "plum" && !resource.currentState.isUpToDate)
        _ = try await resource.value()
        #expect(transport.requests.last?.fields["Cache-Control"] == "no-cache")
        try await place.request(.put, ["name": "fig"], holding: Fruit.self)
        #expect(resource.content?.name == "fig" && resource.currentState.isUpToDate)
        try await place.request(.head)
        #expect(resource.currentState.isUpToDate, "a safe method changes nothing")
    }

    /// S6: invalidate, wipe, override; the trap is that a copy stays elsewhere: the next load passes the gateway's
    /// cache.
    @Test func s6InvalidateWipeOverride() async throws {
        let transport = ScriptedTransport(json: Self.plum)
        let service = service(transport)
        let resource = service.resource("/plum").typed(Fruit.self)
        _ = try await resource.value()
        service.invalidate { $0.path == "/other" }
        #expect(resource.currentState.isUpToDate)
        service.invalidate { $0.path == "/plum" }
        #expect(resource.content != nil && !resource.currentState.isUpToDate)
        _ = try await resource.value()
        service.wipe()
        #expect(resource.content == nil)
        _ = try await resource.value()
        #expect(transport.requests.map { $0.fields["Cache-Control"] } == [nil, "no-cache", "no-cache"])
        resource.override(Fruit(name: "own", size: 1, color: "red"))
        #expect(try await resource.value().name == "own")
        #expect(resource.state.event == .newData(.localOverride) && transport.lines.count == 3)
    }

    /// S9, the trap: what a cache had for a while is not fresh from now on; its age counts.
    @Test func s9TheAgeOfStoredAnswersCounts() async throws {
        let fields = [CallField("Age", "25"), CallField("Cache-Status", "sluice; hit; ttl=35")]
        let resource = service(ScriptedTransport(json: Self.plum, fields: fields)).resource("/p").typed(Fruit.self)
        _ = try await resource.value()
        #expect(resource.state.event == .newData(.cache) && resource.currentState.isUpToDate)
        clock.advance(by: .seconds(5))
        #expect(!resource.currentState.isUpToDate)
    }

    /// S11: events, as a sequence. One who is slow misses none.
    @Test func s11EventsOfALoad() async throws {
        let resource = service(ScriptedTransport(status: 500, json: "")).resource("/plum").typed(Fruit.self)
        let events = resource.events
        await #expect(throws: CallError.self) { try await resource.value() }
        #expect(resource.state.latestError?.status == 500)
        resource.override(Fruit(name: "own", size: 1, color: "red"))
        resource.invalidate()
        var seen: [ResourceEvent] = []
        for await event in events {
            seen.append(event)
            if seen.count == 5 { break }
        }
        #expect(seen == [.requested, .error, .newData(.localOverride), .invalidated, .requested])
    }

    /// S11: observation.
    @Test func s11ViewsAreTold() async throws {
        let resource = service(ScriptedTransport(json: Self.plum)).resource("/plum").typed(Fruit.self)
        await confirmation { changed in
            withObservationTracking {
                _ = resource.state
            } onChange: {
                changed()
            }
            resource.override(Fruit(name: "own", size: 1, color: "red"))
        }
    }

    /// S13: a wrong type is an error, and keeps what came and what was there.
    @Test func s13AWrongTypeIsAnError() async throws {
        let answers = Locked([Self.plum, #"{"name":7}"#])
        let transport = ScriptedTransport { _ in .json(answers.withLock { $0.removeFirst() }) }
        let resource = service(transport).resource("/plum").typed(Fruit.self)
        _ = try await resource.value()
        await #expect(throws: CallError.self) { try await resource.freshValue() }
        #expect(resource.content?.name == "plum")
        #expect(resource.state.latestError?.body == Array(#"{"name":7}"#.utf8))
    }

    /// S18: the last who has gone lets the load end; while another waits, it goes on.
    @Test func s18TheLastObserverCancels() async throws {
        let began = Gate()
        let ended = Gate()
        let transport = ScriptedTransport { _ in
            began.open()
            do {
                try await Task.sleep(for: .seconds(600))
            } catch {
                ended.open()
                throw error
            }
            return .json(Self.plum)
        }
        let resource = service(transport).resource("/plum").typed(Fruit.self)
        let first = Task { try await resource.value() }
        await began.pass()
        let states = resource.states
        let watching = Task { for await _ in states {} }
        first.cancel()
        await #expect(throws: CallError.self) { try await first.value }
        #expect(resource.state.isLoading, "somebody is still watching")
        watching.cancel()
        await ended.pass()
        await watching.value
        #expect(resource.state.event == .requestCancelled && resource.state.latestError == nil)
    }

    /// S18: a load that nobody waits for any more is not joined by those who come then.
    @Test func s18WhoComesAfterTheLastBeginsAnew() async throws {
        let began = Gate()
        let gate = Gate()
        let calls = Locked(0)
        let transport = ScriptedTransport { _ in
            let isFirst = calls.withLock { calls in
                calls += 1
                return calls == 1
            }
            if isFirst {
                began.open()
                await gate.pass()
            }
            return .json(Self.plum)
        }
        let resource = service(transport).resource("/plum").typed(Fruit.self)
        let first = Task { try await resource.value() }
        await began.pass()
        first.cancel()
        await #expect(throws: CallError.self) { try await first.value }
        #expect(!resource.state.isLoading && resource.state.event == .requestCancelled)
        #expect(try await resource.value().name == "plum")
        gate.open()
        #expect(calls.withLock { $0 } == 2)
    }

    /// S18: progress, by bytes.
    @Test func s18Progress() async throws {
        let gate = Gate()
        let resource = ResourceService(client: GatewayClient(transport: SlowTransport(gate: gate)))
            .resource("/p").typed([Int].self)
        var fraction: Double?
        for await state in resource.states {
            if state.progress?.received == 2 {
                fraction = state.progress?.fraction
                gate.open()
            }
            if state.content != nil { break }
        }
        #expect(fraction == 0.5)
        #expect(resource.content == [12] && resource.state.progress == nil)
        #expect(LoadProgress(received: 5).fraction == nil && LoadProgress(expected: 0).fraction == 1)
    }

    /// A document that never ends is given up in the call's time.
    @Test func aLoadHasATimeLimit() async {
        let client = GatewayClient(transport: SlowTransport(gate: Gate())).with(timeout: .milliseconds(1))
        let error = await #expect(throws: CallError.self) {
            try await ResourceService(client: client).resource("/p").typed([Int].self).value()
        }
        // Whether the head has come by then is the machine's to say.
        guard case .transport(.timeout) = error else {
            Issue.record("\(error as Any)")
            return
        }
    }

    /// Answers with half a document, and with the rest when it may.
    private struct SlowTransport: Transport {
        let gate: Gate

        func send(_ request: CallRequest, timeout: Duration?) async throws -> CallAnswer {
            let (stream, continuation) = AsyncThrowingStream.makeStream(of: [UInt8].self, throwing: (any Error).self)
            continuation.yield(Array("[1".utf8))
            Task { [gate] in
                await gate.pass()
                continuation.yield(Array("2]".utf8))
                continuation.finish()
            }
            return CallAnswer(
                status: 200, fields: [CallField("Content-Length", "4")], body: AnswerBody(stream))
        }
    }
}
