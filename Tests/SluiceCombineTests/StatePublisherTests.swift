import OpenCombine
import SluiceClient
import SluiceCombine
import Synchronization
import Testing

/// States of what changes, as publishers.
@Suite struct StatePublisherTests {
    /// The present state first, then what a call does to it; one that demands one at a time is never told more.
    @Test func r3StatesArePublished() async throws {
        let gate = Gate()
        let stand = FruitStand.asking(
            ScriptedTransport { _ in
                await gate.pass()
                return .json(RestOperationTests.plum)
            })
        let watcher = ManualSubscriber<RestState<Fruit>, Never>()
        stand.$today.statePublisher().subscribe(watcher)
        watcher.request(.max(1))
        #expect(await watcher.elements(1).map(\.value.name) == ["strawberry"])
        let call = Task { try await stand.$today.get() }
        watcher.request(.max(1))
        #expect(await watcher.elements(2).last?.isRequesting == true)
        gate.open()
        _ = try await call.value
        #expect(watcher.heard.elements.count == 2, "no more than is demanded")
        watcher.request(.max(1))
        #expect(await watcher.elements(3).last?.value.name == "plum")
        watcher.cancel()
        stand.today.name = "fig"
        watcher.request(.max(1))
        #expect(watcher.heard.elements.count == 3 && !watcher.heard.isFinished)
    }

    @Test func valuesArePublished() async {
        let stand = FruitStand()
        let watcher = ManualSubscriber<String, Never>()
        stand.$today.valuePublisher().map(\.name).removeDuplicates().subscribe(watcher)
        watcher.request(.unlimited)
        #expect(await watcher.elements(1) == ["strawberry"])
        stand.today.name = "fig"
        #expect(await watcher.elements(2) == ["strawberry", "fig"])
        watcher.cancel()
    }

    /// S11: a resource loads when somebody demands its state; content comes when there is some.
    @Test func s11ResourcesArePublished() async {
        let transport = ScriptedTransport(json: RestOperationTests.plum)
        let service = ResourceService(client: GatewayClient(transport: transport))
        let plum: TypedResource<Fruit> = service.resource("/fruits").child("plum").typed()
        let contents = Recorder<Fruit, Never>(plum.contentPublisher().first())
        #expect(await contents.all().map(\.name) == ["plum"])
        #expect(transport.lines == ["GET /fruits/plum"])
        let optional = Recorder<Fruit?, Never>(TypedResource<Fruit>.fakeLoading().optionalContentPublisher().first())
        #expect(await optional.all() == [nil])
        let states = Recorder<ResourceState<Fruit>, Never>(plum.statePublisher().first())
        #expect(await states.all().map(\.event) == [.newData(.network)])
    }

    /// S18: the last subscriber's cancelling ends the load.
    @Test func s18TheLastSubscriberCancels() async {
        let begun = Gate()
        let ended = Gate()
        let resource = TypedResource.loading { () async throws -> Int in
            begun.open()
            await withTaskCancellationHandler {
                await ended.pass()
            } onCancel: {
                ended.open()
            }
            throw CancellationError()
        }
        let heard = Recorder<Int, Never>(resource.contentPublisher())
        await begun.pass()
        heard.cancel()
        await ended.pass()
        #expect(heard.elements == [])
    }

    @Test func s15DisplaysArePublished() async {
        let group = LoadableGroup(TypedResource.fake(1), TypedResource.fake("a"), rules: .keepData)
        let heard = Recorder<Display, Never>(group.displayPublisher().first())
        guard case .data = await heard.all().first else {
            Issue.record("\(heard.elements)")
            return
        }
    }

    /// S17: any publisher loads like a resource; loading again subscribes again.
    @Test func s17PublishersLoad() async {
        let second = Gate()
        let transport = ScriptedTransport { request in
            if request.target.hasSuffix("again") { await second.pass() }
            return .json(RestOperationTests.plum)
        }
        let stand = FruitStand.asking(transport)
        let calls = Mutex(["again", "first"])
        let fruit = Deferred { () -> RestOperation<Fruit> in
            let call = calls.withLock { $0.removeLast() }
            return (stand.$today ++ ["call": call])>?
        }.map(\.name).loadable()
        #expect(transport.lines == [])
        for await state in fruit.states where !state.isLoading { break }
        #expect(fruit.state.content == "plum")
        fruit.load()
        #expect(fruit.state.isLoading && fruit.state.content == "plum")
        second.open()
        for await state in fruit.states where !state.isLoading { break }
        #expect(transport.lines == ["GET /fruitoftheday?call=first", "GET /fruitoftheday?call=again"])
        let failing = Fail<Int, CallError>(error: .cancelled).loadable()
        for await state in failing.states where state.latestError != nil { break }
        #expect(failing.state.content == nil && !failing.state.isLoading)
    }

    /// Subscribers that demand and cancel at the same time, each from threads of its own: nothing is told behind the
    /// end, and nobody hangs.
    @Test func demandsAndCancelsFromAllSides() async {
        let stand = FruitStand()
        await withTaskGroup { group in
            for turn in 0..<100 {
                let watcher = ManualSubscriber<RestState<Fruit>, Never>()
                stand.$today.statePublisher().subscribe(watcher)
                for _ in 0..<3 { group.addTask { watcher.request(.max(2)) } }
                group.addTask { stand.today.size = turn }
                group.addTask { watcher.cancel() }
            }
        }
        let watcher = ManualSubscriber<RestState<Fruit>, Never>()
        stand.$today.statePublisher().subscribe(watcher)
        watcher.request(.max(1))
        #expect(await watcher.elements(1).count == 1)
        watcher.cancel()
    }
}
