internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// One upstream request for the clients of all loops: the loop that asks has a filling with subscribers, each of the
/// others one that follows it. What passes between them are letters: a head, pieces of the body, an end. The entry
/// itself is shared.
///
/// A follower is found by its number, so that a letter that comes late is for nobody.
extension Filling {
    /// A loop whose clients wait for this answer too.
    struct Subscriber {
        let loop: LoopAddress
        let serial: UInt64
    }

    /// Asks the loop at `leader` to be told how its answer gets on.
    func follow(_ leader: LoopAddress, as own: LoopAddress, _ flight: CacheKey) {
        self.leader = leader
        followed = flight
        gateway.desk.followers[serial] = self
        let subscriber = Subscriber(loop: own, serial: serial)
        leader.post { gateway in
            if let filling = gateway.desk.filling(flight), filling.leader == nil {
                return filling.subscribe(subscriber)
            }
            Self.tell(subscriber) { $0.releaseAll(isUncacheable: false) }
        }
    }

    private func subscribe(_ subscriber: Subscriber) {
        subscribers.append(subscriber)
        if state == .answering { tellProgress(subscriber) }
    }

    private static func tell(_ subscriber: Subscriber, _ act: @escaping @Sendable (Filling) -> Void) {
        subscriber.loop.post { gateway in
            guard let filling = gateway.desk.followers[subscriber.serial] else { return }
            act(filling)
        }
    }

    private func tellAll(_ act: @escaping @Sendable (Filling) -> Void) {
        for subscriber in subscribers { Self.tell(subscriber, act) }
    }

    /// The followers' own clients have all left.
    func unsubscribe() {
        guard let leader, let own = gateway.address, let followed else { return }
        let subscriber = Subscriber(loop: own, serial: serial)
        leader.post { gateway in
            gateway.desk.fillings[followed]?.drop(subscriber)
            for filling in Array(gateway.desk.landed.values) { filling.drop(subscriber) }
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
        Self.tell(subscriber) { filling in
            (filling.head, filling.variance, filling.variantBase) = (head, variance, base)
            (filling.length, filling.bytes, filling.key) = (length, bytes, key)
            filling.leaderAnswered()
        }
    }

    func tellBody(_ run: UnsafeRawBufferPointer) {
        if subscribers.isEmpty { return }
        let copy = Array(run)
        tellAll { filling in copy.withUnsafeBytes { filling.sendBody($0, lifetime: .call) } }
    }

    func tellEnd(_ entry: StoredResponse?) {
        let (variance, base, key) = (variance, variantBase, key)
        tellAll { filling in
            (filling.variance, filling.variantBase, filling.key) = (variance, base, key)
            filling.leaderEnded(entry)
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
        for reader in readers { sendHead(to: reader) }
    }

    /// The whole answer is there: whoever has seen nothing of it yet gets it from the store's entry.
    func leaderEnded(_ entry: StoredResponse?) {
        end()
        letGoOfOthers()
        let waiting = readers
        for reader in waiting {
            if reader.hasHead {
                read(reader)
            } else if let entry {
                readers.removeAll { $0 === reader }
                reader.exchange.serve(entry, reader)
            } else {
                readers.removeAll { $0 === reader }
                reader.filling = nil
                reader.exchange.walk(.consultCache)
            }
        }
    }

    /// Nothing is to be had here: all ask for themselves, at once. Who has seen a head already cannot.
    func releaseAll(isUncacheable: Bool) {
        let waiting = readers
        if isUncacheable, let flight = flights.first { gateway.desk.notes.markUncacheable(flight, now: gateway.now) }
        end()
        readers = []
        for reader in waiting {
            reader.filling = nil
            if reader.hasHead {
                reader.exchange.fail(Problem(.upstreamTruncated, detail: "The answer broke off."))
            } else {
                reader.exchange.walk(.consultCache)
            }
        }
    }
}
