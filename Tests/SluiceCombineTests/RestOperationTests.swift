import OpenCombine
import SluiceClient
import SluiceCombine
import Synchronization
import Testing

/// What `$fruit>?` and its like are to OpenCombine.
@Suite struct RestOperationTests {
    static let plum = #"{"name":"plum","size":4,"color":"blue"}"#

    /// R3, the trap: futures start eagerly. Here nothing is sent before somebody demands, and each subscriber has a
    /// call of its own.
    @Test func r3PublishersAreCold() async throws {
        let transport = ScriptedTransport(json: Self.plum)
        let stand = FruitStand.asking(transport)
        let get: RestOperation<Fruit> = stand.$today>?
        let shy = ManualSubscriber<Fruit, CallError>()
        get.subscribe(shy)
        #expect(transport.lines == [], "a subscriber that demands nothing is no reason to ask")
        for _ in 0..<2 {
            let heard = Recorder<Fruit, CallError>(get)
            #expect(await heard.all().map(\.name) == ["plum"])
        }
        #expect(transport.lines == ["GET /fruitoftheday", "GET /fruitoftheday"])
        shy.request(.max(1))
        #expect(await shy.heard.all().map(\.name) == ["plum"])
        #expect(transport.lines.count == 3 && stand.today.name == "plum")
    }

    /// R3: `a ->> b` is b after a, and not at all when a has failed.
    @Test func r3PublishersKeepTheirOrder() async throws {
        let transport = ScriptedTransport { request in
            request.method == "GET" ? .json(Self.plum) : .json("{}", status: 500)
        }
        let stand = FruitStand.asking(transport)
        let get: RestOperation<Fruit> = stand.$today>?
        let post: RestOperation<Account> = stand.$account<!
        let failed = Recorder<Account, CallError>(get ->> post)
        #expect(await failed.all() == [] && failed.failure?.status == 500)
        #expect(transport.lines == ["GET /fruitoftheday", "POST /signin"])
        let never = Recorder<Fruit, CallError>(post ->> get)
        #expect(await never.all() == [] && never.failure?.status == 500)
        #expect(transport.lines.count == 3, "what depends on a failure is not sent")
        let others: AnyPublisher<String, CallError> = get.map(\.color) ->> get.map(\.name)
        #expect(await Recorder(others).all() == ["plum"])
        #expect(transport.lines.count == 5)
    }

    /// What a view is in a program: it keeps its subscriptions and shows what they bring.
    private final class Page {
        var title = ""
        var cancellables: Set<AnyCancellable> = []

        /// The forms of the heritage: an operator's result, `.sink`, `.assign(to:on:)`, `.store(in:)`.
        func signIn(_ stand: FruitStand, _ end: Gate) {
            (stand.$account <- Account(email: "me@example.org", password: "x"))
                .sink(
                    receiveCompletion: { completion in
                        switch completion {
                        case .finished: end.open()
                        case .failure(let error): self.title = error.title
                        }
                    }, receiveValue: { account in self.title = account.email }
                )
                .store(in: &cancellables)
        }

        func appear(_ stand: FruitStand, _ end: Gate) {
            stand.$account<!
                .flatMap { _ in stand.$today>? }
                .map { $0.name }
                .replaceError(with: "no fruit")
                .handleEvents(receiveCompletion: { _ in end.open() })
                .assign(to: \.title, on: self)
                .store(in: &cancellables)
        }
    }

    @Test func r3ResultsArePublished() async {
        let transport = ScriptedTransport { request in
            .json(request.method == "GET" ? Self.plum : "{}")
        }
        let stand = FruitStand.asking(transport)
        let page = Page()
        let isSignedIn = Gate()
        page.signIn(stand, isSignedIn)
        await isSignedIn.pass()
        #expect(page.title == "me@example.org")
        let hasAppeared = Gate()
        page.appear(stand, hasAppeared)
        await hasAppeared.pass()
        #expect(transport.lines == ["POST /signin", "POST /signin", "GET /fruitoftheday"])
        #expect(page.title == "plum" && stand.today.name == "plum")
        page.cancellables = []
    }

    /// A subscriber that cancels ends its call: the transport's task is cancelled, and nothing is told any more.
    @Test func cancellingEndsTheCall() async {
        let begun = Gate()
        let ended = Gate()
        let stand = FruitStand.asking(
            ScriptedTransport { _ in
                begun.open()
                await withTaskCancellationHandler {
                    await ended.pass()
                } onCancel: {
                    ended.open()
                }
                throw CancellationError()
            })
        let heard = Recorder<Fruit, CallError>(stand.$today>?)
        await begun.pass()
        heard.cancel()
        await ended.pass()
        #expect(heard.elements == [] && !heard.isFinished)
    }
}
