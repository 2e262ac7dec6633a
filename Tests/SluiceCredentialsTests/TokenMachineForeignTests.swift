import SluiceContract
import Testing

@testable import SluiceCredentials

/// Two pages have a credential of one name, and share the folder. Neither takes anything from the other.
@Suite struct TokenMachineForeignTests {
    private typealias Bench = TokenMachineBench

    private static func other(_ bench: Bench, refresh: String? = "theirs") -> TokenRecord {
        var record = bench.record("theirs", refresh: refresh, serial: 9)
        record.clientID = "other"
        return record
    }

    @Test func aTokenOfOnesOwnStays() {
        var bench = Bench(.clientCredentials) { $0.clientSecret = .value("s") }
        bench.take(.found(nil))
        bench.take(.wanted)
        bench.take(.locked(Self.other(bench)))
        #expect(bench.asked == .own)
        bench.answer(.tokens(.init("a1", lifetime: 3600)))
        bench.take(.saved)
        #expect(bench.shown?.text == "a1")
        #expect(bench.take(.found(Self.other(bench))).isEmpty && bench.machine.isUsable(at: bench.moment))
        bench.advance(3500)
        #expect(bench.take(.alarm) == [.lock])
        bench.take(.locked(Self.other(bench)))
        #expect(bench.asked == .own)
    }

    /// What was asked for in the client's own name may come with a refresh token, which is kept nowhere else.
    @Test func aRefreshTokenInMemoryIsUsed() {
        var bench = Bench()
        bench.take(.found(bench.record()))
        #expect(bench.take(.found(Self.other(bench))).isEmpty)
        bench.take(.alarm)
        bench.take(.locked(Self.other(bench)))
        #expect(bench.asked == .refresh("r1"))
        bench.answer(.unavailable("no route", retryAfterSeconds: nil))
        #expect(bench.take(.found(Self.other(bench))).isEmpty)
        #expect(bench.machine.record?.refreshToken == "r1")
    }

    @Test func aPersonHearsWhoseItIs() {
        var bench = Bench()
        bench.take(.found(Self.other(bench)))
        #expect(bench.withheld?.detail.contains("client 'other' at https://accounts.example/token") == true)
        #expect(bench.withheld?.detail.contains("'state:'") == true)
        // A token alone is in nobody's way.
        bench.take(.found(Self.other(bench, refresh: nil)))
        #expect(bench.withheld?.detail.contains("Nobody has signed in yet.") == true)
    }
}
