import SluiceContract
import Testing

@testable import SluiceCache

@Suite struct MemoryStoreWalkTests {
    static let fruit = EntryLabel.Source(binding: "GET /fruits", tags: ["fruit"])
    static let tree = EntryLabel.Source(binding: "GET /trees", tags: ["tree"])

    /// Every third entry is a tree.
    static func store(_ count: UInt64) -> MemoryStore {
        let store = MemoryStore(CacheSettings())
        for number in 0..<count {
            store.insert(
                PurgeRequestTests.entry(
                    number, source: number % 3 == 0 ? tree : fruit, target: "/\(number)", group: nil, in: store))
        }
        return store
    }

    static func purge(_ store: MemoryStore, _ requests: PurgeRequest..., at now: UInt64 = 5_000_000_000) -> Int {
        var place = MemoryStore.Place()
        var purged = 0
        for request in requests { store.announce(request) }
        while store.purge(requests, &place, at: now, purged: &purged) {}
        return purged
    }

    @Test(arguments: [1, 7, MemoryStore.stepMax, 100_000])
    func seesEachEntryOnce(most: Int) {
        let store = Self.store(1000)
        var place = MemoryStore.Place()
        var seen: [CacheKey] = []
        var hasMore = true
        while hasMore {
            let before = seen.count
            hasMore = store.walk(&place, most: most) { entry in
                seen.append(entry.key)
                return false
            }
            #expect(seen.count - before <= min(most, MemoryStore.stepMax))
            place = MemoryStore.Place(place.text) ?? MemoryStore.Place()
        }
        #expect(seen.count == 1000)
        #expect(Set(seen).count == 1000)
        #expect(!store.walk(&place) { _ in true })
    }

    @Test func aPlaceBehindAllIsTheEndOfItsShard() throws {
        var place = try #require(MemoryStore.Place("0.\(Int.max)"))
        var count = 0
        let store = Self.store(10)
        func look(_ entry: StoredResponse) -> Bool {
            count += 1
            return false
        }
        while store.walk(&place, removing: look) {}
        #expect(count <= 10)
    }

    @Test(arguments: ["", "1", "1.", ".1", "-1.0", "1.2.3", "a.b"])
    func aPlaceThatIsNone(_ text: String) {
        #expect(MemoryStore.Place(text) == nil)
    }

    static let selections: [(PurgeRequest.Selection, Int)] = [
        (.everything, 900), (.tag("fruit"), 600), (.binding("GET /trees"), 300), (.target(Array("/7".utf8)), 1),
        (.key(MemoryStoreTests.key(8)), 1), (.key(MemoryStoreTests.key(9999)), 0), (.tag("nothing"), 0),
    ]

    @Test(arguments: selections, [false, true])
    func purges(_ selection: (PurgeRequest.Selection, Int), isSoft: Bool) {
        let store = Self.store(900)
        let request = PurgeRequest(selection.0, isSoft: isSoft)
        #expect(Self.purge(store, request) == selection.1)
        #expect(store.usage.entries == (isSoft ? 900 : 900 - selection.1))
        for number in UInt64(0)..<900 {
            let entry = store.find(MemoryStoreTests.key(number))
            let source = number % 3 == 0 ? Self.tree : Self.fruit
            let label = EntryLabel(source, target: Array("/\(number)".utf8))
            let isSelected = request.selects(MemoryStoreTests.key(number), label)
            if isSoft {
                #expect(entry?.isSoftened == isSelected, "entry \(number)")
            } else {
                #expect((entry == nil) == isSelected, "entry \(number)")
            }
        }
    }

    /// An entry is stale from the moment of the purge on, whatever was left of its lifetime.
    @Test func softMeansStaleFromNowOn() {
        let store = Self.store(1)
        let entry = store.find(MemoryStoreTests.key(0))
        #expect(entry?.time(5_000_000_000).staleness == -56)
        _ = Self.purge(store, PurgeRequest(.everything, isSoft: true), at: 5_000_000_000)
        #expect(entry?.freshUntil == 0)
        #expect(entry?.time(5_000_000_000).staleness == 0)
        #expect(entry?.time(9_000_000_000).staleness == 4)
        _ = Self.purge(store, PurgeRequest(.everything, isSoft: true), at: 9_000_000_000)
        #expect(entry?.time(9_000_000_000).staleness == 4, "it has been stale all the time")
    }

    @Test func whatWasOnItsWayIsNotStoredPastAPurge() {
        let store = MemoryStore(CacheSettings())
        let start = store.purges.number
        _ = Self.purge(store, PurgeRequest(.tag("fruit")))
        #expect(!store.insert(PurgeRequestTests.entry(1), since: start))
        #expect(store.find(MemoryStoreTests.key(1)) == nil)
        #expect(store.insert(PurgeRequestTests.entry(2, source: Self.tree), since: start))
        #expect(store.find(MemoryStoreTests.key(2)) != nil)
        store.insert(PurgeRequestTests.entry(3), since: store.purges.number)
        #expect(store.find(MemoryStoreTests.key(3))?.isSoftened == false)
        _ = Self.purge(store, PurgeRequest(.tag("tree"), isSoft: true))
        store.insert(PurgeRequestTests.entry(4, source: Self.tree), since: start)
        #expect(store.find(MemoryStoreTests.key(4))?.freshUntil == 0)
    }

    /// What was invalidated and not asked for since lies about; a purge of anything clears it away, uncounted.
    @Test func clearsWhatIsOfNoMoreUse() {
        let store = Self.store(10)
        store.epochs.invalidate(1)
        #expect(Self.purge(store, PurgeRequest(.tag("nothing"))) == 0)
        #expect(store.usage.entries == 0)
        #expect(store.usage.bytes == 0)
    }

    @Test func countsEvictions() {
        var settings = CacheSettings()
        settings.memoryBytes = 64 << 10
        let store = MemoryStore(settings)
        for number in UInt64(0)..<200 { store.insert(MemoryStoreTests.entry(number)) }
        let usage = store.usage
        #expect(usage.evictions + usage.entries == 200)
        #expect(usage.bytes <= usage.bytesMax)
        #expect(usage.bytesMax == 64 << 10)
    }
}
