internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// What a fill begins with: the lookup, the request's directives, and how purges and invalidations stood then. Its
/// answer is judged by this: whether it may be stored, and what its stored head says.
struct FillTerms {
    let route: Route
    let cache: CacheRoute
    let lookup: CacheLookup
    let control: CacheControl
    let hasAuthorization: Bool
    let startedAt: UInt64
    /// Number of purges by then.
    let purgeNumber: UInt64
    private let resource: Epochs.Dependency
    /// Dependencies that are known before the answer's head: what changes name (`then:`), and other queries of its
    /// path.
    private let known: [Epochs.Dependency]
    /// All groups of the upstream: until the head arrives, a write to any of them may concern this answer.
    private let groups: Epochs.Dependency
    /// The moment from which dependencies count that only the answer's head names.
    private let moment: UInt32
    /// The counters that purges by another gateway increment, as they stood then.
    private let labelDependencies: [Epochs.Dependency]

    /// - Parameter asked: the request that the fill is made for.
    init(
        _ asked: BoundRequest, _ route: Route, _ cache: CacheRoute, _ lookup: CacheLookup, control: CacheControl,
        hasAuthorization: Bool, in loopCache: LoopCache
    ) {
        self.route = route
        self.cache = cache
        self.lookup = lookup
        self.control = control
        self.hasAuthorization = hasAuthorization
        startedAt = loopCache.loop.now
        let store = loopCache.store
        purgeNumber = store.purges.number
        moment = store.epochs.moment
        let tiers = loopCache.shared.tiers
        let label = EntryLabel(cache.source, target: tiers == nil ? [] : LocalTarget.bytes(of: route, for: asked))
        labelDependencies = (tiers?.slots(of: label) ?? []).map { store.epochs.current($0) }
        let upstream = asked.generation.upstreams[route.upstream].settings
        resource = store.epochs.dependency(on: loopCache.resourceHash(asked.resource(route), upstream))
        groups = store.epochs.dependency(on: loopCache.groupsHash(upstream))
        var known = cache.writtenNames.map { store.epochs.dependency(on: loopCache.writtenHash($0)) }
        if cache.keyParameters != nil {
            known.append(store.epochs.dependency(on: loopCache.queriesHash(asked.target.bytes, upstream)))
        }
        self.known = known
    }

    /// Whether nothing was written since the fill began: its answer is as good as that to a request made now.
    /// - Parameters:
    ///   - head: of the answer; nil until it arrives.
    ///   - request: the fill's request, which knows what the answer is made of so far.
    func isCurrent(_ store: MemoryStore, _ head: StoredHead?, _ request: BoundRequest) -> Bool {
        let epochs = store.epochs
        guard epochs.isCurrent(resource), known.allSatisfy({ epochs.isCurrent($0) }) else { return false }
        guard sources(of: request, epochs).allSatisfy({ epochs.isCurrent($0) }) else { return false }
        return head?.dependencies.allSatisfy { epochs.isCurrent($0) } ?? epochs.isCurrent(groups)
    }

    /// Whether an answer is certainly as good as one to a request made now, although only another loop knows what it is
    /// made of: it is made of nothing but its own resource, or nothing at all was written since the fill began.
    func isSurelyCurrent(_ store: MemoryStore) -> Bool {
        let hasOthers = route.composition != nil || route.pages != nil || route.follow != .pass
        return !hasOthers || store.epochs.moment == moment
    }

    /// Whether a purge since the fill began selects the answer to `target`.
    /// - Parameter head: nil while it is not known.
    func isOutdated(_ key: CacheKey, _ head: StoredHead?, target: UnsafeRawBufferPointer?, _ store: MemoryStore) -> Bool
    {
        store.purges.judge(since: purgeNumber) { purge in
            switch purge.selection {
            case .target where target == nil: return true
            // Its groups are known with its head.
            case .group where head == nil: return true
            default: break
            }
            return purge.selects(
                key, head?.label ?? EntryLabel(cache.source, target: target.map { Array($0) } ?? []))
        } == .gone
    }

    /// Seconds from the request to its answer.
    func delay(_ loop: LoopContext) -> Int { Int((loop.now &- startedAt) / 1_000_000_000) }

    /// Keeps an error to be answered again for a while (`retry-after-error:`), unless a write ends it earlier.
    func keep(_ problem: Problem, to request: BoundRequest, in loopCache: LoopCache) {
        guard let wait = cache.retryNanoseconds, !control.flags.contains(.noStore) else { return }
        // A status about the request, rather than the resource, is not kept either.
        if let status = problem.upstreamStatus, !Storability.speaksOfResource(status) { return }
        // This composed answer has spent its budget; another one may have enough of it.
        if request.whole?.budget.isSpent == true { return }
        let now = loopCache.loop.now
        loopCache.notes.keep(
            problem, lookup.key, since: now, until: now &+ wait,
            dependencies: dependencies(HeaderBlock(), of: request, in: loopCache))
    }

    /// Whether an error may be answered to all clients that ask for the same: nothing in it says that it is for one
    /// client, or that others would get another one.
    func isForAll(_ response: borrowing ResponseHead, _ loop: LoopContext) -> Bool {
        let facts = CacheFacts(status: response.status, response.fields, now: loop.unixSeconds)
        let flags = facts.control.flags
        return !flags.contains(.noStore) && (cache.policy.isPrivate || !flags.contains(.private))
            && response.fields.firstIndex(of: .vary) == nil
    }

    /// Takes in a page after the first: the whole is no fresher than any of its pages, and may be shared no more
    /// widely.
    func restrict(_ draft: inout EntryDraft, by page: borrowing ResponseHead, _ loop: LoopContext) {
        let verdict = verdict(on: page.status, page.fields, loop)
        guard verdict.storability == .store, let first = draft.head else {
            draft.pages.forbid()
            return draft.storability = verdict.storability
        }
        // A `Vary` of its own would have to select among the answers of all pages.
        guard VaryKey.names(page.fields, adding: []) == draft.place.variance?.fields ?? [] else {
            draft.pages.forbid()
            return draft.storability = .refuse(.pageVaries)
        }
        draft.head?.restrict(
            by: verdict.freshness, initialAge: verdict.initialAge, CacheGroups.members(page.fields), now: loop.now)
        draft.pages.add(
            page.status, page.fields, at: Int((loop.now &- first.responseTime) / 1_000_000_000), holds: false,
            now: loop.unixSeconds)
    }

    /// Adds what all pages say about caching, once they are known, and their counters.
    func addPages(_ draft: inout EntryDraft, of request: BoundRequest, in loopCache: LoopCache) {
        guard route.pages != nil, var head = draft.head else { return }
        head.dependencies += sources(of: request, loopCache.store.epochs)
        var fields = HeaderBlock()
        head.lines.withUnsafeBytes { StoredHead.read($0, into: &fields) }
        draft.pages.restrict(
            &fields, of: head.status, age: head.initialAge, isAuthorized: hasAuthorization, keepsValidators: true,
            now: loopCache.loop.unixSeconds)
        head.lines = []
        for index in 0..<fields.count { head.append(name: fields.name(index), value: fields.value(index)) }
        draft.head = head
    }

    /// What an answer depends on beside its own resource: parts, redirects, pages.
    private func sources(of request: BoundRequest, _ epochs: Epochs) -> [Epochs.Dependency] {
        request.partSlots.map { epochs.dependency(on: UInt64($0), since: moment) }
    }

    /// What a stored answer depends on, by its fields.
    /// - Parameter request: the fill's request; nil once it has ended.
    func dependencies(
        _ fields: borrowing HeaderBlock, of request: BoundRequest?, in loopCache: LoopCache
    ) -> [Epochs.Dependency] {
        var dependencies = [resource] + known
        guard let request else { return dependencies }
        dependencies += sources(of: request, loopCache.store.epochs)
        let upstream = request.generation.upstreams[route.upstream].settings
        for group in CacheGroups.members(fields) {
            let hash = loopCache.groupHash(group, upstream)
            dependencies.append(loopCache.store.epochs.dependency(on: hash, since: moment))
        }
        if cache.keyParameters == nil, NoVarySearch.isIn(fields) {
            let hash = loopCache.queriesHash(request.target.bytes, upstream)
            dependencies.append(loopCache.store.epochs.dependency(on: hash, since: moment))
        }
        return dependencies + labelDependencies
    }

    /// What the head of a response says about storing it.
    private struct Verdict {
        let storability: Storability
        let freshness: Freshness
        /// `corrected_initial_age`, seconds.
        let initialAge: Int
        let withheld: WithheldFields
    }

    private func verdict(on status: Int, _ fields: borrowing HeaderBlock, _ loop: LoopContext) -> Verdict {
        let facts = CacheFacts(status: status, fields, now: loop.unixSeconds)
        var freshness = Freshness(facts, cache.policy)
        var storability = Storability.decide(
            facts, freshness, request: control, hasAuthorization: hasAuthorization,
            keepsSetCookie: cache.storesSetCookie, cache.policy)
        if status >= 400, Storability.speaksOfResource(status), let wait = cache.policy.retryAfterError,
            !freshness.isExplicit
        {
            freshness.lifetime = Int(wait.components.seconds)
        }
        let withheld = WithheldFields(facts, fields)
        if storability == .store, withheld.sayWhatContentIs { storability = .refuse(.isPrivate) }
        return Verdict(
            storability: storability, freshness: freshness,
            initialAge: Freshness.initialAge(facts, responseDelay: delay(loop), now: loop.unixSeconds),
            withheld: withheld)
    }

    /// Whether an answer may be stored, and what its stored head would be.
    /// - Parameters:
    ///   - request: the fill's request; nil once it has ended.
    ///   - unstored: fields of the answer that are not stored, for the client that asked.
    func judge(
        status: Int, _ fields: borrowing HeaderBlock, to request: BoundRequest?, in loopCache: LoopCache,
        unstored: inout HeaderBlock
    ) -> (Storability, StoredHead) {
        let loop = loopCache.loop
        let verdict = verdict(on: status, fields, loop)
        var head = StoredHead(
            status: status, freshness: verdict.freshness, initialAge: verdict.initialAge, responseTime: loop.now)
        if let index = fields.firstIndex(of: .etag) { head.validatorETag = Array(fields.value(index)) }
        if let index = fields.firstIndex(of: .lastModified) {
            head.validatorLastModified = Array(fields.value(index))
        }
        for index in 0..<fields.count where !fields.isMarked(index) {
            if fields[index].id == .age { continue }
            let isOwnCookie = fields[index].id == .setCookie && !cache.storesSetCookie
            if isOwnCookie || verdict.withheld.contains(fields.name(index)) {
                unstored.append(name: fields.name(index), value: fields.value(index))
                continue
            }
            head.append(name: fields.name(index), value: fields.value(index))
        }
        head.dependencies = dependencies(fields, of: request, in: loopCache)
        head.label = EntryLabel(
            cache.source, target: request.map { LocalTarget.bytes(of: route, for: $0) } ?? [],
            groups: CacheGroups.members(fields))
        return (verdict.storability, head)
    }
}
