import SluiceContract
import SluiceHTTP
import Testing

@testable import SluiceCache

@Suite struct MemoryStoreTests {
    static func entry(_ number: UInt64, bytes: Int = 1000, age: Int = 0) -> StoredResponse {
        let facts = DecisionTests.facts(200, ["Cache-Control: max-age=60"])
        var head = StoredHead(
            status: 200, freshness: Freshness(facts, CachePolicy()), initialAge: age, responseTime: 1)
        head.append(.etag, Array("\"\(number)\"".utf8))
        return StoredResponse.make(head, key: key(number), bodyCount: bytes) { put in
            Array(repeating: UInt8(truncatingIfNeeded: number), count: bytes).withUnsafeBytes(put)
        }
    }

    static func key(_ number: UInt64) -> CacheKey {
        var hash = SipHash(3, 4)
        hash.combine(number)
        return CacheKey(hash)
    }

    @Test func anEntryIsOnePiece() {
        let entry = Self.entry(7, bytes: 3)
        #expect(String(decoding: entry.lines, as: UTF8.self) == "ETag: \"7\"\r\n")
        #expect(Array(entry.body) == [7, 7, 7])
        #expect(entry.freshUntil == 60_000_000_001)
    }

    /// Random operations against a dictionary: what is found is what was put in last, and never what was removed.
    @Test(arguments: UInt64(1)...4)
    func agreesWithAModel(seed: UInt64) {
        var shard = MemoryShard(bytesMax: 200_000)
        var model: [CacheKey: ObjectIdentifier] = [:]
        var state = seed
        func random(_ below: UInt64) -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) % below
        }
        for _ in 0..<20_000 {
            let number = random(400)
            switch random(10) {
            case 0:
                shard.remove(Self.key(number))
                model[Self.key(number)] = nil
                #expect(shard.find(Self.key(number)) == nil)
            case 1...4:
                let entry = Self.entry(number, bytes: Int(random(3000)))
                shard.insert(entry)
                model[entry.key] = ObjectIdentifier(entry)
                #expect(shard.bytes <= 200_000)
            default:
                guard let found = shard.find(Self.key(number)) else { continue }
                found.used()
                #expect(!found.isDead)
                #expect(model[found.key] == ObjectIdentifier(found))
            }
        }
    }

    /// A scan of many that are asked for once does not drive out those that are asked for again and again.
    @Test func survivesAScan() {
        var shard = MemoryShard(bytesMax: 130_000)
        for _ in 0..<4 {
            for number in UInt64(0)..<50 {
                if let entry = shard.find(Self.key(number)) { entry.used() } else { shard.insert(Self.entry(number)) }
            }
        }
        for number in UInt64(1000)..<3000 { shard.insert(Self.entry(number)) }
        let left = (UInt64(0)..<50).count { shard.find(Self.key($0)) != nil }
        #expect(left >= 45)
    }

    @Test func invalidationReachesWhatIsOnItsWay() {
        let store = MemoryStore(CacheSettings())
        var head = StoredHead(
            status: 200, freshness: Freshness(DecisionTests.facts(200, []), CachePolicy()), initialAge: 0,
            responseTime: 1)
        head.dependencies = [store.epochs.dependency(on: 42)]
        store.epochs.invalidate(42)
        let entry = StoredResponse.make(head, key: Self.key(1), bodyCount: 0) { _ in }
        store.insert(entry)
        #expect(LoopIndex().find(Self.key(1), in: store) == nil)
    }

    /// What a tier has takes nobody's place who is newer, and does not come back after a purge.
    @Test(arguments: [(0, 30, 0), (30, 0, 1), (30, 30, 0), (30, 29, 0)])
    func whatATierHasIsOffered(age: Int, other: Int, which: Int) {
        func aged(_ age: Int) -> StoredResponse { Self.entry(1, age: age) }
        let store = MemoryStore(CacheSettings())
        let entries = [aged(age), aged(other)]
        store.insert(entries[0])
        #expect(store.offer(entries[1], since: store.purges.number) === entries[which])
        #expect(store.find(Self.key(1)) === entries[which])
        let before = store.purges.number
        store.announce(PurgeRequest(.everything))
        store.remove(Self.key(1))
        #expect(store.offer(aged(0), since: before) == nil)
        #expect(store.find(Self.key(1)) == nil)
    }

    /// RFC 9111 §4.3.4: newer fields for a response that has gone meanwhile bring it back to nobody.
    @Test func anUpdateOfWhatHasGoneIsNotStored() {
        let store = MemoryStore(CacheSettings())
        let old = Self.entry(1)
        store.insert(old)
        #expect(store.insert(Self.entry(1), since: 0, updating: store.find(Self.key(1))))
        #expect(old.isDead)
        #expect(!store.insert(Self.entry(1), since: 0, updating: old))
    }

    @Test func aLoopLetsGoOfWhatTheStoreHasEvicted() {
        let store = MemoryStore(CacheSettings())
        let index = LoopIndex()
        store.insert(Self.entry(1))
        let entry = index.find(Self.key(1), in: store)
        #expect(entry != nil)
        store.remove(Self.key(1))
        #expect(entry?.isDead == true)
        #expect(index.find(Self.key(1), in: store) == nil)
    }

    @Test func aLoopUsesWhatItHasServedBefore() {
        let store = MemoryStore(CacheSettings())
        let index = LoopIndex()
        store.insert(Self.entry(1))
        func uses(_ key: CacheKey) -> [CacheKey] {
            var used: [CacheKey] = []
            let isThere = index.withEntry(key, in: store) { entry in
                used.append(entry.key)
                return true
            }
            #expect(isThere == !used.isEmpty)
            return used
        }
        #expect(uses(Self.key(1)).isEmpty, "only what was looked for before")
        _ = index.find(Self.key(1), in: store)
        #expect(uses(Self.key(1)) == [Self.key(1)])
        #expect(uses(Self.key(2)).isEmpty)
        #expect(!index.withEntry(Self.key(1), in: store) { _ in false })
        store.remove(Self.key(1))
        #expect(uses(Self.key(1)).isEmpty, "not once it is dead")
    }
}
