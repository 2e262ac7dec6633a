internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// A stored answer as newer fields update it.
struct StoredUpdate {
    /// The stored answer with the newer fields.
    let entry: StoredResponse
    let fate: Fate
    /// Fields that are not stored with it.
    let withheld: WithheldFields

    enum Fate {
        /// It replaces the stored answer.
        case replaces
        /// It is only for the client whose credentials were sent; the stored answer stays as it was (RFC 9111 §3.5).
        case isOwn
        /// Neither of them may be stored any more.
        case ends
    }

    /// Adds the newer fields that are not stored, for the client that asked.
    func appendUnstored(of update: borrowing HeaderBlock, _ cache: CacheRoute, to unstored: inout HeaderBlock) {
        for index in 0..<update.count where !update.isMarked(index) {
            let id = update[index].id
            let isWithheld = cache.isUpdated(id) && withheld.contains(update.name(index))
            guard isWithheld || id == .setCookie && !cache.storesSetCookie else { continue }
            unstored.append(name: update.name(index), value: update.value(index))
        }
    }
}

extension StoredResponse {
    /// The stored answer with the newer fields of a 304, or of an answer to HEAD; its body is still right (RFC 9111
    /// §3.2, §4.3.4, §4.3.5).
    /// - Parameters:
    ///   - isOwn: whether the client's own credentials went upstream.
    ///   - delay: from the request to its answer, seconds.
    ///   - dependencies: what the newer one depends on, by its fields.
    func updated(
        by update: borrowing HeaderBlock, _ cache: CacheRoute, isOwn: Bool, delay: Int, _ loop: LoopContext,
        dependencies: (borrowing HeaderBlock) -> [Epochs.Dependency]
    ) -> StoredUpdate {
        var fresh = HeaderBlock()
        merge(update, cache, into: &fresh)
        let facts = CacheFacts(status: status, fresh, now: loop.unixSeconds)
        let withheld = WithheldFields(facts, fresh)
        var head = StoredHead(
            status: status, freshness: Freshness(facts, cache.policy),
            initialAge: Freshness.initialAge(facts, responseDelay: delay, now: loop.unixSeconds),
            responseTime: loop.now)
        for index in 0..<fresh.count where fresh[index].id != .age {
            if cache.isUpdated(fresh[index].id), withheld.contains(fresh.name(index)) { continue }
            head.append(name: fresh.name(index), value: fresh.value(index))
        }
        head.validatorETag =
            update.firstIndex(of: .etag).map { Array(update.value($0)) } ?? validatorETag.map { Array($0) }
        head.validatorLastModified =
            update.firstIndex(of: .lastModified).map { Array(update.value($0)) }
            ?? validatorLastModified.map { Array($0) }
        head.dependencies = dependencies(fresh)
        head.label = label
        let entry = StoredResponse.make(head, key: key, bodyCount: bodyCount) { put in put(body) }
        let isPrivate = facts.control.flags.contains(.private) && !cache.policy.isPrivate
        if facts.control.flags.contains(.noStore) || isPrivate || isSelectedOtherwise(by: update, fresh) {
            return StoredUpdate(entry: entry, fate: .ends, withheld: withheld)
        }
        let isForAll = !isOwn || cache.policy.isPrivate || Storability.allowsAuthorized(facts.control)
        return StoredUpdate(entry: entry, fate: isForAll ? .replaces : .isOwn, withheld: withheld)
    }

    /// Whether newer fields change `Vary` or `No-Vary-Search`: by them, the key of the stored answer no longer selects
    /// it (RFC 9111 §4.1).
    private func isSelectedOtherwise(by update: borrowing HeaderBlock, _ fresh: borrowing HeaderBlock) -> Bool {
        if update.firstIndex(of: .vary) == nil, !NoVarySearch.isIn(update) { return false }
        var own = HeaderBlock()
        StoredHead.read(lines, into: &own)
        return VaryKey.names(fresh, adding: []) != VaryKey.names(own, adding: [])
            || NoVarySearch(fresh) != NoVarySearch(own)
    }

    private func merge(_ update: borrowing HeaderBlock, _ cache: CacheRoute, into fresh: inout HeaderBlock) {
        var merged = HeaderBlock()
        StoredHead.read(lines, into: &merged)
        for index in 0..<update.count where !update.isMarked(index) && cache.isUpdated(update[index].id) {
            merged.markAll(update.name(index))
        }
        for index in 0..<update.count where !update.isMarked(index) && cache.isUpdated(update[index].id) {
            merged.append(name: update.name(index), value: update.value(index))
        }
        for index in 0..<merged.count where !merged.isMarked(index) {
            fresh.append(name: merged.name(index), value: merged.value(index))
        }
        if let index = update.firstIndex(of: .age) { fresh.append(.age, value: update.value(index)) }
    }

    /// Whether a 304 is about this stored answer: its validator, if it has one, is the stored one (RFC 9111 §4.3.4).
    func isNamed(by update: borrowing HeaderBlock) -> Bool {
        guard let index = update.firstIndex(of: .etag) else { return true }
        return validatorETag.map { Preconditions.isSame($0, update.value(index)) } ?? true
    }

    /// Whether an answer to HEAD describes the stored body (RFC 9111 §4.3.5): its validators and its length, as far as
    /// it has them, are the same.
    func agrees(with fields: borrowing HeaderBlock) -> Bool {
        func isSame(_ id: FieldID, _ own: UnsafeRawBufferPointer?) -> Bool {
            guard let index = fields.firstIndex(of: id) else { return true }
            return own.map { $0.elementsEqual(fields.value(index)) } ?? false
        }
        guard isSame(.etag, validatorETag), isSame(.lastModified, validatorLastModified) else { return false }
        guard let index = fields.firstIndex(of: .contentLength) else { return true }
        return DecimalNumber.parse(fields.value(index)) == bodyCount
    }
}

extension CacheRoute {
    /// Whether a newer field replaces the stored one: fields about the body, or about the whole of a slice, do not
    /// (RFC 9111 §3.2).
    func isUpdated(_ id: FieldID) -> Bool {
        switch id {
        case .contentLength, .contentEncoding, .contentRange, .age, .setCookie, .cacheStatus: false
        default: !isTyped || !AnswerFields.speakOfWhole(id)
        }
    }
}
