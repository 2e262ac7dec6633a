/// Everything that a program can know of a resource at one moment, as one value.
public struct ResourceState<Content: Sendable>: Sendable, LoadableState {
    /// The latest content, whatever has failed since.
    public var latestData: ResourceData<Content>?
    /// Why the latest load failed; nil once one has succeeded. A wrong type is an error, and has the answer in it.
    public var latestError: CallError?
    /// Whether the content is being asked for.
    public var isLoading: Bool
    /// Whether anything is being asked or sent.
    public var isRequesting: Bool
    /// Whether the content is young enough not to be asked for again.
    public var isUpToDate: Bool
    /// When the content or the error came.
    public var timestamp: ContinuousClock.Instant?
    /// How far the load is.
    public var progress: LoadProgress?
    /// What made the state what it is.
    public var event: ResourceEvent

    /// The latest content.
    public var content: Content? { latestData?.content }

    /// A state of a program's own, for fakes and tests.
    public init(
        latestData: ResourceData<Content>? = nil, latestError: CallError? = nil, isLoading: Bool = false,
        isRequesting: Bool = false, isUpToDate: Bool = false, timestamp: ContinuousClock.Instant? = nil,
        progress: LoadProgress? = nil, event: ResourceEvent = .initial
    ) {
        self.latestData = latestData
        self.latestError = latestError
        self.isLoading = isLoading
        self.isRequesting = isRequesting
        self.isUpToDate = isUpToDate
        self.timestamp = timestamp
        self.progress = progress
        self.event = event
    }

    /// The same state with other content.
    public func map<Other: Sendable>(_ transform: (Content) -> Other?) -> ResourceState<Other> {
        let data = latestData.flatMap { data in
            transform(data.content).map {
                ResourceData<Other>(
                    content: $0, timestamp: data.timestamp, etag: data.etag, mediaType: data.mediaType)
            }
        }
        return ResourceState<Other>(
            latestData: data, latestError: latestError, isLoading: isLoading, isRequesting: isRequesting,
            isUpToDate: isUpToDate, timestamp: timestamp, progress: progress, event: event)
    }
}
