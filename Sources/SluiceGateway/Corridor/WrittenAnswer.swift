internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// A value that was written and becomes the stored answer of its resource (`then: {update: …}`).
///
/// It is begun when the upstream has accepted the change, after everything that the change invalidates. Nothing is
/// stored where anything else has touched that answer since the change was sent: the order is unknown then, and the
/// next reader asks the upstream.
struct WrittenAnswer {
    private var draft: EntryDraft
    private let cache: CacheRoute
    private let purgeNumber: UInt64

    /// - Parameter read: a request for the answer.
    init?(_ read: BoundRequest, _ route: Route, _ cache: CacheRoute, in loopCache: LoopCache) {
        let lookup = loopCache.lookUp(read, route, cache)
        // The upstream's answers vary (`Vary`): one stored value would be served to all clients.
        guard lookup.key == lookup.primary else { return nil }
        let terms = FillTerms(
            read, route, cache, lookup, control: CacheControl(), hasAuthorization: false, in: loopCache)
        var fields = HeaderBlock()
        fields.append(.contentType, "application/json")
        loopCache.loop.date.withUnsafeBytes { fields.append(.date, value: $0) }
        var unstored = HeaderBlock()
        let (storability, head) = terms.judge(status: 200, fields, to: read, in: loopCache, unstored: &unstored)
        guard storability == .store else { return nil }
        draft = EntryDraft(CacheLookup(primary: lookup.primary, key: lookup.primary, entry: nil))
        draft.storability = storability
        draft.head = head
        self.cache = cache
        purgeNumber = terms.purgeNumber
    }

    /// - Parameter value: the validated value, as clients get it.
    mutating func keep(_ value: [UInt8], in loopCache: LoopCache) {
        guard value.count <= loopCache.store.entryBytesMax else { return }
        draft.set(value)
        guard let entry = draft.entry(isSlice: true) else { return }
        if loopCache.keep(entry, cache, since: purgeNumber) { loopCache.tally.stored() }
    }
}
