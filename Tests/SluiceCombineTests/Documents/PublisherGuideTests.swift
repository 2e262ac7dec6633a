import OpenCombine
import SluiceClient
import SluiceCombine
import Testing

/// The example of publishers in docs/CLIENT.md, as it stands there.
@Suite struct PublisherGuideTests {
    private final class View {
        let stand: FruitStand
        var title = ""
        var isWaiting = true
        var cancellables: Set<AnyCancellable> = []

        init(_ stand: FruitStand) {
            self.stand = stand
        }

        func appear() {
            (stand.$account <- Account(email: "me@example.org", password: "x") as RestOperation<Account>)
                .flatMap { _ in self.stand.$today>? }
                .map { $0.name }
                .replaceError(with: "no fruit")
                .assign(to: \.title, on: self)
                .store(in: &cancellables)
            stand.$fruits.statePublisher()
                .sink { self.isWaiting = $0.isRequesting }
                .store(in: &cancellables)
        }
    }

    @Test func aViewAppears() async {
        let stand = FruitStand.asking(
            ScriptedTransport { request in .json(request.method == "GET" ? RestOperationTests.plum : "{}") })
        let view = View(stand)
        view.appear()
        for await state in stand.$today.states where state.value.name == "plum" { break }
        #expect(stand.account.email == "me@example.org")
        // Its subscriptions keep a view that they assign to.
        view.cancellables = []
    }
}
