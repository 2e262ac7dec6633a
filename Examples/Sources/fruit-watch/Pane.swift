import SluiceClient

/// A part of the screen: one resource, and the rules by which is decided what is shown of it.
struct Pane: Sendable {
    let title: String
    let source: any Loadable
    private let rules: [DisplayRule]
    private let body: @Sendable () -> [String]

    /// - Parameter lines: How content is shown.
    init<Content: Sendable>(
        _ title: String, _ resource: TypedResource<Content>, rules: [DisplayRule],
        lines: @escaping @Sendable (Content) -> [String]
    ) {
        self.title = title
        self.rules = rules
        source = resource
        body = {
            let state = resource.state
            switch state.display(rules) {
            case .data: return state.content.map(lines) ?? []
            case .loading: return ["loading" + (state.progress?.fraction.map { " \(Int($0 * 100)) %" } ?? "")]
            case .error(let error):
                return [error.title, error.detail] + (error.isRetryable ? ["r: try again"] : [])
            }
        }
    }

    /// Its lines, with what is going on behind them in the heading.
    var lines: [String] {
        let state = source.state
        let marks = [state.isLoading ? "…" : nil, state.latestError == nil ? nil : "!"].compactMap(\.self)
        return ["== \(([title] + marks).joined(separator: " "))"] + body().map { "   \($0)" }
    }

    var isLoading: Bool { source.state.isLoading }
    var error: CallError? { source.state.latestError }
}
