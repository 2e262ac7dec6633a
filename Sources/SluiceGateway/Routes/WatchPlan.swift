internal import SluiceCache
internal import SluiceContract

/// `watch:` of a binding, compiled for serving.
final class WatchPlan: Sendable {
    let policy: WatchPolicy
    let everyNanoseconds: UInt64
    let heartbeatNanoseconds: UInt64
    let backoffMaxNanoseconds: UInt64
    /// A stored answer of at most this age is new enough for a poll, if another request has fetched it.
    let freshSeconds: Int
    /// The upstream's event stream, asked for with the same path; it is in no trie.
    let feed: Route?
    /// Which of its events count; nil is all.
    let event: [UInt8]?
    /// By what changes name the value (`then:`).
    let writtenNames: [[UInt8]]
    /// Stands for all that the binding says, so that a changed one has watchers of its own.
    let salt: (UInt64, UInt64)

    /// - Parameters:
    ///   - parts: what bindings say that it is made of.
    ///   - feed: the route of ``Binding/watchFeed``.
    init?(_ binding: Binding, _ upstream: Upstream, _ common: RouteCommon, parts: String, feed: Route?) {
        guard let policy = binding.watch else { return nil }
        self.policy = policy
        everyNanoseconds = policy.every.nanosecondsClamped
        heartbeatNanoseconds = policy.heartbeat.nanosecondsClamped
        backoffMaxNanoseconds = policy.backoffMax.nanosecondsClamped
        freshSeconds = max(0, Int(clamping: everyNanoseconds / 1_000_000_000) * 9 / 10 - 1)
        self.feed = feed
        event = policy.event.map { Array($0.utf8) }
        writtenNames = common.writtenNames(of: binding)
        var hash = SipHash(0, 0)
        var text = common.texts.text(of: binding, upstream) + common.typesDigest + parts
        text.withUTF8 { hash.combine(UnsafeRawBufferPointer($0)) }
        salt = hash.finish()
    }

    func tells(_ state: WatchPolicy.State) -> Bool { policy.states.contains(state) }
}
