internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// What a fill begins with: what was looked for and how, and what was so then. By this its answer is judged: whether it
/// may be stored, and what its stored head says.
struct FillTerms {
    let route: Route
    let cache: CacheRoute
    let lookup: CacheLookup
    let control: CacheControl
    let hasAuthorization: Bool
    let startedAt: UInt64
    /// Purges there had been.
    let purgeNumber: UInt64
    private let resource: Epochs.Dependency
    /// For what only the head of the answer names.
    private let moment: UInt32
    /// What a purge by another gateway counts up, as it was then.
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
    }

    /// Whether nothing has changed that the request did not see: what comes is as good as what one would ask for now.
    func isCurrent(_ store: MemoryStore) -> Bool { store.epochs.isCurrent(resource) }

    /// A purge has come since that means what an answer to `target` will bring.
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

    /// An error is answered again for so many nanoseconds, unless something is written meanwhile.
    func keep(_ problem: Problem, for wait: UInt64, in loopCache: LoopCache) {
        let now = loopCache.loop.now
        loopCache.notes.keep(
            problem, lookup.key, since: now, until: now &+ wait,
            dependencies: dependencies(HeaderBlock(), of: nil, in: loopCache))
    }

    /// What a stored answer depends on, by its fields.
    /// - Parameter request: what was asked; nil once that is over.
    func dependencies(
        _ fields: borrowing HeaderBlock, of request: BoundRequest?, in loopCache: LoopCache
    ) -> [Epochs.Dependency] {
        var dependencies = [resource]
        for name in cache.writtenNames {
            dependencies.append(
                loopCache.store.epochs.dependency(on: loopCache.writtenHash(name), since: moment))
        }
        guard let request else { return dependencies }
        for slot in request.partSlots {
            dependencies.append(loopCache.store.epochs.dependency(on: UInt64(slot), since: moment))
        }
        let upstream = request.generation.upstreams[route.upstream].settings
        for group in CacheGroups.members(fields) {
            let hash = loopCache.groupHash(group, upstream)
            dependencies.append(loopCache.store.epochs.dependency(on: hash, since: moment))
        }
        if cache.keyParameters != nil || NoVarySearch.isIn(fields) {
            let hash = loopCache.queriesHash(request.target.bytes, upstream)
            dependencies.append(loopCache.store.epochs.dependency(on: hash, since: moment))
        }
        return dependencies + labelDependencies
    }

    /// Whether an answer may be stored, and what its stored head would be.
    /// - Parameters:
    ///   - request: what was asked; nil once that is over.
    ///   - unstored: fields of the answer that are not stored, for the client that asked.
    func judge(
        status: Int, _ fields: borrowing HeaderBlock, to request: BoundRequest?, in loopCache: LoopCache,
        unstored: inout HeaderBlock
    ) -> (Storability, StoredHead) {
        let loop = loopCache.loop
        let facts = CacheFacts(status: status, fields, now: loop.unixSeconds)
        var freshness = Freshness(facts, cache.policy)
        let storability = Storability.decide(
            facts, freshness, request: control, hasAuthorization: hasAuthorization,
            keepsSetCookie: cache.storesSetCookie, cache.policy)
        if status >= 400, Storability.speaksOfResource(status), let wait = cache.policy.retryAfterError,
            !freshness.isExplicit
        {
            freshness.lifetime = Int(wait.components.seconds)
        }
        var head = StoredHead(
            status: status, freshness: freshness,
            initialAge: Freshness.initialAge(facts, responseDelay: delay(loop), now: loop.unixSeconds),
            responseTime: loop.now)
        if let index = fields.firstIndex(of: .etag) { head.validatorETag = Array(fields.value(index)) }
        if let index = fields.firstIndex(of: .lastModified) {
            head.validatorLastModified = Array(fields.value(index))
        }
        let withheld = WithheldFields(facts, fields)
        for index in 0..<fields.count where !fields.isMarked(index) {
            if fields[index].id == .age { continue }
            if withheld.contains(fields.name(index)) || fields[index].id == .setCookie && !cache.storesSetCookie {
                unstored.append(name: fields.name(index), value: fields.value(index))
                continue
            }
            head.append(name: fields.name(index), value: fields.value(index))
        }
        head.dependencies = dependencies(fields, of: request, in: loopCache)
        head.label = EntryLabel(
            cache.source, target: request.map { LocalTarget.bytes(of: route, for: $0) } ?? [],
            groups: CacheGroups.members(fields))
        return (storability, head)
    }
}
