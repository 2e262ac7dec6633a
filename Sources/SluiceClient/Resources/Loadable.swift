/// Anything that loads: a resource of the gateway, a function, a sequence.
public protocol Loadable<State>: Sendable {
    associatedtype State: LoadableState
    typealias Content = State.Content

    var state: State { get }
    /// The states from now on, the present one first. While somebody iterates, content is loaded as needed.
    var states: AsyncStream<State> { get }
    /// Whether loading again can bring anything.
    var isReloadable: Bool { get }

    /// Loads, unless what is there is good enough or on its way.
    func loadIfNeeded()
    /// Loads, whatever is there.
    func load()
}

/// What loading has led to so far.
public protocol LoadableState<Content>: Sendable {
    associatedtype Content: Sendable

    var isLoading: Bool { get }
    var content: Content? { get }
    var latestError: CallError? { get }
}
