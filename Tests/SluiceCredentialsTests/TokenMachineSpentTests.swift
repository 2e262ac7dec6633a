import SluiceContract
import Testing

@testable import SluiceCredentials

/// The page's refresh token is shown once, whatever becomes of its successors.
@Suite struct TokenMachineSpentTests {
    private typealias Bench = TokenMachineBench

    private static func bench(at url: String = "https://accounts.example/token") -> Bench {
        var bench = Bench(.refreshToken) { ($0.refreshToken, $0.tokenURL) = (.value("p1"), url) }
        bench.take(.found(nil))
        bench.take(.wanted)
        bench.take(.given("d1"))
        return bench
    }

    /// - Returns: what is kept of the first exchange.
    private static func exchanged(_ bench: inout Bench, _ successor: String?) throws -> TokenRecord {
        bench.take(.locked(nil))
        #expect(bench.asked == .configuredRefresh)
        bench.answer(.tokens(.init("a1", lifetime: 3600, refreshToken: successor)))
        let record = try #require(bench.saved)
        bench.take(.saved)
        return record
    }

    /// Another name for the same server is another server: the token is used up all the same.
    @Test func whereTheServerIsSpelledOtherwise() throws {
        var first = Self.bench()
        let record = try Self.exchanged(&first, "r1")
        #expect(record.spent == ["d1"] && TokenRecord(json: record.json) == record)
        var other = Self.bench(at: "https://localhost/token")
        other.take(.locked(record))
        #expect(other.asked == nil && other.isAt(.unlock))
        #expect(other.withheld?.kind == .signInNeeded)
        // Nor would a new one do: its successor could not be kept in the place of what is there.
        #expect(other.withheld?.detail.contains("remove the file") == true)
        #expect(other.take(.demanded) == [.lock])
        other.take(.given("d2"))
        other.take(.locked(record))
        #expect(other.asked == nil && other.isAt(.unlock))
        other.take(.found(nil))
        other.take(.wanted)
        other.take(.locked(nil))
        #expect(other.asked == .configuredRefresh)
        other.answer(.tokens(.init("a2", lifetime: 3600, refreshToken: "s1")))
        #expect(other.saved?.spent == ["d1", "d2"])
    }

    @Test func whereItsSuccessorIsRefused() throws {
        var bench = Self.bench()
        let record = try Self.exchanged(&bench, "r1")
        bench.take(.alarm)
        bench.take(.locked(record))
        #expect(bench.asked == .refresh("r1"))
        bench.answer(.refused(code: "invalid_grant", description: nil))
        #expect(bench.asked == nil && bench.isAt(.unlock))
    }

    /// Many servers take a refresh token as often as it comes.
    @Test func aTokenWithoutASuccessorIsShownAgain() throws {
        var bench = Self.bench()
        let record = try Self.exchanged(&bench, nil)
        #expect(record.spent.isEmpty)
        bench.take(.alarm)
        bench.take(.given("d1"))
        bench.take(.locked(record))
        #expect(bench.asked == .configuredRefresh)
    }
}
