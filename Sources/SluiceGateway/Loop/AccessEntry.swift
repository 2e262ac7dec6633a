public import SluiceContract
public import SluiceHTTP

/// What the access log says of an exchange.
public struct AccessEntry: ~Copyable {
    public var client: [UInt8] = []
    public var method = UnsafeRawBufferPointer.empty
    public var target = UnsafeRawBufferPointer.empty
    public var version = HTTPVersion.http11
    public var status = 0
    /// Bytes of the answer's body.
    public var bytes = 0
    /// Bytes of the request's body.
    public var receivedBytes = 0
    public var nanoseconds: UInt64 = 0
    public var binding: String?
    public var problem: Problem.Kind?
    /// The name under `clients:` whose key came with the request.
    public var clientName: String?
    /// What the upstream was shown for the answer, now or when it was stored.
    public var credential: String?
    /// Where requests are traced.
    public var traceID: TraceID?
    /// nil where none was needed.
    public var upstream: UpstreamUse?
    /// nil where the cache was not asked.
    public var cache: CacheUse?
    /// Of the request; empty without the field.
    public var referer = UnsafeRawBufferPointer.empty
    public var userAgent = UnsafeRawBufferPointer.empty

    /// What an upstream did for the answer.
    public struct UpstreamUse: Hashable, Sendable {
        public var name: String
        /// Requests that went out, and connections that could not be made; 0 where it was another client's request that
        /// was waited for.
        public var attempts: Int
        /// How long it was at work, or waited for.
        public var nanoseconds: UInt64
    }

    /// What the cache did, in the words of RFC 9211.
    public struct CacheUse: Hashable, Sendable {
        /// `hit`, or why the request went forward.
        public var outcome: String
        public var isCollapsed = false
        public var detail: String?
    }
}
