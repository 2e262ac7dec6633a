import Foundation
import SluiceCache
import Testing

@testable import SluiceStores

/// The folder is cut, removed, renamed or replaced while it is in use: that costs what is stored and nothing else.
@Suite struct DiskTierDamageTests {
    enum Harm: CaseIterable {
        case cut, cutInPart, removed, replaced
    }

    private static func harm(_ path: String, _ harm: Harm) throws {
        switch harm {
        case .cut: #expect(truncate(path, 0) == 0)
        case .cutInPart: #expect(truncate(path, 1000) == 0)
        case .removed: #expect(unlink(path) == 0)
        case .replaced:
            #expect(unlink(path) == 0)
            try Data(repeating: 7, count: 5000).write(to: URL(fileURLWithPath: path))
        }
    }

    /// Stores until what is stored is found again: what comes upon damage may be lost.
    private static func expectStoring(_ tier: DiskTier, _ folder: Folder, _ number: UInt64) {
        let isThere = (0..<4 as Range<UInt64>).contains { offset in
            tier.keep(Sample.entry(number + offset), receivedAt: 1_000_000)
            return tier.has(number + offset)
        }
        #expect(isThere, "\(folder.warned)")
    }

    /// Whatever becomes of its file: an invalidation that was made is one after a restart, and the process lives.
    @Test(arguments: Harm.allCases, [false, true])
    func invalidationsAreNotForgotten(_ harm: Harm, isBefore: Bool) throws {
        let folder = try Folder()
        var tier: DiskTier? = try folder.tier()
        let dependency = try #require(tier?.epochs.dependency(on: 5))
        let other = try #require(tier?.epochs.dependency(on: 6))
        tier?.keep(Sample.entry(1, dependencies: [dependency]), receivedAt: 1_000_000)
        tier?.keep(Sample.entry(2, dependencies: [other]), receivedAt: 1_000_000)
        #expect(tier?.has(1) == true)
        if isBefore { tier?.epochs.invalidate(5) }
        tier?.settle()
        try Self.harm(folder.disk + "/invalidations", harm)
        if !isBefore { tier?.epochs.invalidate(5) }
        #expect(tier?.has(1) == false)
        // With the next write it is noticed, and mended from memory.
        tier?.keep(Sample.entry(3), receivedAt: 1_000_000)
        #expect(tier?.has(3) == true)
        #expect(folder.warned.count { $0.contains("invalidations was damaged or removed") } == 1)
        tier?.close()
        tier = nil
        let again = try folder.tier()
        #expect(!again.has(1))
        #expect(again.has(2))
    }

    /// Nobody has noticed before the restart: then all that was stored goes.
    @Test(arguments: Harm.allCases)
    func damageThatARestartFinds(_ harm: Harm) throws {
        let folder = try Folder()
        var tier: DiskTier? = try folder.tier()
        let dependency = try #require(tier?.epochs.dependency(on: 5))
        tier?.keep(Sample.entry(1, dependencies: [dependency]), receivedAt: 1_000_000)
        #expect(tier?.has(1) == true)
        tier?.close()
        tier = nil
        try Self.harm(folder.disk + "/invalidations", harm)
        #expect(try !folder.tier().has(1))
    }

    @Test(arguments: ["cache.db", "cache.db-wal"], Harm.allCases)
    func theDatabase(_ name: String, _ harm: Harm) throws {
        let folder = try Folder()
        let tier = try folder.tier()
        for number in 0..<100 as Range<UInt64> { tier.keep(Sample.entry(number), receivedAt: 1_000_000) }
        #expect(tier.has(99))
        tier.settle()
        try Self.harm(folder.disk + "/" + name, harm)
        for number in 0..<100 as Range<UInt64> {
            guard let entry = tier.ask([Sample.key(number)]) else { continue }
            #expect(Array(entry.body) == [UInt8](repeating: UInt8(number), count: 1000))
        }
        Self.expectStoring(tier, folder, 1000)
    }

    @Test(arguments: [false, true])
    func theFolder(isRenamed: Bool) throws {
        let folder = try Folder()
        var tier: DiskTier? = try folder.tier()
        let dependency = try #require(tier?.epochs.dependency(on: 5))
        tier?.keep(Sample.entry(1, dependencies: [dependency]), receivedAt: 1_000_000)
        #expect(tier?.has(1) == true)
        tier?.settle()
        if isRenamed {
            #expect(rename(folder.disk, folder.path + "/away") == 0)
        } else {
            try FileManager.default.removeItem(atPath: folder.disk)
        }
        if let tier { Self.expectStoring(tier, folder, 10) }
        #expect(folder.warned.count { $0.contains("was removed, renamed or replaced") } == 1)
        tier?.epochs.invalidate(5)
        tier?.close()
        tier = nil
        if isRenamed {
            // Nobody takes the old one for what was counted.
            #expect(rename(folder.disk, folder.path + "/new") == 0)
            #expect(rename(folder.path + "/away", folder.disk) == 0)
            #expect(try !folder.tier().has(1))
        } else {
            let again = try folder.tier()
            #expect((10..<14).contains { again.has($0) })
        }
    }

    /// Without a folder above there is none to begin with; serving goes on, and it is said once.
    @Test func theFolderAboveIsGone() throws {
        let folder = try Folder()
        let tier = try DiskTier(
            folder.path, secret: nil, budget: 64 << 20, readTimeout: .seconds(60), clock: { 1_000_000 },
            warn: { text in folder.warnings.withLock { $0.append(text) } })
        tier.keep(Sample.entry(1), receivedAt: 1_000_000)
        #expect(tier.has(1))
        tier.settle()
        try FileManager.default.removeItem(atPath: folder.path)
        try Data().write(to: URL(fileURLWithPath: folder.path))
        for number in 2..<6 as Range<UInt64> {
            tier.keep(Sample.entry(number), receivedAt: 1_000_000)
            #expect(!tier.has(number))
        }
        tier.epochs.invalidate(5)
        #expect(tier.isResting)
        #expect(folder.warned.count == 1, "\(folder.warned)")
        // It comes back.
        #expect(unlink(folder.path) == 0)
        tier.writes.sync { tier.beginAgain() }
        #expect(!tier.isResting)
        Self.expectStoring(tier, folder, 10)
    }

    /// The wait after a failure ends early where the clock is set back, for removing what has expired as for writing.
    @Test func aClockThatIsSetBackEndsTheWait() throws {
        let folder = try Folder()
        let tier = try folder.tier()
        try tier.writes.sync {
            try tier.writer.replace(2_000_000)
            try tier.writer.replace(2_000_001)
            let outcomes = [2_000_002, 1_000_000].map { (tier.writer.sweep($0), tier.writer.write([], budget: 1, $0)) }
            #expect(outcomes.map { $0.0.isSkipped } == [true, false])
            #expect(outcomes.map { $0.1.isSkipped } == [true, false])
        }
    }

    /// A purge that waits outlives the file, with what is to be written before it, and no other is taken for it.
    @Test func aPurgeThatWaitsWhenTheFileGoes() throws {
        let folder = try Folder()
        let tier = try folder.tier()
        tier.writes.sync {
            tier.keep(Sample.entry(1), receivedAt: 1_000_000)
            tier.purge(PurgeRequest(.everything))
            tier.replaceFile(Database.Failure(code: 11, description: "harm"), generation: nil)
            #expect(tier.state.withLock { $0.purges.count } == 1)
            tier.write()
            #expect(tier.state.withLock { $0.purges.count } == 0)
        }
        #expect(!tier.has(1))
    }

    /// Where too many purges wait, everything is purged: the queue has an end, and nothing comes back.
    @Test func purgesThatWaitAreLimited() throws {
        let folder = try Folder()
        let tier = try folder.tier()
        tier.keep(Sample.entry(1), receivedAt: 1_000_000)
        #expect(tier.has(1))
        tier.writes.sync {
            for number in 0..<5 * DiskTier.purgesMax / 2 { tier.purge(PurgeRequest(.tag("\(number)"))) }
            let (purges, jobs) = tier.state.withLock { ($0.purges.count, $0.jobs.count) }
            #expect(purges == jobs && (1...DiskTier.purgesMax).contains(purges))
            tier.write()
            #expect(tier.state.withLock { $0.purges.isEmpty && $0.purgesUnderWay == 0 })
        }
        #expect(!tier.has(1))
    }

    /// Readers and the writer see the same log, in every order of opening and closing.
    @Test func readersSeeWhatIsWritten() throws {
        let folder = try Folder()
        for round in 0..<20 as Range<UInt64> {
            let tier = try folder.tier()
            for number in 0..<50 as Range<UInt64> {
                tier.keep(Sample.entry(round * 50 + number, bytes: 5000), receivedAt: 1_000_000)
                if number % 7 == 0 { #expect(tier.has(round * 50 + number)) }
            }
            #expect(tier.has(round * 50 + 49))
            #expect(tier.has(round * 50 / 2))
            tier.close()
        }
        #expect(folder.warned == [])
    }
}

extension DiskTier.Outcome {
    fileprivate var isSkipped: Bool {
        if case .skipped = self { true } else { false }
    }
}

extension DiskTier {
    /// Waits until nothing is being written: it would take along what comes.
    fileprivate func settle() { writes.sync {} }
}
