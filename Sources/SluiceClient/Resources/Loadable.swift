/// Anything that loads: a resource of the gateway, a function, a sequence.
public protocol Loadable<State>: Sendable {
    /// What is known of it.
    associatedtype State: LoadableState
    typealias Content = State.Content

    /// What is known now.
    var state: State { get }
    /// The states from now on, the present one first; a slow reader sees the newest. Content is loaded if needed when a
    /// caller begins to iterate, and again when it is invalidated or given up meanwhile; its age alone asks for
    /// nothing.
    var states: AsyncStream<State> { get }
    /// Whether loading again can bring anything.
    var isReloadable: Bool { get }

    /// Loads, unless what is there is good enough or on its way. The load goes on although no caller iterates or waits.
    func loadIfNeeded()
    /// Loads, whatever is there.
    func load()
}

/// What loading has led to so far.
public protocol LoadableState<Content>: Sendable {
    /// What loading brings.
    associatedtype Content: Sendable

    /// Whether it is being asked for.
    var isLoading: Bool { get }
    /// The latest content, whatever has failed since.
    var content: Content? { get }
    /// Why the latest load failed; nil once one has succeeded.
    var latestError: CallError? { get }
}
