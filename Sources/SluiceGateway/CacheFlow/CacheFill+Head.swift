internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// The head of the answer has arrived: is it to be stored, and who may have it?
extension CacheFill {
    func takeHead(
        status: Int, reason: UnsafeRawBufferPointer, fields: borrowing HeaderBlock, framing: AnswerFraming
    ) {
        if status == 304, let stale = lookup.entry {
            guard stale.isNamed(by: fields) else { return disowned(stale) }
            validateSiblings(stale, fields)
            return validated(stale, fields)
        }
        if Problem.staleStatuses.contains(status), serveStale(status) { return }
        decide(status: status, fields)
        if case .length(let length) = framing {
            self.length = length
            if length > loopCache.store.entryBytesMax, storability == .store { storability = .refuse(.tooLarge) }
        }
        if case .empty = framing { length = 0 }
        state = .answering
        guard storability == .store else { return relay(status: status, reason: reason, fields, framing) }
        vary(fields)
        letGoOfOthers()
        if length != nil, route.cuts(status: status) {
            state = .holding
            return
        }
        bytes.reserveCapacity(length ?? 0)
        tellHead()
        for walk in readers { sendHead(to: walk) }
    }

    /// Whether it may be stored, and what its stored head would be.
    func decide(status: Int, _ fields: borrowing HeaderBlock) {
        let facts = CacheFacts(status: status, fields, now: loop.unixSeconds)
        var freshness = Freshness(facts, cache.policy)
        storability = Storability.decide(
            facts, freshness, request: control, hasAuthorization: hasAuthorization,
            keepsSetCookie: cache.storesSetCookie, cache.policy)
        if status >= 400, let wait = cache.policy.retryAfterError, !freshness.isExplicit {
            freshness.lifetime = Int(wait.components.seconds)
        }
        head = makeHead(facts, freshness, fields)
    }

    /// An answer that others must not see: it is for the one who asked, and they ask for themselves, all at once.
    private func relay(
        status: Int, reason: UnsafeRawBufferPointer, _ fields: borrowing HeaderBlock, _ framing: AnswerFraming
    ) {
        for flight in flights { loopCache.notes.markUncacheable(flight, now: loop.now) }
        tellRelease()
        detach()
        let waiting = readers
        readers = waiting.filter { !$0.status.isCollapsed }
        if let walk = readers.first {
            sendOriginal(status: status, reason: reason, fields, framing, to: walk)
        }
        for walk in waiting where walk.status.isCollapsed {
            walk.fill = nil
            walk.reader.consultAgain()
        }
        giveUpIfUnread()
    }

    /// The head as the upstream sent it.
    private func sendOriginal(
        status: Int, reason: UnsafeRawBufferPointer, _ fields: borrowing HeaderBlock, _ framing: AnswerFraming,
        to walk: CacheWalk
    ) {
        var own = HeaderBlock()
        let isOfSlice = status == 304 && route.cuts(status: 200)
        for index in 0..<fields.count where !fields.isMarked(index) {
            if isOfSlice, AnswerFields.speakOfWhole(fields[index].id) { continue }
            own.append(name: fields.name(index), value: fields.value(index))
        }
        note(walk)
        own.append(.cacheStatus, text: walk.status.text)
        if let compression = route.binding.compression {
            if isOfSlice { own.append(.vary, "Accept-Encoding") }
            if route.cuts(status: status) { walk.reader.negotiateCoding(compression, &own, length: length) }
        }
        walk.hasHead = true
        walk.end = length ?? .max
        walk.reader.answer(status: status, reason: reason, fields: own, framing: framing)
    }

    func sendHead(to walk: CacheWalk) {
        guard let head else { return }
        var fields = HeaderBlock()
        head.lines.withUnsafeBytes { StoredHead.read($0, into: &fields) }
        note(walk)
        giveOwnFields(to: walk)
        guard
            walk.reader.answerHead(
                status: head.status, &fields, age: head.age(loop.now), length: length, walk)
        else { return }
        if count > 0 || walk.position > 0 { read(walk) }
    }

    /// Only the client that asked gets what no stored answer has.
    func giveOwnFields(to walk: CacheWalk) {
        if unstored.count > 0, !walk.status.isCollapsed { walk.ownFields.copy(unstored) }
    }

    /// What `Cache-Status` says of storing.
    func note(_ walk: CacheWalk) {
        switch storability {
        case .store: walk.status.isStored = true
        case .refuse(let reason): walk.status.detail = reason.rawValue
        }
    }

    // MARK: - What is stored of it

    private func makeHead(
        _ facts: CacheFacts, _ freshness: Freshness, _ fields: borrowing HeaderBlock
    ) -> StoredHead {
        let delay = Int((loop.now &- startedAt) / 1_000_000_000)
        let age = Freshness.initialAge(facts, responseDelay: delay, now: loop.unixSeconds)
        var head = StoredHead(
            status: facts.status, freshness: freshness, initialAge: age, responseTime: loop.now)
        if let index = fields.firstIndex(of: .etag) { head.validatorETag = Array(fields.value(index)) }
        if let index = fields.firstIndex(of: .lastModified) {
            head.validatorLastModified = Array(fields.value(index))
        }
        var withheld: [[UInt8]] = []
        if !facts.isTargeted { CacheControl.forEachFieldName(in: fields) { withheld.append(Array($0)) } }
        for index in 0..<fields.count where !fields.isMarked(index) {
            if fields[index].id == .age { continue }
            let isWithheld = withheld.contains { fields.name(index).equalsIgnoringCase($0) }
            if isWithheld || fields[index].id == .setCookie && !cache.storesSetCookie {
                unstored.append(name: fields.name(index), value: fields.value(index))
                continue
            }
            head.append(name: fields.name(index), value: fields.value(index))
        }
        head.dependencies = dependencies(fields)
        head.label = EntryLabel(
            cache.source, target: askedRequest.map { LocalTarget.bytes(of: route, for: $0) } ?? [],
            groups: CacheGroups.members(fields))
        return head
    }

    func dependencies(_ fields: borrowing HeaderBlock) -> [Epochs.Dependency] {
        guard let resource else { return [] }
        var dependencies = [resource]
        guard let request = askedRequest else { return dependencies }
        let upstream = request.generation.upstreams[route.upstream].settings
        for group in CacheGroups.members(fields) {
            let hash = loopCache.groupHash(group, upstream)
            dependencies.append(loopCache.store.epochs.dependency(on: hash, since: moment))
        }
        return dependencies + labelDependencies
    }

    /// What selects among the answers of this target is written down first, so that it is found (RFC 9111 §4.1).
    func vary(_ fields: borrowing HeaderBlock) {
        guard let request = askedRequest, let head else { return }
        let names = VaryKey.names(fields, adding: [])
        let search = cache.keyParameters == nil ? NoVarySearch(fields) : nil
        key = lookup.primary
        variantBase = key
        if names.isEmpty, search == nil { return }
        let variance = StoredResponse.Variance(fields: names, search: search)
        self.variance = variance
        var place = lookup.primary
        if let search {
            let target = request.target.bytes
            let question = target.firstIndex(of: UInt8(ascii: "?")) ?? target.count
            place = loopCache.key(
                of: request, route, cache, target: UnsafeRawBufferPointer(rebasing: target[..<question]))
            key = search.key(place, target)
            variantBase = key
        }
        key = variance.key(key, request.head.fields)
        if let known = loopCache.find(place)?.variance, known == variance { return addFlight(key) }
        var marker = StoredHead(
            status: 0, freshness: head.freshness, initialAge: 0,
            responseTime: loop.now)
        marker.dependencies = []
        keep(
            StoredResponse.make(marker, key: place, bodyCount: 0, variance: variance) { _ in })
        addFlight(key)
    }

    /// What a request is to look for that selects another variant than the one on its way; nil where it selects this
    /// one, or nobody knows yet. The note of what selects among them may have gone from the store meanwhile.
    func otherKey(for fields: borrowing HeaderBlock) -> CacheKey? {
        guard let key = variance?.key(variantBase, fields), key != self.key else { return nil }
        return key
    }

    /// Those who wait for another variant look again: together, and now they know what to look for.
    func letGoOfOthers() {
        guard let variance else { return }
        let others = readers.filter { variance.key(variantBase, $0.reader.request.head.fields) != key }
        readers.removeAll { walk in others.contains { $0 === walk } }
        for walk in others {
            walk.fill = nil
            walk.reader.consultAgain()
        }
    }

    /// Puts the whole answer into the store.
    func store() -> StoredResponse? {
        guard storability == .store, var head, base == 0 else { return nil }
        if let length, length != bytes.count { return nil }
        if route.cuts(status: head.status) {
            var hash = SipHash(0x736c_6963_655f_6574, 0x6167_5f6f_665f_6974)
            bytes.withUnsafeBytes { hash.combine($0) }
            let (high, low) = hash.finish()
            head.append(.etag, Array("\"\(Self.hexadecimal(high))\(Self.hexadecimal(low))\"".utf8))
        }
        let entry = StoredResponse.make(head, key: key, bodyCount: bytes.count) { put in bytes.withUnsafeBytes(put) }
        if keep(entry) { loopCache.tally.stored() }
        return entry
    }

    private static func hexadecimal(_ word: UInt64) -> String {
        let digits = String(word, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
