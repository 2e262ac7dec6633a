/// Content with what is known of it.
public struct ResourceData<Content: Sendable>: Sendable {
    /// What the answer was read as.
    public var content: Content
    /// When the content was what the upstream said: what lay in the gateway's cache is as old as its `Age` tells.
    public var timestamp: ContinuousClock.Instant
    /// The validator for asking whether it has changed (RFC 9110 §8.8.3).
    public var etag: String?
    /// The answer's media type.
    public var mediaType: String?

    /// Content of a program's own, for fakes and tests.
    public init(
        content: Content, timestamp: ContinuousClock.Instant, etag: String? = nil, mediaType: String? = nil
    ) {
        self.content = content
        self.timestamp = timestamp
        self.etag = etag
        self.mediaType = mediaType
    }
}
