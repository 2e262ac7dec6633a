internal import SluiceCache
internal import SluiceHTTP

/// Fills of other loops that follow a fill of this loop, which tells them of its progress by messages.
struct FillSubscribers {
    private var all: [Subscriber] = []

    /// A following fill, found by its number: a message that arrives after its end is dropped.
    struct Subscriber: Sendable {
        let loop: LoopAddress
        let serial: UInt64
        /// Bytes of the body that the slowest of its readers has taken, as far as it has said.
        var taken = 0

        func isSame(as other: Subscriber) -> Bool { serial == other.serial && loop === other.loop }

        /// Posts a message that the follower waits for: it is never refused.
        func tell(_ act: @escaping @Sendable (CacheFill) -> Void) {
            loop.post { [serial] loopCache in
                guard let fill = loopCache.followers[serial] else { return }
                act(fill)
            }
        }

        /// Posts progress. A stuck loop refuses it; once it turns again, it is told that its leader is lost.
        /// - Returns: whether the message was taken.
        func offer(_ act: @escaping @Sendable (CacheFill) -> Void) -> Bool {
            let isTaken = loop.offer { [serial] loopCache in
                guard let fill = loopCache.followers[serial] else { return }
                act(fill)
            }
            if !isTaken { tell { $0.leaderLost() } }
            return isTaken
        }
    }

    var isEmpty: Bool { all.isEmpty }

    mutating func add(_ subscriber: Subscriber) { all.append(subscriber) }

    /// - Returns: whether it was one of them.
    mutating func remove(_ subscriber: Subscriber) -> Bool {
        let count = all.count
        all.removeAll { $0.isSame(as: subscriber) }
        return all.count < count
    }

    // MARK: - Their pace

    mutating func note(_ taken: Int, by subscriber: Subscriber) {
        if let index = all.firstIndex(where: { $0.isSame(as: subscriber) }) {
            all[index].taken = max(all[index].taken, taken)
        }
    }

    /// Bytes, out of `count`, that the slowest follower has taken.
    func slowest(of count: Int) -> Int { all.reduce(count) { min($0, $1.taken) } }

    var fastest: Int { all.reduce(0) { max($0, $1.taken) } }

    /// Tells those whose slowest reader has not got as far as `line`.
    /// - Returns: whether there are any.
    func tell(behind line: Int, _ act: @escaping @Sendable (CacheFill) -> Void) -> Bool {
        let behind = all.filter { $0.taken < line }
        for subscriber in behind { subscriber.tell(act) }
        return !behind.isEmpty
    }

    // MARK: - Telling them

    /// Tells progress. A subscriber whose loop does not take it is removed.
    /// - Returns: whether there are fewer now.
    mutating func offer(_ act: @escaping @Sendable (CacheFill) -> Void) -> Bool {
        let count = all.count
        all.removeAll { !$0.offer(act) }
        return all.count < count
    }

    func tellAll(_ act: @escaping @Sendable (CacheFill) -> Void) {
        for subscriber in all { subscriber.tell(act) }
    }

    /// Tells all, for the last time.
    mutating func tellLast(_ act: @escaping @Sendable (CacheFill) -> Void) {
        for subscriber in all { subscriber.tell(act) }
        all = []
    }
}

/// One upstream request for the clients of all loops: the loop that asks has a fill with subscribers, each of the
/// others has a fill that follows it. They exchange messages: a head, pieces of the body, an end. The entry itself is
/// shared.
extension CacheFill {
    /// Subscribes to the fill of the loop at `leader`.
    /// - Returns: whether that loop took the message; a stuck loop does not.
    func follow(_ leader: LoopAddress, as own: LoopAddress, _ flight: CacheKey) -> Bool {
        let subscriber = FillSubscribers.Subscriber(loop: own, serial: serial)
        let isTaken = leader.offer { loopCache in
            if let fill = loopCache.fill(flight), !fill.source.isLeader { return fill.subscribe(subscriber) }
            subscriber.tell { $0.releaseAll(isUncacheable: false) }
        }
        guard isTaken else { return false }
        source = .leader(leader, flight: flight)
        loopCache.followers[serial] = self
        return true
    }

    private func subscribe(_ subscriber: FillSubscribers.Subscriber) {
        subscribers.add(subscriber)
        guard state == .answering else { return }
        let draft = draft
        if !subscriber.offer({ $0.leaderAnswered(draft) }) { drop(subscriber) }
    }

    /// Ends the subscription: this fill's own clients have all left.
    func unsubscribe() { tellLeader { $0.drop($1) } }

    /// Tells the fill that this one follows, even where later requests do not find it any more.
    func tellLeader(_ act: @escaping @Sendable (CacheFill, FillSubscribers.Subscriber) -> Void) {
        guard case .leader(let leader, let flight) = source, let own = loopCache.address else { return }
        let subscriber = FillSubscribers.Subscriber(loop: own, serial: serial)
        leader.post { loopCache in
            if let fill = loopCache.fills[flight] { act(fill, subscriber) }
            for fill in Array(loopCache.detached.values) { act(fill, subscriber) }
        }
    }

    private func drop(_ subscriber: FillSubscribers.Subscriber) {
        guard subscribers.remove(subscriber) else { return }
        giveUpIfUnread()
        relieve()
    }

    // MARK: - What the leader tells

    func tellProgress() {
        if subscribers.isEmpty { return }
        let draft = draft
        if subscribers.offer({ $0.leaderAnswered(draft) }) { giveUpIfUnread() }
    }

    func tellBody(_ run: UnsafeRawBufferPointer) {
        if subscribers.isEmpty { return }
        let copy = Array(run)
        let isFewer = subscribers.offer { fill in copy.withUnsafeBytes { fill.take($0, lifetime: .call) } }
        if isFewer { giveUpIfUnread() }
    }

    func tellEnd(_ entry: StoredResponse?) {
        let place = draft.place
        subscribers.tellLast { fill in
            fill.draft.place = place
            fill.leaderEnded(entry)
        }
    }

    // MARK: - What a follower hears

    private func leaderAnswered(_ draft: EntryDraft) {
        self.draft = draft
        state = .answering
        letGoOfOthers()
        for walk in readers.walks { sendHead(to: walk) }
    }

    /// The answer is complete: readers that have sent nothing of it yet get the stored entry.
    func leaderEnded(_ entry: StoredResponse?) {
        end()
        letGoOfOthers()
        for walk in readers.walks {
            if walk.hasHead {
                read(walk)
                continue
            }
            readers.remove(walk)
            if let entry { walk.serve(entry) } else { walk.consultAgain() }
        }
    }

    /// This loop was stuck, and missed a message of its leader.
    func leaderLost() {
        if case .leader(_, let flight) = source { loopCache.noteUntold(flight) }
        releaseAll(isUncacheable: false)
    }
}
