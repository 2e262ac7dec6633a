internal import SluiceCache
internal import SluiceContract

/// Asks for one watched value: on one loop, for those who watch it on all loops.
final class WatchHome {
    /// It keeps this.
    private unowned let watched: Watched
    private let corridor: Corridor
    private var machine: PollMachine
    /// Of the last answer; only where no cache has them.
    private var validators = PollValidators.Validators()
    private var call: PollCall?
    /// What the question has brought, until the next turn.
    private var outcome: PollCall.Outcome?
    /// Of the memory for what is watched.
    private let share: WatchShare
    /// Invalidations so far, when the question was asked.
    private var askedAt: UInt32 = 0
    /// The question before this one may have brought what was of before.
    private var isSecondLook = false
    /// What is stored is not asked for: it may be of before.
    private var asksUpstream = false
    /// The same of the question that is under way: where it fails, the next one has to.
    private var askedUpstream = false
    private var feed: FeedCall?
    private var feedFailures = 0
    /// Since when the stream is there.
    private var feedBegan: UInt64?
    private var feedDueAt = UInt64.max
    /// Events have come that say that the value has changed.
    private var hasEvents = false
    private(set) var subscribers: [WatchSubscriber] = []

    /// What is made of more than so many answers would be asked for at nearly each write.
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

    /// Nobody watches any more, on no loop.
    func rest() {
        carry(machine.unwatched())
        endFeed()
    }

    func subscribe(_ subscriber: WatchSubscriber) {
        subscribers.append(subscriber)
        if !subscriber.offer(watched.log) { unsubscribe(subscriber) }
    }

    func unsubscribe(_ subscriber: WatchSubscriber) { subscribers.removeAll { $0.isSame(as: subscriber) } }

    /// This loop asks for it no more.
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

    /// What is behind the value has changed, or may have.
    /// - Parameter moment: of the change (``Epochs``), where it is known: what was asked since then has it.
    func changed(at moment: UInt32?) {
        if let moment, machine.isAsking, Int32(bitPattern: moment &- askedAt) <= 0 { return }
        changed()
    }

    private func changed() {
        asksUpstream = true
        carry(machine.changed(at: loop.now))
    }

    /// What goes on in a turn of its own: the question and the stream may have been at work in a fact.
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

    // MARK: - The question

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

    /// It has its answer, perhaps before ``ask()`` is over.
    func ended(_ call: PollCall, _ outcome: PollCall.Outcome) {
        guard call === self.call else { return }
        self.call = nil
        self.outcome = outcome
        watched.postpone()
    }

    /// Its question needs more memory than there is.
    /// - Returns: whether there is more now.
    func makeRoom() -> Bool { watched.makeRoom() }

    func isTooLong(_ call: PollCall) {
        if call === self.call { watched.postpone() }
    }

    private func settle(_ outcome: PollCall.Outcome) {
        let answer = outcome.answer
        switch answer {
        case .value(_, isStale: false): validators = outcome.validators ?? PollValidators.Validators()
        // Something stands in for an answer that was refused: that one is not to be told unchanged.
        case .value(_, isStale: true): validators = PollValidators.Validators()
        case .notModified, .failed: break
        }
        switch answer {
        case .failed, .value(_, isStale: true): asksUpstream = asksUpstream || askedUpstream
        case .value, .notModified: break
        }
        // From now on it is counted where it is kept.
        outcome.share?.set(0)
        carry(machine.answered(answer, at: loop.now, chance: loop.random.next()))
        if case .value(_, let isStale) = answer { depend(on: outcome, asksAgain: !isStale) }
    }

    private func noteMemory() {
        share.set((machine.value?.count ?? 0) + watched.log.byteCount)
        if memory.count > loop.limits.watchedTotalBytes { forgetChanges() }
    }

    /// Changes that clients may come back for make room.
    /// - Returns: whether there were any.
    @discardableResult
    func forgetChanges() -> Bool {
        let before = share.count
        watched.forgetChanges()
        share.set((machine.value?.count ?? 0) + watched.log.byteCount)
        return share.count < before
    }

    private var epochs: Epochs { corridor.loopCache.store.epochs }

    /// Whatever counts up what the answer depends on asks anew; where that has happened while it was on its way, it may
    /// be of before. That it is asked again for this reason happens once in a row: an upstream may never come to rest.
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

    /// The stream is over, or there is none; perhaps before ``beginFeed()`` is.
    func feedEnded() {
        feed = nil
        // One that ends as soon as it begins is no better than none.
        if let feedBegan, loop.now &- feedBegan >= Self.feedLastsLeast { feedFailures = 0 }
        feedBegan = nil
        feedFailures = min(feedFailures + 1, 20)
        let wait = min(Self.feedWaitLeast << UInt64(feedFailures - 1), watched.plan.backoffMaxNanoseconds)
        feedDueAt = loop.now &+ wait &+ loop.random.below(wait / 4 + 1)
        watched.postpone()
    }

    /// What is asked for is served by another table now.
    func moved() {
        guard feed != nil else { return }
        endFeed()
        beginFeed()
    }
}
