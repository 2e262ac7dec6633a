internal import SluiceCache
internal import SluiceContract

/// One value that clients of this loop watch. One loop polls it (``WatchHome``), and tells the others.
final class Watched: Resumable {
    let key: CacheKey
    let entry: WatchEntry
    /// Distinguishes it from a value with the same key that was watched here before.
    let serial: UInt64
    private unowned let watching: Watching
    private let loop: LoopContext
    /// The request that is polled, in the name of the first watcher.
    let template: BoundRequest
    /// Kept by the table that the template keeps.
    private(set) var route: Route
    private(set) var plan: WatchPlan
    private(set) var log: WatchLog
    private(set) var role = Role.none
    private(set) var watchers: [Watcher] = []
    private let timer = Timer(tag: TimerTag.watch.rawValue)
    private var round = Round.none
    private var isPostponed = false
    private var heartbeatAt: UInt64
    /// When to check whether watchers that were behind take more.
    private var lookAt = UInt64.max
    /// When it is forgotten, if it has no watchers.
    private(set) var restsUntil = UInt64.max
    var isResting: Bool { restsUntil != .max }

    enum Role {
        /// It has ended, or has not begun.
        case none
        case home(WatchHome)
        /// Another loop polls it.
        case relay(of: LoopAddress)
    }

    /// A round tells all watchers, a limited number in each turn of the loop.
    private enum Round {
        case none
        case news(next: Int)
        case heartbeat(next: Int)
    }

    /// Clients that are told in one turn.
    private static let roundMax = 1024
    private static let roundBytesMax = 4 << 20
    private static let lookNanoseconds: UInt64 = 200_000_000
    /// How long a value without watchers is kept for clients that reconnect.
    private static let lingerNanoseconds: UInt64 = 60_000_000_000

    init(
        _ key: CacheKey, _ template: BoundRequest, _ route: Route, _ plan: WatchPlan, _ entry: WatchEntry,
        serial: UInt64, in watching: Watching
    ) {
        (self.key, self.template, self.route, self.plan, self.entry) = (key, template, route, plan, entry)
        self.serial = serial
        self.watching = watching
        loop = watching.loop
        log = watching.newLog(plan)
        heartbeatAt = watching.loop.now &+ plan.heartbeatNanoseconds
    }

    deinit { loop.timers.cancel(timer) }

    // MARK: - Which loop polls it

    /// Begins to poll it, or subscribes to the loop that already does.
    func begin() {
        guard let own = watching.loopCache.address, let home = entry.claim(for: own) else {
            _ = entry.claim(for: watching.loopCache.address)
            let home = WatchHome(self, watching.corridor)
            role = .home(home)
            home.begin()
            return arm()
        }
        role = .relay(of: home)
        let subscriber = WatchSubscriber(loop: own, key: key, serial: serial)
        home.postToWatching({ $0.subscribe(subscriber) })
        arm()
    }

    /// The loop that polled it has stopped.
    func lostHome() {
        guard case .relay = role else { return }
        if watchers.isEmpty { return watching.forget(self) }
        // Another home numbers its changes anew.
        log = watching.newLog(plan)
        for watcher in watchers { watcher.forget() }
        begin()
    }

    /// The loop that polls it has sent its log.
    func took(_ log: WatchLog) {
        guard case .relay = role else { return }
        self.log = log
        beginRound()
    }

    /// Ends the polling, or the subscription.
    func end() {
        switch role {
        case .none: return
        case .home(let home):
            role = .none
            // First: a loop that is told that the home is lost may become the home itself.
            entry.release(watching.loopCache.address)
            home.end()
        case .relay(let home):
            role = .none
            guard let own = watching.loopCache.address else { break }
            let subscriber = WatchSubscriber(loop: own, key: key, serial: serial)
            home.postToWatching({ $0.unsubscribe(subscriber) })
        }
        loop.timers.cancel(timer)
    }

    func subscribe(_ subscriber: WatchSubscriber) {
        guard case .home(let home) = role else { return subscriber.tell { $0.lostHome() } }
        wake(home)
        home.subscribe(subscriber)
    }

    func unsubscribe(_ subscriber: WatchSubscriber) {
        guard case .home(let home) = role else { return }
        home.unsubscribe(subscriber)
        restIfUnwatched()
    }

    /// The resource of the value has changed, or may have.
    func valueChanged(at moment: UInt32?) {
        guard case .home(let home) = role else { return }
        home.changed(at: moment)
        arm()
    }

    // MARK: - Watchers

    func join(_ watcher: Watcher) {
        watcher.place = watchers.count
        watchers.append(watcher)
        entry.changeWatchers(by: 1)
        if case .home(let home) = role { wake(home) }
        tell(watcher)
        arm()
    }

    func left(_ watcher: Watcher) {
        guard watcher.place < watchers.count, watchers[watcher.place] === watcher else { return }
        let last = watchers.removeLast()
        entry.changeWatchers(by: -1)
        watching.watcherLeft()
        if last !== watcher {
            watchers[watcher.place] = last
            last.place = watcher.place
            // A running round may have passed this place already, and not have reached the last watcher.
            if case .none = round {} else { tell(last) }
        }
        restIfUnwatched()
    }

    private func wake(_ home: WatchHome) {
        guard restsUntil != .max else { return }
        restsUntil = .max
        home.begin()
    }

    private func restIfUnwatched() {
        guard watchers.isEmpty else { return }
        switch role {
        case .none: return
        case .relay: watching.forget(self)
        case .home(let home):
            guard home.subscribers.isEmpty, restsUntil == .max else { return }
            restsUntil = loop.now &+ Self.lingerNanoseconds
            home.rest()
            arm()
        }
    }

    /// Ends all streams; clients may reconnect, and get what is served then.
    func endStreams() {
        for watcher in Array(watchers) { watcher.end() }
    }

    // MARK: - What they are told

    /// Takes in the news of a poll. A round follows.
    func take(_ news: PollMachine.News) {
        let normaliser = template.generation.table.normaliser
        log.take(news, plan) { normaliser.bytes(of: $0) }
        if case .problem(let problem, _) = news {
            entry.note { $0.problem = problem.kind.rawValue }
        } else {
            entry.note { $0.problem = nil }
        }
    }

    /// - Returns: whether room was made for more watched values.
    func makeRoom() -> Bool { watching.makeRoom() }

    /// Gives up the changes that are kept for clients that reconnect.
    /// - Returns: whether there were any.
    func giveUpChanges() -> Bool {
        guard case .home(let home) = role else { return false }
        return home.forgetChanges()
    }

    /// Drops the changes from the log.
    func forgetChanges() { log.forgetChanges() }

    /// Begins to tell all watchers the events that they have not got yet.
    func beginRound() {
        round = .news(next: 0)
        postpone()
    }

    func tell(_ watcher: Watcher) { count(watcher.tell(log)) }

    private func count(_ told: Watcher.Told) {
        let cells = template.generation.cells(of: route)
        if told.events > 0 { cells.add(told.events, at: BindingCells.watchEvents) }
        if told.skipped > 0 { cells.add(told.skipped, at: BindingCells.skippedChanges) }
        guard told.isBehind, lookAt == .max else { return }
        lookAt = loop.now &+ Self.lookNanoseconds
        arm()
    }

    private func goRound() {
        let first: Int
        var isHeartbeat = false
        switch round {
        case .none: return
        case .news(let next): first = next
        case .heartbeat(let next):
            first = next
            isHeartbeat = true
        }
        var end = first
        var bytes = 0
        while end < min(first + Self.roundMax, watchers.count), bytes < Self.roundBytesMax {
            let told = watchers[end].tell(log, isHeartbeat: isHeartbeat)
            bytes += told.bytes
            end += 1
            count(told)
        }
        guard end < watchers.count else { return round = .none }
        round = isHeartbeat ? .heartbeat(next: end) : .news(next: end)
        postpone()
    }

    // MARK: - Time

    func timerFired() {
        let now = loop.now
        if now >= restsUntil { return watching.forget(self) }
        if case .home(let home) = role { home.timePassed() }
        if now >= lookAt {
            lookAt = .max
            beginRound()
        }
        if now >= heartbeatAt {
            heartbeatAt = now &+ plan.heartbeatNanoseconds
            // A running round is a sign of life already.
            if case .none = round {
                round = .heartbeat(next: 0)
                postpone()
            }
        }
        arm()
    }

    private func arm() {
        var due = min(restsUntil, lookAt)
        if !watchers.isEmpty { due = min(due, heartbeatAt) }
        switch role {
        case .none: return
        case .home(let home): due = min(due, home.deadline)
        case .relay: break
        }
        if due == .max { loop.timers.cancel(timer) } else { loop.timers.arm(timer, for: self, at: due) }
    }

    func postpone() {
        if isPostponed { return }
        isPostponed = true
        loop.coding.postpone(.delivery, of: self)
    }

    /// Goes on in a turn of its own.
    func resume(_ work: CodingRoom.Work, _ carryOut: () -> Void) {
        isPostponed = false
        if case .home(let home) = role { home.work() }
        goRound()
        arm()
        carryOut()
    }

    // MARK: - Another table

    /// Moves the value to another table, which serves the same.
    func move(to generation: Generation, _ route: Route, _ plan: WatchPlan) {
        // The old table keeps its route alive as long as the template refers to it.
        (self.route, self.plan) = (route, plan)
        template.borrowedRoute = Borrowed(route)
        template.generation = generation
        for watcher in watchers { watcher.move(to: generation, route) }
        if case .home(let home) = role { home.moved() }
    }
}
