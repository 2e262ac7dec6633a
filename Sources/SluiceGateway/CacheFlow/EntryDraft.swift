internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// A stored answer in the making: its head, whether it may be stored, and its body as far as it has arrived.
struct EntryDraft: Sendable {
    var place: EntryPlace
    /// The head to be stored, once the answer's head has been judged.
    var head: StoredHead?
    var storability = Storability.refuse(.incomplete)
    /// What the pages after the first say about storing.
    var pages = JoinedControl()
    /// Of the complete body; nil where that is not known yet.
    var length: Int?
    /// The body from `base` on.
    private(set) var bytes: [UInt8] = []
    private(set) var base = 0

    init(_ lookup: CacheLookup) {
        place = EntryPlace(lookup)
    }

    var isStorable: Bool { storability == .store }

    /// Bytes of the body that have arrived.
    var count: Int { base + bytes.count }

    // MARK: - Body

    mutating func reserve() { bytes.reserveCapacity(length ?? 0) }

    mutating func append(_ run: UnsafeRawBufferPointer) { bytes.append(contentsOf: run) }

    /// Counts bytes that no reader needs, and drops the kept ones before them.
    mutating func skip(_ count: Int) {
        base = self.count + count
        bytes.removeAll()
    }

    /// The whole body.
    mutating func set(_ body: [UInt8]) {
        length = body.count
        bytes = body
    }

    /// Drops bytes of an unstored answer that all readers have read.
    mutating func forget(before position: Int) {
        guard position - base > 64 << 10 else { return }
        bytes.removeFirst(position - base)
        base = position
    }

    // MARK: - What is stored of it

    /// The whole answer; nil where it may not be stored, or is not whole.
    /// - Parameter isSlice: whether it is a slice, whose validator is made from its bytes.
    func entry(isSlice: Bool) -> StoredResponse? {
        guard isStorable, var head, base == 0 else { return nil }
        if let length, length != bytes.count { return nil }
        if isSlice {
            var hash = SipHash(0x736c_6963_655f_6574, 0x6167_5f6f_665f_6974)
            bytes.withUnsafeBytes { hash.combine($0) }
            let (high, low) = hash.finish()
            head.append(.etag, Array("\"\(Hexadecimal.text(high))\(Hexadecimal.text(low))\"".utf8))
        }
        return StoredResponse.make(head, key: place.key, bodyCount: bytes.count) { put in bytes.withUnsafeBytes(put) }
    }

    /// The marker to be stored at `key`: it says what selects among this target's answers (RFC 9111 §4.1).
    func marker(at key: CacheKey, now: UInt64) -> StoredResponse? {
        guard let head else { return nil }
        var marker = StoredHead(status: 0, freshness: head.freshness, initialAge: 0, responseTime: now)
        marker.dependencies = []
        return StoredResponse.make(marker, key: key, bodyCount: 0, variance: place.variance) { _ in }
    }
}

/// The key that an answer will be stored under, and what selects it among the answers to its target.
struct EntryPlace: Sendable {
    private(set) var key: CacheKey
    /// What the key of a variant is made from.
    private var base: CacheKey
    private(set) var variance: StoredResponse.Variance?

    init(_ lookup: CacheLookup) {
        key = lookup.key
        base = lookup.primary
    }

    /// The key of the variant that a request selects; nil where it is this one, or where the variants are not known
    /// yet. By then the stored marker may be gone.
    func otherKey(for fields: borrowing HeaderBlock) -> CacheKey? {
        guard let key = variance?.key(base, fields), key != self.key else { return nil }
        return key
    }

    /// Takes from the answer's head what selects among the answers.
    /// - Returns: the key for the marker; nil where the target has only one answer.
    mutating func vary(
        by fields: borrowing HeaderBlock, _ terms: FillTerms, of request: BoundRequest, in loopCache: LoopCache
    ) -> CacheKey? {
        let names = VaryKey.names(fields, adding: [])
        var search = terms.cache.keyParameters == nil ? NoVarySearch(fields) : nil
        key = terms.lookup.primary
        // After a followed redirect, `No-Vary-Search` is about another target's query.
        if search != nil, loopCache.key(of: request, terms.route, terms.cache, target: request.target.bytes) != key {
            search = nil
        }
        base = key
        if names.isEmpty, search == nil { return nil }
        let variance = StoredResponse.Variance(fields: names, search: search)
        self.variance = variance
        var place = key
        if let search {
            let target = request.target.bytes
            let question = target.firstIndex(of: UInt8(ascii: "?")) ?? target.count
            place = loopCache.key(
                of: request, terms.route, terms.cache, target: UnsafeRawBufferPointer(rebasing: target[..<question]))
            base = search.key(place, target)
        }
        key = variance.key(base, request.head.fields)
        return place
    }
}
