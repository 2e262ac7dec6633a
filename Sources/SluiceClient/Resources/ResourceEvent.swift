/// What a resource's state last changed by.
public enum ResourceEvent: Hashable, Sendable {
    /// Where new content came from.
    public enum Source: Hashable, Sendable {
        /// The upstream, through the gateway.
        case network
        /// What the gateway had stored (RFC 9211).
        case cache
        /// The program itself.
        case localOverride
        /// Nothing: the content was given up.
        case wipe
    }

    /// Nothing has happened yet.
    case initial
    /// A load or another request has begun.
    case requested
    /// A load was cancelled, or no caller waits for it any more.
    case requestCancelled
    /// There is new content, or none any more.
    case newData(Source)
    /// The content was asked for, and has not changed.
    case notModified
    /// A load has failed.
    case error
    /// The content is to be asked for again at the next occasion.
    case invalidated
}
