internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// One upstream request for the clients of all loops: the loop that asks has a fill with subscribers, each of the
/// others one that follows it. What passes between them are messages: a head, pieces of the body, an end. The entry
/// itself is shared.
///
/// A follower is found by its number, so that a message that comes late is for nobody.
extension CacheFill {
    /// A loop whose clients wait for this answer too.
    struct Subscriber {
        let loop: LoopAddress
        let serial: UInt64
    }

    /// Asks the loop at `leader` to be told how its answer gets on.
    /// - Returns: whether it is asked; not where that loop is stuck.
    func follow(_ leader: LoopAddress, as own: LoopAddress, _ flight: CacheKey) -> Bool {
        let subscriber = Subscriber(loop: own, serial: serial)
        let isTaken = leader.offer { loopCache in
            if let fill = loopCache.fill(flight), !fill.isFollowing {
                return fill.subscribe(subscriber)
            }
            Self.tell(subscriber) { $0.releaseAll(isUncacheable: false) }
        }
        guard isTaken else { return false }
        source = .leader(leader, flight: flight)
        loopCache.followers[serial] = self
        return true
    }

    private func subscribe(_ subscriber: Subscriber) {
        subscribers.append(subscriber)
        if state == .answering { tellProgress(subscriber) }
    }

    private static func tell(_ subscriber: Subscriber, _ act: @escaping @Sendable (CacheFill) -> Void) {
        subscriber.loop.post { loopCache in
            guard let fill = loopCache.followers[subscriber.serial] else { return }
            act(fill)
        }
    }

    /// The same of what only goes on. A loop that is stuck does not get on with it; once it turns again, it hears that
    /// nothing has come of it.
    private func offer(_ subscriber: Subscriber, _ act: @escaping @Sendable (CacheFill) -> Void) {
        let isTaken = subscriber.loop.offer { loopCache in
            guard let fill = loopCache.followers[subscriber.serial] else { return }
            act(fill)
        }
        if isTaken { return }
        subscribers.removeAll { $0.serial == subscriber.serial && $0.loop === subscriber.loop }
        Self.tell(subscriber) { fill in
            if case .leader(_, let flight) = fill.source { fill.loopCache.noteUntold(flight) }
            fill.releaseAll(isUncacheable: false)
        }
        giveUpIfUnread()
    }

    private func tellAll(_ act: @escaping @Sendable (CacheFill) -> Void) {
        for subscriber in subscribers { Self.tell(subscriber, act) }
    }

    /// The followers' own clients have all left.
    func unsubscribe() {
        guard case .leader(let leader, let flight) = source, let own = loopCache.address else { return }
        let subscriber = Subscriber(loop: own, serial: serial)
        leader.post { loopCache in
            loopCache.fills[flight]?.drop(subscriber)
            for fill in Array(loopCache.detached.values) { fill.drop(subscriber) }
        }
    }

    private func drop(_ subscriber: Subscriber) {
        let count = subscribers.count
        subscribers.removeAll { $0.serial == subscriber.serial && $0.loop === subscriber.loop }
        if subscribers.count < count { giveUpIfUnread() }
    }

    // MARK: - What the leader tells

    func tellHead() {
        for subscriber in subscribers { tellProgress(subscriber) }
    }

    private func tellProgress(_ subscriber: Subscriber) {
        guard let head else { return }
        let (variance, base, length, bytes, key) = (variance, variantBase, length, bytes, key)
        offer(subscriber) { fill in
            (fill.head, fill.variance, fill.variantBase) = (head, variance, base)
            (fill.length, fill.bytes, fill.key) = (length, bytes, key)
            fill.leaderAnswered()
        }
    }

    func tellBody(_ run: UnsafeRawBufferPointer) {
        if subscribers.isEmpty { return }
        let copy = Array(run)
        for subscriber in subscribers {
            offer(subscriber) { fill in copy.withUnsafeBytes { fill.take($0, lifetime: .call) } }
        }
    }

    func tellEnd(_ entry: StoredResponse?) {
        let (variance, base, key) = (variance, variantBase, key)
        tellAll { fill in
            (fill.variance, fill.variantBase, fill.key) = (variance, base, key)
            fill.leaderEnded(entry)
        }
        subscribers = []
    }

    /// A tier behind memory had it.
    func tellFound(_ entry: StoredResponse, _ place: TierPlace?) {
        tellAll { $0.found(entry, place) }
        subscribers = []
    }

    func tellFailure(_ problem: Problem) {
        tellAll { $0.release(failing: problem) }
        subscribers = []
    }

    func tellRelease(isUncacheable: Bool = true) {
        tellAll { $0.releaseAll(isUncacheable: isUncacheable) }
        subscribers = []
    }

    // MARK: - What a follower hears

    private func leaderAnswered() {
        storability = .store
        state = .answering
        letGoOfOthers()
        for walk in readers { sendHead(to: walk) }
    }

    /// The whole answer is there: whoever has seen nothing of it yet gets it from the store's entry.
    func leaderEnded(_ entry: StoredResponse?) {
        end()
        letGoOfOthers()
        let waiting = readers
        for walk in waiting {
            if walk.hasHead {
                read(walk)
            } else if let entry {
                readers.removeAll { $0 === walk }
                walk.reader.serve(entry, walk)
            } else {
                readers.removeAll { $0 === walk }
                walk.fill = nil
                walk.reader.consultAgain()
            }
        }
    }

    /// Nothing is to be had here: all ask for themselves, at once. Who has seen a head already cannot.
    func releaseAll(isUncacheable: Bool) {
        let waiting = readers
        if isUncacheable, let flight = flights.first { loopCache.notes.markUncacheable(flight, now: loop.now) }
        end()
        readers = []
        for walk in waiting {
            walk.fill = nil
            if walk.hasHead {
                walk.reader.fail(Problem(.upstreamTruncated, detail: "The answer broke off."))
            } else {
                walk.reader.consultAgain()
            }
        }
    }
}
