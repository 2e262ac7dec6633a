import Testing

@testable import SluiceClient

/// S15 to S17: several at once, fakes, and other things that load.
@Suite struct LoadableTests {
    @Test func s15ContentsOfSeveral() {
        let one = TypedResource.fake(1)
        let two = TypedResource.fake("two")
        let contents = LoadableGroup.contents(of: one, two)
        #expect(contents?.0 == 1 && contents?.1 == "two")
        #expect(LoadableGroup.contents(of: one, TypedResource<Int>.fakeLoading()) == nil)
    }

    @Test func s15AGroupsDisplay() async {
        let gate = Gate()
        let slow = TypedResource.loading {
            await gate.pass()
            return 2
        }
        let group = LoadableGroup(TypedResource.fake(1), slow, rules: .keepData)
        var seen: [String] = []
        for await display in group.displays {
            seen.append(DisplayTests.name(display))
            if seen.last == "loading" { gate.open() }
            if seen.last == "data" { break }
        }
        #expect(seen.first == "loading" && seen.last == "data")
    }

    /// S15: one resource leads to the next.
    @Test func s15NestedResources() async throws {
        let transport = ScriptedTransport { request in
            request.target == "/posts/1" ? .json(#"{"userId":7}"#) : .json(#"{"email":"\#(request.target)"}"#)
        }
        struct Post: Decodable { var userId: Int }
        struct User: Decodable { var email: String }
        let service = ResourceService(client: GatewayClient(transport: transport))
        let post = try await service.resource("/posts").child("1").typed(Post.self).value()
        let user = try await service.resource("/users").child("\(post.userId)").typed(User.self).value()
        #expect(user.email == "/users/7")
    }

    /// S16: fakes in three states, which stay as they are.
    @Test func s16Fakes() async throws {
        let content = TypedResource.fake(1)
        let failed = TypedResource<Int>.fakeFailure(.problem(GatewayProblem(.draining, status: 503)))
        let loading = TypedResource<Int>.fakeLoading()
        for fake in [content, failed, loading] {
            fake.loadIfNeeded()
            fake.load()
            #expect(!fake.isReloadable)
        }
        #expect(content.content == 1 && content.state.isUpToDate)
        #expect(try await content.value() == 1)
        #expect(failed.state.latestError?.kind == .draining)
        await #expect(throws: CallError.self) { try await failed.value() }
        #expect(loading.state.isLoading && loading.content == nil)
        let waiting = Task { try await loading.value() }
        waiting.cancel()
        await #expect(throws: CallError.self) { try await waiting.value }
    }

    /// S17: a function loads like a resource; the trap is that loading again is not seen as loading.
    /// S16: what is told to a fake changes nothing of it, but for content of the program's own.
    @Test func fakesStayAsTheyAre() async throws {
        let content = TypedResource.fake(1)
        let failed = TypedResource<Int>.fakeFailure(.cancelled)
        let loading = TypedResource<Int>.fakeLoading()
        for fake in [content, failed, loading] {
            fake.invalidate()
            fake.wipe()
            _ = try await fake.whileRequesting(.outdates) { () async throws(CallError) in WholeAnswer(status: 200) }
        }
        #expect(content.content == 1 && content.state.isUpToDate && content.state.event == .newData(.network))
        #expect(failed.state.latestError != nil && loading.state.isLoading)
        content.override(2)
        content.invalidate()
        #expect(try await content.value() == 2)
    }

    @Test func s17FunctionsLoad() async throws {
        let gates = [Gate(), Gate()]
        let calls = Locked(0)
        let answer = TypedResource.loading { () async throws -> Int in
            let call = calls.withLock { calls in
                calls += 1
                return calls
            }
            await gates[call - 1].pass()
            return 41 + call
        }
        gates[0].open()
        #expect(try await answer.value() == 42)
        answer.load()
        #expect(answer.state.isLoading && answer.content == 42)
        gates[1].open()
        #expect(try await answer.freshValueOrHeld() == 43)
    }

    @Test func s17SequencesLoad() async {
        let sequence = LoadableSequence {
            AsyncThrowingStream<Int, any Error> { continuation in
                continuation.yield(1)
                continuation.yield(2)
                continuation.finish(throwing: CallError.cancelled)
            }
        }
        #expect(!sequence.state.isLoading)
        for await state in sequence.states where state.latestError != nil { break }
        #expect(sequence.state.content == 2 && sequence.isReloadable)
    }

    @Test func s13ContentSeenAsSomethingElse() async {
        let all = TypedResource.fake([Fruit(name: "fig", size: 1, color: "green")])
        let fig = all.map { $0.first { $0.name == "fig" } }
        #expect(fig.state.content?.size == 1)
        #expect(all.map { $0.first { $0.name == "kiwi" } }.state.content == nil)
        for await state in fig.states {
            #expect(state.content?.name == "fig")
            break
        }
    }
}

extension TypedResource {
    /// Waits for the load that is in flight.
    fileprivate func freshValueOrHeld() async throws -> Content {
        for await state in states where !state.isLoading {
            if let content = state.content { return content }
        }
        throw CallError.cancelled
    }
}

/// Several at once, and sequences, while those who look on come and go.
@Suite struct LoadableWatchersTests {
    /// What is told last is what was there last, whoever of the members changed it.
    @Test func s15AGroupEndsOnItsLatestDisplay() async {
        for _ in 0..<100 {
            let members = (0..<6).map { number in TypedResource.loading { number } }
            let group = LoadableGroup(
                members[0], members[1], members[2], members[3], members[4], members[5], rules: .keepData)
            var hasData = false
            for await display in group.displays {
                if case .data = display { hasData = true }
                if hasData { break }
            }
            #expect(hasData)
        }
    }

    private final class Source: Sendable {
        let begun = Locked(0)
        let ended = Inbox<Void>()

        /// Brings its number, and nothing more.
        var elements: AsyncStream<Int> {
            let number = begun.withLock { begun in
                begun += 1
                return begun
            }
            return AsyncStream { continuation in
                continuation.onTermination = { [ended] _ in ended.put(()) }
                continuation.yield(number)
            }
        }
    }

    /// S18: a sequence is followed as long as somebody iterates, and again for the next who comes.
    @Test func s18ASequenceIsNotFollowedForNobody() async {
        let source = Source()
        let sequence = LoadableSequence { source.elements }
        for number in 1...2 {
            for await state in sequence.states where state.content == number { break }
            await source.ended.take()
            #expect(!sequence.state.isLoading && sequence.state.content == number)
        }
        sequence.loadIfNeeded()
        for await state in sequence.states where state.content == 3 { break }
        #expect(source.begun.withLock { $0 } == 3)
        // It was asked for by one who does not iterate; a new load takes its place.
        sequence.load()
        await source.ended.take()
        for await state in sequence.states where state.content == 4 { break }
    }
}
