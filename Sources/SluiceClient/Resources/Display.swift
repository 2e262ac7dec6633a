/// What a view shows of one or several things that load.
public enum Display: Sendable {
    /// A sign that something is on its way.
    case loading
    /// What went wrong.
    case error(CallError)
    /// The content, which is in the states.
    case data

    /// Decides by an ordered list of rules; a pure function.
    ///
    /// Where no rule fits there is still an answer: data that is all there, else an error, else loading. A view is
    /// never without anything to show.
    public static func of(_ states: [any LoadableState], rules: [DisplayRule]) -> Display {
        for rule in rules + [.allData, .error] {
            switch rule {
            case .anyData: if states.contains(where: \.hasContent) { return .data }
            case .allData: if states.allSatisfy(\.hasContent) { return .data }
            case .alwaysData: return .data
            case .loading: if states.contains(where: \.isLoading) { return .loading }
            case .error: if let error = states.lazy.compactMap(\.latestError).first { return .error(error) }
            }
        }
        return .loading
    }
}

extension LoadableState {
    /// What a view shows of this state.
    public func display(_ rules: [DisplayRule] = .standard) -> Display {
        Display.of([self], rules: rules)
    }

    fileprivate var hasContent: Bool { content != nil }
}
