internal import SluiceContract

/// What an operator should know of, though every client got its answer.
public enum GatewayNotice: Sendable, Equatable {
    /// The upstream sent more than the length that it announced. The rest was dropped and the connection closed.
    case surplus(upstream: String)

    /// The same is told once in this time, by each loop.
    static let quietNanoseconds: UInt64 = 60_000_000_000
}

extension Gateway {
    /// What is behind the end of an answer may be the beginning of somebody else's: nobody looks at it (RFC 9112 §6.3).
    func noteSurplus(_ upstream: UpstreamRuntime) {
        if let last = upstream.surplusNotedAt, now &- last < GatewayNotice.quietNanoseconds { return }
        upstream.surplusNotedAt = now
        notice?(.surplus(upstream: upstream.settings.name))
    }
}
