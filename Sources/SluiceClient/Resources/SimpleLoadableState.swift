/// The least that a state says.
public struct SimpleLoadableState<Content: Sendable>: LoadableState {
    public var isLoading: Bool
    public var content: Content?
    public var latestError: CallError?

    public init(isLoading: Bool = false, content: Content? = nil, latestError: CallError? = nil) {
        self.isLoading = isLoading
        self.content = content
        self.latestError = latestError
    }
}
