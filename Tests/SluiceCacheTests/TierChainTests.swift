import SluiceContract
import Synchronization
import Testing

@testable import SluiceCache

/// The order of the tiers: the first that has an answer gives it, and those before it keep it.
@Suite struct TierChainTests {
    final class Tier: CacheTier {
        let place: TierPlace
        let entries = Mutex<[CacheKey: StoredResponse]>([:])
        let log = Mutex<[String]>([])
        let rests = Mutex(false)

        init(_ place: TierPlace, _ entries: [StoredResponse] = []) {
            self.place = place
            self.entries.withLock { known in for entry in entries { known[entry.key] = entry } }
        }

        var isResting: Bool { rests.withLock { $0 } }
        var calls: [String] { log.withLock { $0 } }
        private func note(_ text: String) { log.withLock { $0.append(text) } }

        func find(_ query: TierQuery, _ reply: @escaping @Sendable (StoredResponse?) -> Void) {
            note("find")
            reply(entries.withLock { entries in query.keys.compactMap { entries[$0] }.first })
        }

        func keep(_ entry: StoredResponse, receivedAt: Int) { note("keep \(receivedAt)") }
        func invalidated(_ slot: UInt32) { note("invalidated \(slot)") }
        func purge(_ request: PurgeRequest) { note("purge") }
        func slots(of label: EntryLabel) -> [UInt32] { [] }
        func configure(_ settings: CacheSettings) { note("configure") }
        func close() { note("close") }
    }

    private func ask(_ chain: TierChain, newerThan: Int? = nil) -> TierPlace? {
        let place = Mutex<TierPlace?>(nil)
        let key = CacheKey(high: 1, low: 2)
        chain.find(TierQuery([key], newerThan: newerThan, now: 3_000_000_000, unixSeconds: 100)) { entry, found in
            #expect((entry == nil) == (found == nil))
            place.withLock { $0 = found }
        }
        return place.withLock { $0 }
    }

    @Test func theDiskIsAskedFirst() {
        let (disk, shared) = (Tier(.disk, [TierRecordTests.entry()]), Tier(.shared, [TierRecordTests.entry()]))
        #expect(ask(TierChain([disk, shared])) == .disk)
        #expect(shared.calls == [])
    }

    @Test func whatOthersHadIsKeptOnDisk() {
        let (disk, shared) = (Tier(.disk), Tier(.shared, [TierRecordTests.entry()]))
        #expect(ask(TierChain([disk, shared])) == .shared)
        // Received two seconds before it was asked for.
        #expect(disk.calls == ["find", "keep 98"])
        #expect(shared.calls == ["find"])
    }

    @Test func nobodyHasIt() {
        let (disk, shared) = (Tier(.disk), Tier(.shared))
        #expect(ask(TierChain([disk, shared])) == nil)
        #expect(ask(TierChain([])) == nil)
        #expect(disk.calls == ["find"])
    }

    @Test func whoRestsIsNotAsked() {
        let (disk, shared) = (Tier(.disk), Tier(.shared, [TierRecordTests.entry()]))
        let chain = TierChain([disk, shared])
        shared.rests.withLock { $0 = true }
        #expect(ask(chain) == nil)
        #expect(chain.isWorthAsking(isStale: false))
        #expect(!chain.isWorthAsking(isStale: true))
        #expect(shared.calls == [])
    }

    @Test func onlyOthersCanHaveSomethingNewer() {
        let (disk, shared) = (Tier(.disk, [TierRecordTests.entry()]), Tier(.shared, [TierRecordTests.entry()]))
        #expect(ask(TierChain([disk, shared]), newerThan: 5) == .shared)
        #expect(disk.calls == ["keep 98"])
    }

    /// An address on one machine is somebody else on another.
    @Test func whatIsPrivateIsNotShared() {
        let (disk, shared) = (Tier(.disk), Tier(.shared, [TierRecordTests.entry()]))
        let chain = TierChain([disk, shared])
        chain.keep(TierRecordTests.entry(), receivedAt: 7, isPrivate: true)
        var query = TierQuery([CacheKey(high: 1, low: 2)], now: 3, unixSeconds: 100)
        query.isPrivate = true
        chain.find(query) { entry, _ in #expect(entry == nil) }
        #expect(disk.calls == ["keep 7", "find"])
        #expect(shared.calls == [])
    }

    /// An answer at the key of a path is the one to no query; a note there speaks of all queries.
    @Test(arguments: [false, true]) func anAnswerToNoQueryIsNoneToAQuery(isNote: Bool) throws {
        let search = isNote ? NoVarySearch(parameters: .allBut([Array("utm".utf8)]), ordered: true) : nil
        let entry = TierRecordTests.entry(variance: search.map { .init(fields: [], search: $0) })
        let (disk, shared) = (Tier(.disk, [entry]), Tier(.shared, [entry]))
        var query = TierQuery([CacheKey(high: 3, low: 4), entry.key], now: 3_000_000_000, unixSeconds: 100)
        query.pathKey = entry.key
        TierChain([disk, shared]).find(query) { found, place in
            #expect((found != nil) == isNote && place == (isNote ? .disk : nil))
        }
        #expect(shared.calls == (isNote ? [] : ["find"]))
    }

    @Test func allHearOfEverythingElse() {
        let tiers = [Tier(.disk), Tier(.shared)]
        let chain = TierChain(tiers)
        chain.keep(TierRecordTests.entry(), receivedAt: 7, isPrivate: false)
        chain.invalidated(3)
        chain.purge(PurgeRequest(.everything))
        chain.configure(CacheSettings())
        chain.close()
        for tier in tiers { #expect(tier.calls == ["keep 7", "invalidated 3", "purge", "configure", "close"]) }
        #expect(chain.purgeCount == 1)
    }
}
