internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// The watchers of one loop (`watch:`), and the values that they watch.
final class Watching: WatchKeeper, LoopWatching {
    let corridor: Corridor
    private(set) var all: [CacheKey: Watched] = [:]
    private var serial: UInt64 = 0

    init(_ corridor: Corridor) {
        self.corridor = corridor
    }

    var loop: LoopContext { corridor.loop }
    var loopCache: LoopCache { corridor.loopCache }
    private var registry: WatchRegistry { loopCache.shared.watches }

    // MARK: - Clients

    func watch(_ exchange: Exchange, _ route: Route, _ plan: WatchPlan) -> Problem? {
        if loop.isDraining { return Problem(.draining, detail: "This gateway is about to end.") }
        guard loop.counters.watchers < loop.limits.watchers else {
            return Problem(
                .overloaded,
                detail: "\(loop.limits.watchers) clients watch something here; 'limits.watchers' says how many may.")
        }
        let template = BoundRequest(exchange.request.generation)
        if let problem = template.become(watchOf: exchange.request, route) { return problem }
        let key = template.watchKey(route, plan, loopCache.store)
        let known = all[key]
        if known == nil, all.count >= loop.limits.watched { forgetOneAtRest() }
        if known == nil, all.count >= loop.limits.watched {
            return Problem(
                .overloaded,
                detail: "\(all.count) values are watched here; 'limits.watched' says how many may be.")
        }
        let watched = known ?? begin(key, template, route, plan)
        loop.counters.watchers += 1
        watched.join(Watcher(exchange, watched))
        // Recorded contents are masked by the request's values in the end, and still need them.
        if exchange.request.contents == nil { exchange.request.releaseWhatWasRead() }
        exchange.ownFields.releaseMemory()
        return nil
    }

    private func begin(_ key: CacheKey, _ template: BoundRequest, _ route: Route, _ plan: WatchPlan) -> Watched {
        let upstream = template.generation.upstreams[route.upstream].settings
        // A write to a list goes to its path, whatever query its readers have.
        let resources = [template.resource(route), template.target.withoutQuery]
        let hashes =
            resources.map { loopCache.resourceHash($0, upstream) }
            + plan.writtenNames.map { loopCache.writtenHash($0) }
        let label = WatchEntry.Label(
            binding: route.binding.name, tags: route.binding.cache?.tags ?? [],
            target: QueryMask.text(template.head.target), plainTarget: Array(template.head.target),
            slots: hashes.map { Epochs.slot($0) })
        serial += 1
        let watched = Watched(
            key, template, route, plan, registry.join(WatchEntry(key, label)), serial: serial, in: self)
        all[key] = watched
        loop.counters.watched += 1
        watched.begin()
        return watched
    }

    /// Forgets a value without watchers, to make room for one with watchers.
    /// - Returns: whether there was one.
    @discardableResult
    private func forgetOneAtRest() -> Bool {
        let resting = all.values.filter(\.isResting)
        guard let first = resting.min(by: { $0.restsUntil < $1.restsUntil }) else { return false }
        forget(first)
        return true
    }

    /// Makes room for more watched values: changes kept for reconnecting clients go first, then values without
    /// watchers.
    /// - Returns: whether there was anything.
    func makeRoom() -> Bool {
        for watched in all.values where watched.giveUpChanges() { return true }
        return forgetOneAtRest()
    }

    /// A new log, with an epoch of its own.
    func newLog(_ plan: WatchPlan) -> WatchLog {
        WatchLog(
            epoch: loop.random.next(), changesMax: plan.policy.history, bytesMax: loop.limits.watchHistoryBytes)
    }

    func watcherLeft() { loop.counters.watchers -= 1 }

    /// Forgets a value that has no watchers here any more.
    func forget(_ watched: Watched) {
        guard all[watched.key] === watched else { return }
        all[watched.key] = nil
        loop.counters.watched -= 1
        watched.end()
        registry.leave(watched.entry)
    }

    // MARK: - Other loops

    func valueChanged(_ key: CacheKey, at moment: UInt32?) { all[key]?.valueChanged(at: moment) }

    func subscribe(_ subscriber: WatchSubscriber) {
        // The value may have been forgotten here before the message arrived.
        guard let watched = all[subscriber.key] else { return subscriber.tell { $0.lostHome() } }
        watched.subscribe(subscriber)
    }

    func unsubscribe(_ subscriber: WatchSubscriber) { all[subscriber.key]?.unsubscribe(subscriber) }

    // MARK: - The end, and another table

    /// The loop takes no new requests any more: all streams end, and their clients reconnect to another daemon.
    func drain() {
        for watched in Array(all.values) {
            watched.endStreams()
            forget(watched)
        }
    }

    /// Another configuration is in force. Streams whose binding means the same for the same clients go on; the others
    /// end, and their clients reconnect.
    func replaced(_ before: Configuration) {
        if all.isEmpty { return }
        let generation = corridor.generation
        let after = generation.table.configuration
        let isComparable = before.withoutBindings == after.withoutBindings
        let routes = Dictionary(generation.table.routes.map { ($0.binding.name, $0) }) { first, _ in first }
        var ended: [Watched] = []
        for watched in all.values {
            let binding = watched.route.binding
            let isSame =
                isComparable && before.upstream(of: binding) == after.upstream(of: binding)
                && (binding.composition == nil || before.bindings == after.bindings)
            if isSame, let route = routes[binding.name], route.binding == binding, let plan = route.watch {
                watched.move(to: generation, route, plan)
            } else {
                ended.append(watched)
            }
        }
        // When its stream ends, a client may at once begin another: the outdated values must be gone by then.
        for watched in ended { forget(watched) }
        for watched in ended { watched.endStreams() }
    }
}

extension Configuration {
    /// What holds for all bindings.
    fileprivate var withoutBindings: Configuration {
        var rest = self
        (rest.bindings, rest.upstreams) = ([], [])
        return rest
    }

    fileprivate func upstream(of binding: Binding) -> Upstream? { upstreams.first { $0.name == binding.upstream } }
}
