import Foundation
import SluiceCache
import SluiceContract
import Testing

@testable import SluiceStores

/// The folder survives restarts, damage and those who mean no good; what is wrong in it is warned of once.
@Suite struct DiskTierTests {
    @Test func survivesARestart() throws {
        let folder = try Folder()
        var tier: DiskTier? = try folder.tier()
        let secret = tier?.secret
        tier?.keep(Sample.entry(1, bytes: 100_000), receivedAt: 999_990)
        tier?.close()
        tier = nil
        let again = try folder.tier()
        #expect(again.secret.0 == secret?.0 && again.secret.1 == secret?.1)
        let entry = try #require(again.ask([Sample.key(9), Sample.key(1)]))
        #expect(Array(entry.body) == Array(repeating: 1, count: 100_000))
        #expect(entry.age(5_000_000_000) == 10)
        #expect(entry.label.target == Array("/a/1".utf8))
        #expect(!again.has(2))
        #expect(folder.warned == [])
    }

    @Test func isClosedToOthers() throws {
        let folder = try Folder()
        let tier = try folder.tier()
        tier.keep(Sample.entry(1), receivedAt: 1_000_000)
        #expect(tier.has(1))
        #expect(folder.mode("") == 0o700)
        for name in ["cache.db", "cache.db-wal", "secret", "invalidations", "lock"] {
            #expect(folder.mode(name) == 0o600, "\(name)")
        }
        // Nothing is mapped that others could cut.
        #expect(folder.mode("cache.db-shm") == -1)
        // To its end: the kernel hands it out in pieces, and says no length.
        let file = try #require(FileHandle(forReadingAtPath: "/proc/self/maps"))
        let maps = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        #expect(maps.contains("[stack]") && !maps.contains(folder.disk))
    }

    @Test func oneProcessAtATime() throws {
        let folder = try Folder()
        let tier = try folder.tier()
        let failure = #expect(throws: StoreFailure.self) { try folder.tier() }
        #expect(failure?.description.contains("is held by another process (\(getpid()))") == true)
        tier.close()
    }

    @Test func invalidationsSurvive() throws {
        let folder = try Folder()
        var tier: DiskTier? = try folder.tier()
        let dependency = try #require(tier?.epochs.dependency(on: 5))
        tier?.keep(Sample.entry(1, dependencies: [dependency]), receivedAt: 1_000_000)
        tier?.keep(Sample.entry(2), receivedAt: 1_000_000)
        #expect(tier?.has(1) == true)
        tier?.epochs.invalidate(5)
        tier?.close()
        tier = nil
        let again = try folder.tier()
        #expect(!again.has(1))
        #expect(again.has(2))
        // One that was on its way at the time.
        again.keep(Sample.entry(3, dependencies: [dependency]), receivedAt: 1_000_000)
        #expect(!again.has(3))
    }

    /// Without the counters nobody knows what was invalidated; with another secret nothing can be found.
    @Test(arguments: ["secret", "invalidations"])
    func startsEmptyWithout(_ name: String) throws {
        let folder = try Folder()
        var tier: DiskTier? = try folder.tier()
        tier?.keep(Sample.entry(1), receivedAt: 1_000_000)
        #expect(tier?.has(1) == true)
        tier?.close()
        tier = nil
        try FileManager.default.removeItem(atPath: folder.disk + "/" + name)
        #expect(try !folder.tier().has(1))
    }

    @Test func timesAreThoseOfTheWall() throws {
        let folder = try Folder()
        let tier = try folder.tier()
        tier.keep(Sample.entry(1, lifetime: 10), receivedAt: 1_000_000)
        let query = 5_000_000_000 as UInt64
        #expect(tier.ask([Sample.key(1)], unixSeconds: 1_000_009)?.time(query).staleness == -1)
        #expect(tier.ask([Sample.key(1)], unixSeconds: 1_000_010)?.time(query).staleness == 0)
        // A clock that was set back.
        #expect(tier.ask([Sample.key(1)], unixSeconds: 900_000)?.time(query).staleness == 0)
        #expect(tier.ask([Sample.key(1)], unixSeconds: 1_000_010 + 86_400) == nil)
    }

    @Test func theLastOneCounts() throws {
        let folder = try Folder()
        let tier = try folder.tier()
        for bytes in [10, 20, 30] { tier.keep(Sample.entry(1, bytes: bytes), receivedAt: 1_000_000) }
        #expect(tier.ask([Sample.key(1)])?.bodyCount == 30)
    }

    @Test func staysWithinItsBudget() throws {
        let folder = try Folder()
        let tier = try folder.tier(budget: 4 << 20)
        for number in 0..<100 as Range<UInt64> {
            tier.keep(Sample.entry(number, bytes: 100_000), receivedAt: 1_000_000)
            // Who is asked for lives on.
            #expect(tier.has(0))
        }
        #expect(tier.has(99))
        #expect(!tier.has(1))
        #expect((0..<100).count { tier.has(UInt64($0)) } > 25)
        var status = stat()
        #expect(stat(folder.disk + "/cache.db", &status) == 0)
        #expect(status.st_size < 6 << 20)
        // Nothing may have more than a quarter of it.
        tier.keep(Sample.entry(500, bytes: 2 << 20), receivedAt: 1_000_000)
        #expect(!tier.has(500))
    }

    @Test func whatHasExpiredGoes() throws {
        let folder = try Folder()
        let tier = try folder.tier()
        for number in 0..<600 as Range<UInt64> { tier.keep(Sample.entry(number, bytes: 10), receivedAt: 1_000_000) }
        #expect(tier.has(599))
        tier.writes.sync { _ = tier.writer.sweep(1_000_000 + 90_000) }
        #expect(!tier.has(0) && !tier.has(599))
    }

    @Test(
        arguments: [
            (PurgeRequest.Selection.everything, []), (.binding("GET /b"), [1, 2, 4]), (.key(Sample.key(2)), [1, 3, 4]),
            (.target(Array("/a/4".utf8)), [1, 2, 3]), (.tag("red"), [1, 3]), (.tag("re"), [1, 2, 3, 4]),
        ] as [(PurgeRequest.Selection, [UInt64])])
    func purges(_ selection: PurgeRequest.Selection, _ left: [UInt64]) throws {
        for isSoft in [false, true] {
            let folder = try Folder()
            let tier = try folder.tier()
            tier.keep(Sample.entry(1), receivedAt: 1_000_000)
            tier.keep(Sample.entry(2, tags: ["green", "red"]), receivedAt: 1_000_000)
            tier.keep(Sample.entry(3, binding: "GET /b", tags: ["dark red"]), receivedAt: 1_000_000)
            tier.keep(Sample.entry(4, tags: ["red"]), receivedAt: 1_000_000)
            tier.purge(PurgeRequest(selection, isSoft: isSoft))
            for number in 1...4 as ClosedRange<UInt64> {
                let entry = tier.ask([Sample.key(number)])
                let isFresh = entry.map { $0.time(5_000_000_000).staleness < 0 }
                #expect(isFresh == (left.contains(number) ? true : isSoft ? false : nil), "\(number), soft: \(isSoft)")
            }
        }
    }

    // MARK: - Damage

    /// A file that is no database, cut, or full of turned bits: it is moved aside, and nothing wrong is ever found.
    @Test(arguments: 0..<24)
    func damageIsMovedAside(_ round: Int) throws {
        let folder = try Folder()
        var tier: DiskTier? = try folder.tier()
        for number in 0..<200 as Range<UInt64> {
            tier?.keep(Sample.entry(number, bytes: 300 + Int(number) * 20), receivedAt: 1_000_000)
        }
        #expect(tier?.has(199) == true)
        tier?.close()
        tier = nil
        var bytes = try folder.contents("cache.db")
        var generator = SystemRandomNumberGenerator()
        switch round % 4 {
        case 0: bytes = Array("this is no database, but somebody wrote it here all the same".utf8)
        case 1: bytes.removeLast(bytes.count / 2 + round * 37)
        case 2: for _ in 0..<400 { bytes[Int.random(in: 100..<bytes.count, using: &generator)] ^= 0x10 }
        default: for index in 4096..<min(12_288, bytes.count) { bytes[index] = 0xff }
        }
        try folder.write(bytes, "cache.db")
        let again = try folder.tier()
        for number in 0..<200 as Range<UInt64> {
            guard let entry = again.ask([Sample.key(number)]) else { continue }
            let expected = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 300 + Int(number) * 20)
            #expect(Array(entry.body) == expected)
        }
        // It goes on, whatever there was: what comes upon damage is lost, what comes after it is not.
        let isThere = [1000, 1001, 1002, 1003].contains { (number: UInt64) in
            again.keep(Sample.entry(number), receivedAt: 1_000_000)
            return again.has(number)
        }
        #expect(isThere, "\(folder.warned)")
        if round % 4 == 0 {
            #expect(folder.warned.count == 1)
            #expect(folder.mode("cache.db.damaged") == 0o644 || folder.mode("cache.db.damaged") == 0o600)
        }
    }

    /// Damage that a write finds costs what is written then, and nothing that comes after it.
    @Test func whatComesAfterDamageIsKept() throws {
        let folder = try Folder()
        let before = try folder.tier()
        for number in 0..<200 as Range<UInt64> { before.keep(Sample.entry(number), receivedAt: 1_000_000) }
        before.close()
        let tier = try folder.tier()
        var bytes = try folder.contents("cache.db")
        for index in 8192..<bytes.count { bytes[index] = 0xff }
        try folder.write(bytes, "cache.db")
        tier.keep(Sample.entry(1000), receivedAt: 1_000_000)
        tier.writes.sync {}
        #expect(folder.warned.count == 1)
        tier.keep(Sample.entry(1001), receivedAt: 1_000_000)
        #expect(tier.has(1001))
    }

    @Test func aFolderThatCannotBeUsedSaysWhy() throws {
        let folder = try Folder()
        func failure(_ path: String) -> String {
            do {
                _ = try DiskTier(path, budget: 1 << 20, clock: { 0 }, warn: { _ in })
                return ""
            } catch {
                return "\(error)"
            }
        }
        #expect(failure(folder.path + "/a/b").contains("make the folder above it"))
        #expect(failure("/proc/nothing").contains("cannot be made"))
        try Data().write(to: URL(fileURLWithPath: folder.path + "/file"))
        #expect(failure(folder.path + "/file").contains("is no folder"))
        mkdir(folder.path + "/open", 0o777)
        chmod(folder.path + "/open", 0o777)
        #expect(failure(folder.path + "/open").contains("chmod 700"))
    }

    /// More than the queue takes is not kept, and holds nobody up.
    @Test func aFullQueueLosesAnswers() throws {
        let folder = try Folder()
        let tier = try folder.tier()
        tier.keep(Sample.entry(99), receivedAt: 1_000_000)
        #expect(tier.has(99))
        // Nothing is being written any more: it would take what comes along.
        tier.writes.sync {}
        let gate = DispatchSemaphore(value: 0)
        tier.writes.async { gate.wait() }
        for number in 0..<40 as Range<UInt64> {
            tier.keep(Sample.entry(number, bytes: 1 << 20), receivedAt: 1_000_000)
        }
        // What it would have replaced goes.
        tier.keep(Sample.entry(99, bytes: 1 << 20), receivedAt: 1_000_000)
        #expect(tier.state.withLock { $0.lost } > 5)
        gate.signal()
        #expect(tier.has(0))
        #expect(!tier.has(39))
        #expect(!tier.has(99))
    }
}
