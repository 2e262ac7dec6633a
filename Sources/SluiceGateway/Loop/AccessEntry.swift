public import SluiceContract
public import SluiceHTTP

/// An exchange as the access log reports it.
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
    /// The name under `clients:` that the request's key belongs to.
    public var clientName: String?
    /// The credential that the upstream was shown for the answer, now or when it was stored.
    public var credential: String?
    /// Set where requests are traced.
    public var traceID: TraceID?
    /// nil where no upstream was needed.
    public var upstream: UpstreamUse?
    /// nil where the cache was not consulted.
    public var cache: CacheUse?
    /// Fields of the request; empty where it lacks them.
    public var referer = UnsafeRawBufferPointer.empty
    public var userAgent = UnsafeRawBufferPointer.empty

    /// What an upstream did for the answer.
    public struct UpstreamUse: Hashable, Sendable {
        public var name: String
        /// Requests that were sent, and connections that could not be made; 0 where the exchange waited for another
        /// client's request.
        public var attempts: Int
        /// How long the upstream worked, or was waited for.
        public var nanoseconds: UInt64
    }

    /// What the cache did, in the words of RFC 9211.
    public struct CacheUse: Hashable, Sendable {
        /// `hit`, or why the request was forwarded.
        public var outcome: String
        public var isCollapsed = false
        public var detail: String?
    }
}
