/// Anything that loads: a resource of the gateway, a function, a sequence.
public protocol Loadable<State>: Sendable {
    associatedtype State: LoadableState
    typealias Content = State.Content

    var state: State { get }
    /// The states from now on, the present one first; who is slow sees the newest. Content is loaded where it is needed
    /// when somebody begins to iterate, and again when it is invalidated or given up meanwhile; its age alone asks for
    /// nothing.
    var states: AsyncStream<State> { get }
    /// Whether loading again can bring anything.
    var isReloadable: Bool { get }

    /// Loads, unless what is there is good enough or on its way. The load goes on though nobody iterates or waits.
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
