import SluiceClient
import Testing

/// S14: what is shown, by an ordered list of rules.
@Suite struct DisplayTests {
    typealias State = SimpleLoadableState<Int>

    static let empty = State()
    static let loading = State(isLoading: true)
    static let data = State(content: 1)
    static let reloading = State(isLoading: true, content: 1)
    static let failed = State(latestError: .cancelled)
    static let failedWithData = State(content: 1, latestError: .cancelled)

    static func name(_ display: Display) -> String {
        switch display {
        case .loading: "loading"
        case .error: "error"
        case .data: "data"
        }
    }

    @Test(
        arguments: [
            ([DisplayRule].standard, reloading, "loading"), (.standard, failedWithData, "error"),
            (.standard, data, "data"),
            (.keepData, reloading, "data"), (.keepData, failedWithData, "data"), (.keepData, loading, "loading"),
            (.keepData, failed, "error"), (.quiet, reloading, "data"), (.quiet, failed, "error"),
            (.strict, failedWithData, "error"), (.strict, reloading, "data"), ([.alwaysData], empty, "data"),
        ] as [([DisplayRule], State, String)])
    func s14OneState(rules: [DisplayRule], state: State, shown: String) {
        #expect(Self.name(state.display(rules)) == shown)
    }

    @Test(
        arguments: [
            ([DisplayRule].keepData, "loading"), (.anyDataFirst, "data"), ([.allData, .error], "loading"),
            ([.anyData], "data"),
        ] as [([DisplayRule], String)])
    func s15SeveralStates(rules: [DisplayRule], shown: String) {
        #expect(Self.name(Display.of([Self.data, Self.loading], rules: rules)) == shown)
    }

    /// The trap: rules that match nothing show nothing.
    @Test(
        arguments: [
            ([], empty, "loading"), ([.loading], empty, "loading"), ([.loading], data, "data"),
            ([.allData], failed, "error"), ([], failed, "error"),
        ] as [([DisplayRule], State, String)])
    func s14ThereIsAlwaysSomethingToShow(rules: [DisplayRule], state: State, shown: String) {
        #expect(Self.name(state.display(rules)) == shown)
    }
}
