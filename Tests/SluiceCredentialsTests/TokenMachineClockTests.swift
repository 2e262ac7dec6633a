import SluiceContract
import Testing

@testable import SluiceCredentials

/// Clocks that step, and tokens that end.
@Suite struct TokenMachineClockTests {
    private typealias Bench = TokenMachineBench

    /// A clock that was set back makes no token live longer than it was made for.
    @Test func aClockThatWasSetBackProlongsNothing() throws {
        var bench = Bench()
        let record = bench.record()
        bench.moment.unix -= 86_400
        bench.take(.found(record))
        #expect(try #require(bench.shown).usableUntil <= bench.moment.now + 3600 * 1_000_000_000)
    }

    /// What is as far away as a number goes never comes.
    @Test(arguments: [1e11, 1e15, 1e30, .infinity]) func momentsEnd(seconds: Double) {
        #expect(Moment(now: .max - 5, unix: 0).after(seconds) == .max)
        #expect(Moment(now: 5, unix: 0).after(-seconds) == 5)
    }

    @Test func aTokenThatEndsInThousandsOfYearsIsShown() throws {
        var bench = Bench()
        var record = bench.record()
        record.obtainedAt = 0
        record.expiresAt = 1 << 40
        bench.take(.found(record))
        #expect(try #require(bench.shown).usableUntil == .max)
        bench.take(.found(nil))
        record.obtainedAt = 1 << 40
        record.expiresAt = 0
        bench.take(.found(record))
        #expect(bench.shown == nil && bench.isAt(.lock))
    }

    /// Times of less than a second are what they are.
    @Test func aShortTimeIsNotNone() throws {
        var bench = Bench(.clientCredentials) {
            ($0.clientSecret, $0.timeout, $0.wait) = (.value("s"), .milliseconds(500), .milliseconds(999))
        }
        bench.take(.found(nil))
        bench.take(.wanted)
        bench.take(.locked(nil))
        #expect(bench.alarm == bench.moment.now + 500_000_000)
        // The next try comes before anybody has waited for too long.
        bench.answer(.unavailable("no route", retryAfterSeconds: nil))
        #expect(bench.withheld == nil)
    }

    /// The file is mended, and its token has ended meanwhile: whoever comes next asks for another one.
    @Test func whatWasRefusedForAFileIsOverWithIt() {
        var bench = Bench(.clientCredentials) { $0.clientSecret = .value("s") }
        let record = bench.record(refresh: nil)
        bench.take(.damaged("'fruit.token' is open to others; run: chmod 600 fruit.token"))
        #expect(bench.withheld?.detail.contains("chmod 600") == true)
        // Nobody signs in to it.
        #expect(bench.withheld?.detail.contains("sluice login") == false)
        bench.advance(4000)
        bench.take(.found(record))
        #expect(bench.isAt(.forget) && bench.shown == nil && !bench.isAt(.lock))
        #expect(bench.take(.wanted) == [.lock])
    }

    @Test func aTokenThatHasEndedIsRenewedAtOnce() {
        var bench = Bench()
        let record = bench.record()
        bench.advance(4000)
        bench.take(.found(record))
        #expect(bench.shown == nil && bench.isAt(.lock))
    }
}
