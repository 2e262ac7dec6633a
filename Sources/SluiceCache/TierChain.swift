public import SluiceContract
internal import Synchronization

/// The tiers behind the memory store, in the order in which they are asked: the disk, then the shared store. An entry
/// found in one is kept in those before it.
public final class TierChain: Sendable {
    private let tiers: [any CacheTier]
    private let purges = Atomic<Int>(0)

    public init(_ tiers: [any CacheTier]) {
        self.tiers = tiers
    }

    /// In the order in which they are asked.
    public var places: [TierPlace] { tiers.map(\.place) }

    /// Whether any tier could have an answer now.
    /// - Parameter isStale: a stale answer is there already: only the shared store, which others may have updated, is
    ///   of use.
    public func isWorthAsking(isStale: Bool) -> Bool {
        tiers.contains { !$0.isResting && (!isStale || $0.place == .shared) }
    }

    /// Asks one after the other. `reply` is called exactly once, from any thread.
    public func find(_ query: TierQuery, _ reply: @escaping @Sendable (StoredResponse?, TierPlace?) -> Void) {
        find(query, from: 0, purgeCount, reply)
    }

    /// - Parameter count: purges there had been when the first was asked.
    private func find(
        _ query: TierQuery, from index: Int, _ count: Int,
        _ reply: @escaping @Sendable (StoredResponse?, TierPlace?) -> Void
    ) {
        let next = tiers.indices.dropFirst(index).first {
            let isShared = tiers[$0].place == .shared
            return !tiers[$0].isResting && (isShared ? !query.isPrivate : query.newerThan == nil)
        }
        guard let index = next else { return reply(nil, nil) }
        let place = tiers[index].place
        tiers[index].find(query) { [self] entry in
            guard let entry, query.takes(entry) else { return find(query, from: index + 1, count, reply) }
            if purgeCount != count { return reply(nil, nil) }
            let receivedAt = query.unixSeconds - entry.age(query.now) + entry.initialAge
            for tier in tiers[..<index] { tier.keep(entry, receivedAt: receivedAt) }
            // A purge is counted first and sent to the tiers then: one that came in between has not found the entry
            // there.
            if purgeCount != count {
                for tier in tiers[..<index] { tier.purge(PurgeRequest(.key(entry.key))) }
                return reply(nil, nil)
            }
            reply(entry, place)
        }
    }

    /// - Parameters:
    ///   - receivedAt: Unix seconds.
    ///   - isPrivate: whether the response is for one client only; it then stays on this machine.
    public func keep(_ entry: StoredResponse, receivedAt: Int, isPrivate: Bool) {
        for tier in tiers where !isPrivate || tier.place != .shared { tier.keep(entry, receivedAt: receivedAt) }
    }

    public func invalidated(_ slot: UInt32) {
        for tier in tiers { tier.invalidated(slot) }
    }

    /// Counts purges: what was asked for before one must not be put into memory after it.
    public var purgeCount: Int { purges.load(ordering: .acquiring) }

    public func purge(_ request: PurgeRequest) {
        purges.add(1, ordering: .acquiringAndReleasing)
        for tier in tiers { tier.purge(request) }
    }

    /// Counters that a response with this label depends on, beside its resource and its groups.
    public func slots(of label: EntryLabel) -> [UInt32] { tiers.flatMap { $0.slots(of: label) } }

    public func configure(_ settings: CacheSettings) {
        for tier in tiers { tier.configure(settings) }
    }

    public func close() {
        // The disk last: its lock keeps a successor out until then.
        for tier in tiers.reversed() { tier.close() }
    }
}
