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
    /// The route of the upstream's event stream, requested with the same path; it is in no trie.
    let feed: Route?
    /// The event that counts as a change; nil where every event does.
    let event: [UInt8]?
    /// Names by which `then:` of other bindings invalidates the value.
    let writtenNames: [[UInt8]]
    /// A hash of all settings of the binding, so that a changed binding has new watchers.
    let salt: (UInt64, UInt64)

    /// - Parameters:
    ///   - parts: the settings of the bindings that a composed binding is made of, as text.
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
