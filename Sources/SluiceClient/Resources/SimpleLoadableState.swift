/// The least that a state says.
public struct SimpleLoadableState<Content: Sendable>: LoadableState {
    /// Whether it is being asked for.
    public var isLoading: Bool
    /// The latest content, whatever has failed since.
    public var content: Content?
    /// Why the latest load failed; nil once one has succeeded.
    public var latestError: CallError?

    /// A state; without arguments that of what was never asked for.
    public init(isLoading: Bool = false, content: Content? = nil, latestError: CallError? = nil) {
        self.isLoading = isLoading
        self.content = content
        self.latestError = latestError
    }
}
