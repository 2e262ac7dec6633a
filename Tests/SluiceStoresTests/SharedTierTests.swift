import Foundation
import SluiceCache
import SluiceContract
import Synchronization
import Testing

@testable import SluiceStores

/// A server that is there, and slow.
@Suite struct SharedTierTests {
    private static let long = Duration.seconds(600)

    private static func store(_ server: ScriptedRedis, reply: Duration) -> CacheSettings.SharedStore {
        var settings = CacheSettings.SharedStore(.tcp(host: "127.0.0.1", port: server.port))
        (settings.connectTimeout, settings.replyTimeout) = (long, reply)
        return settings
    }

    private static func tier(
        _ server: ScriptedRedis, reply: Duration = long, patience: Duration = long,
        marks: SharedMarks = SharedMarks(), untold: UntoldMarks = UntoldMarks()
    ) -> SharedTier {
        let tier = SharedTier(
            store(server, reply: reply), CacheSettings(), password: nil, marks: marks, untold: untold,
            epochs: Epochs(), patience: patience, warn: { _ in })
        tier.start()
        return tier
    }

    private static func isEntry(_ command: [String]) -> Bool {
        command.first == "GETRANGE" && command[1].hasPrefix("sluice:2:entry:")
    }

    private func find(_ number: UInt64, _ tier: SharedTier, _ done: DispatchSemaphore) {
        tier.find(TierQuery([Sample.key(number)], now: 5_000_000_000, unixSeconds: 1_000_000)) { _ in done.signal() }
    }

    /// Whatever the server, or the tier, is busy with: a lookup has a time of its own, and is a miss then.
    @Test func aLookupHasATimeOfItsOwn() throws {
        let server = try ScriptedRedis { Self.isEntry($0) ? nil : ScriptedRedis.empty($0) }
        let tier = Self.tier(server, patience: .milliseconds(1))
        #expect(!tier.isResting)
        let done = DispatchSemaphore(value: 0)
        for number in 0..<100 as Range<UInt64> { find(number, tier, done) }
        for _ in 0..<100 { done.wait() }
        // The server may answer yet.
        #expect(!tier.isResting)
        server.end()
    }

    /// Those that are asked at once have the time of one reply together, though each of theirs comes in time.
    @Test func aRoundHasTheTimeOfOneReply() throws {
        let server = try ScriptedRedis { _ in
            usleep(20_000)
            return "+OK\r\n"
        }
        let connection = try RedisConnection(Self.store(server, reply: .milliseconds(200)))
        connection.beginRound()
        for _ in 0..<200 { connection.append([Array("PING".utf8)]) }
        var replies = 0
        do {
            while replies < 200 {
                _ = try connection.reply()
                replies += 1
            }
        } catch {
            #expect("\(error)".contains("no reply in time"))
        }
        #expect(replies < 200)
        server.end()
    }

    /// After a round that was too late, all who wait have an answer.
    @Test func nobodyWaitsForALateRound() throws {
        let isSlow = Atomic<Bool>(false)
        let server = try ScriptedRedis { command in
            isSlow.load(ordering: .relaxed) && Self.isEntry(command) ? nil : ScriptedRedis.empty(command)
        }
        let tier = Self.tier(server, reply: .milliseconds(200))
        // On a busy machine the first one may have been late, too.
        while tier.isResting { usleep(1000) }
        isSlow.store(true, ordering: .relaxed)
        let done = DispatchSemaphore(value: 0)
        for number in 0..<100 as Range<UInt64> { find(number, tier, done) }
        for _ in 0..<100 { done.wait() }
        server.end()
    }

    /// Lookups wait for a few stores, and not for all that are to be written.
    @Test func lookupsComeBeforeStores() throws {
        let (arrived, go, done) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        let sets = Atomic<Int>(0)
        let server = try ScriptedRedis { command in
            // The first one, and the first of those that are written together then.
            if command.first == "SET", sets.add(1, ordering: .relaxed).newValue <= 2 {
                arrived.signal()
                go.wait()
            }
            return ScriptedRedis.empty(command)
        }
        let tier = Self.tier(server)
        tier.keep(Sample.entry(0), receivedAt: 1_000_000)
        arrived.wait()
        for number in 1..<100 as Range<UInt64> { tier.keep(Sample.entry(number), receivedAt: 1_000_000) }
        go.signal()
        arrived.wait()
        find(1, tier, done)
        go.signal()
        done.wait()
        let before = server.commands.prefix { !Self.isEntry($0) }.count { $0.first == "SET" }
        #expect(before <= 1 + SharedTier.storesPerRound)
        server.end()
    }

    private static func told(_ server: ScriptedRedis) -> [String] {
        server.commands.filter { $0.first == "SETRANGE" }.map { $0[2] }
    }

    /// What the process before could not tell is the first that is told; it is off the record with the reply.
    @Test func whatAnEarlierProcessHasNotTold() throws {
        let server = try ScriptedRedis { command in
            ["SETRANGE", "INCRBY"].contains(command[0]) ? ":1\r\n" : ScriptedRedis.empty(command)
        }
        let done = DispatchSemaphore(value: 0)
        let untold = UntoldMarks([5, SharedMarks.allIndex]) { index, isUntold in
            if index == 5, !isUntold { done.signal() }
        }
        let tier = Self.tier(server, untold: untold)
        done.wait()
        #expect(Set(Self.told(server)) == ["40", String(SharedMarks.allIndex * 8)])
        tier.close()
        server.end()
    }

    /// A server that has lost its list is told what this gateway knows of it: another one may have been away.
    @Test func whatTheServerHasLost() throws {
        let server = try ScriptedRedis { command in
            ["SETRANGE", "INCRBY"].contains(command[0]) ? ":1\r\n" : ScriptedRedis.empty(command)
        }
        let done = DispatchSemaphore(value: 0)
        let marks = SharedMarks(words: [1, 0, 0, 0, 0, 9])
        let tier = Self.tier(
            server, marks: marks, untold: UntoldMarks { _, isUntold in if !isUntold { done.signal() } })
        done.wait()
        #expect(Self.told(server) == ["40"])
        tier.close()
        server.end()
    }
}
