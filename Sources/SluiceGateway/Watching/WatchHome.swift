internal import SluiceCache
internal import SluiceContract

/// Polls one watched value, on one loop, for the watchers of all loops.
final class WatchHome {
    /// The owner of this home.
    private unowned let watched: Watched
    private let corridor: Corridor
    private var machine: PollMachine
    /// Validators of the last answer; only where no cache keeps them.
    private var validators = PollValidators.Validators()
    private var call: PollCall?
    /// The outcome of the poll, until the next turn takes it.
    private var outcome: PollCall.Outcome?
    /// The value's share of the memory for watched values.
    private let share: WatchShare
    /// The moment (``Epochs``) when the poll began.
    private var askedAt: UInt32 = 0
    /// The previous poll's answer may have been outdated: this poll repeats it.
    private var isSecondLook = false
    /// The next poll bypasses stored answers, which may be outdated.
    private var asksUpstream = false
    /// The running poll does so: where it fails, the next one has to.
    private var askedUpstream = false
    private var feed: FeedCall?
    private var feedFailures = 0
    /// When the stream began.
    private var feedBegan: UInt64?
    private var feedDueAt = UInt64.max
    /// Events have come that say that the value has changed.
    private var hasEvents = false
    private(set) var subscribers: [WatchSubscriber] = []

    /// A value with more dependencies than this would be polled at nearly every write: they are ignored.
    private static let slotsMax = 1024
    private static let feedWaitLeast: UInt64 = 1_000_000_000
    private static let feedLastsLeast: UInt64 = 5_000_000_000

    init(_ watched: Watched, _ corridor: Corridor) {
        self.watched = watched
        self.corridor = corridor
        machine = PollMachine(watched.plan)
        share = WatchShare(corridor.loopCache.shared.watches.memory)
    }

    var memory: WatchMemory { corridor.loopCache.shared.watches.memory }

    private var loop: LoopContext { corridor.loop }

    /// When ``timePassed()`` is needed.
    var deadline: UInt64 { min(machine.deadline ?? .max, feedDueAt) }

    // MARK: - Who watches

    func begin() {
        carry(machine.watched())
        beginFeed()
    }

    /// No loop has watchers any more.
    func rest() {
        carry(machine.unwatched())
        endFeed()
    }

    func subscribe(_ subscriber: WatchSubscriber) {
        subscribers.append(subscriber)
        if !subscriber.offer(watched.log) { unsubscribe(subscriber) }
    }

    func unsubscribe(_ subscriber: WatchSubscriber) { subscribers.removeAll { $0.isSame(as: subscriber) } }

    /// This loop stops polling the value.
    func end() {
        rest()
        for subscriber in subscribers { subscriber.tell { $0.lostHome() } }
        subscribers = []
    }

    // MARK: - What happens

    func timePassed() {
        if loop.now >= feedDueAt { beginFeed() }
        carry(machine.timePassed(at: loop.now))
    }

    /// The resource of the value has changed, or may have.
    /// - Parameter moment: of the change (``Epochs``), where it is known: a poll that began later has seen the change.
    func changed(at moment: UInt32?) {
        if let moment, machine.isAsking, Int32(bitPattern: moment &- askedAt) <= 0 { return }
        changed()
    }

    private func changed() {
        asksUpstream = true
        carry(machine.changed(at: loop.now))
    }

    /// Work for a turn of its own: the calls that caused it came from inside the poll or the stream.
    func work() {
        if let call, let answer = call.tooLong {
            self.call = nil
            call.abandon()
            settle(PollCall.Outcome(answer: answer))
        } else if let outcome = outcome.take() {
            settle(outcome)
        }
        guard hasEvents else { return }
        hasEvents = false
        changed()
    }

    // MARK: - The poll

    private func carry(_ orders: [PollMachine.Order]) {
        var hasNews = false
        for order in orders {
            switch order {
            case .ask: ask()
            case .abandon:
                call.take()?.abandon()
                outcome = nil
            case .tell(let news):
                watched.take(news)
                hasNews = true
            }
        }
        noteStanding()
        noteMemory()
        guard hasNews else { return }
        let log = watched.log
        subscribers.removeAll { !$0.offer(log) }
        watched.beginRound()
    }

    private func ask() {
        let (template, route) = (watched.template, watched.route)
        let isPlain = route.cache == nil && route.pages == nil && route.graphQL == nil && route.composition == nil
        let known = machine.value == nil ? PollValidators.Validators() : validators
        let call = PollCall(
            self, by: template.client ?? ClientInfo(), loop.limits, heldBytes: share.count,
            isPlain ? PollValidators(known) : nil)
        self.call = call
        var control: String?
        if route.cache != nil, asksUpstream {
            control = "no-cache"
        } else if route.cache != nil, machine.value != nil {
            control = "max-age=\(watched.plan.freshSeconds)"
        }
        askedUpstream = asksUpstream
        asksUpstream = false
        askedAt = epochs.moment
        call.begin(template, corridor, cacheControl: control)
    }

    /// The poll has ended, perhaps before ``ask()`` has returned.
    func ended(_ call: PollCall, _ outcome: PollCall.Outcome) {
        guard call === self.call else { return }
        self.call = nil
        self.outcome = outcome
        watched.postpone()
    }

    /// The poll needs more memory than there is.
    /// - Returns: whether room was made.
    func makeRoom() -> Bool { watched.makeRoom() }

    func isTooLong(_ call: PollCall) {
        if call === self.call { watched.postpone() }
    }

    private func settle(_ outcome: PollCall.Outcome) {
        let answer = outcome.answer
        switch answer {
        case .value(_, isStale: false): validators = outcome.validators ?? PollValidators.Validators()
        // The value only stands in for a refused answer: the next poll must not get "unchanged" for that answer.
        case .value(_, isStale: true): validators = PollValidators.Validators()
        case .notModified, .failed: break
        }
        switch answer {
        case .failed, .value(_, isStale: true): asksUpstream = asksUpstream || askedUpstream
        case .value, .notModified: break
        }
        // From now on the answer's memory is counted with the value.
        outcome.share?.set(0)
        carry(machine.answered(answer, at: loop.now, chance: loop.random.next()))
        if case .value(_, let isStale) = answer { depend(on: outcome, asksAgain: !isStale) }
    }

    private func noteMemory() {
        share.set((machine.value?.count ?? 0) + watched.log.byteCount)
        if memory.count > loop.limits.watchedTotalBytes { forgetChanges() }
    }

    /// Drops the changes that are kept for clients that reconnect.
    /// - Returns: whether there were any.
    @discardableResult
    func forgetChanges() -> Bool {
        let before = share.count
        watched.forgetChanges()
        share.set((machine.value?.count ?? 0) + watched.log.byteCount)
        return share.count < before
    }

    private var epochs: Epochs { corridor.loopCache.store.epochs }

    /// Registers the counters that the answer depends on: a write to one of them causes a new poll. Where one was
    /// written during this poll, the answer may be outdated, and is polled again; only once in a row, because the
    /// writes may never stop.
    private func depend(on outcome: PollCall.Outcome, asksAgain: Bool) {
        let isMany = outcome.slots.count > Self.slotsMax
        corridor.loopCache.shared.watches.depend(watched.entry, on: isMany ? [] : outcome.slots)
        let isOutdated =
            if let stored = outcome.stored {
                stored.contains { !epochs.isCurrent($0) }
            } else {
                outcome.slots.contains { !epochs.isCurrent(epochs.dependency(on: UInt64($0), since: askedAt)) }
            }
        guard isOutdated, asksAgain, !isSecondLook else { return isSecondLook = false }
        isSecondLook = true
        if !machine.isAsking { changed() }
    }

    private func noteStanding() {
        let (machine, number, unix) = (machine, watched.log.number, loop.unixSeconds)
        watched.entry.note { standing in
            if standing.number != number {
                standing.number = number
                standing.changedAt = unix
            }
            standing.valueBytes = machine.value?.count ?? 0
            if standing.isAsking, !machine.isAsking { standing.answeredAt = unix }
            standing.isAsking = machine.isAsking
            standing.failures = machine.failures
        }
    }

    // MARK: - The upstream's events

    private func beginFeed() {
        feedDueAt = .max
        guard let route = watched.plan.feed, feed == nil, machine.phase != .resting else { return }
        let template = watched.template
        let call = FeedCall(self, by: template.client ?? ClientInfo(), watched.plan.event)
        feed = call
        call.begin(template, route, corridor)
    }

    private func endFeed() {
        feedDueAt = .max
        feedBegan = nil
        hasEvents = false
        feed.take()?.abandon()
    }

    /// An event has come that says that the value has changed, or the stream has begun.
    func fed() {
        if feedBegan == nil { feedBegan = loop.now }
        hasEvents = true
        watched.postpone()
    }

    /// The stream has ended, or never began; perhaps before ``beginFeed()`` has returned.
    func feedEnded() {
        feed = nil
        // A stream that ends soon after its beginning counts as a failure.
        if let feedBegan, loop.now &- feedBegan >= Self.feedLastsLeast { feedFailures = 0 }
        feedBegan = nil
        feedFailures = min(feedFailures + 1, 20)
        let wait = min(Self.feedWaitLeast << UInt64(feedFailures - 1), watched.plan.backoffMaxNanoseconds)
        feedDueAt = loop.now &+ wait &+ loop.random.below(wait / 4 + 1)
        watched.postpone()
    }

    /// The value is served by another table now.
    func moved() {
        guard feed != nil else { return }
        endFeed()
        beginFeed()
    }
}
