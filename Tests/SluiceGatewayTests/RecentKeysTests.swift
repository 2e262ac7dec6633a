import SluiceCache
import Testing

@testable import SluiceGateway

@Suite struct RecentKeysTests {
    private static func key(_ number: UInt64) -> CacheKey { CacheKey(high: ~number, low: number) }

    @Test func aKeyIsKnownForItsTime() {
        var keys = RecentKeys(for: 10)
        keys.insert(Self.key(1), now: 5)
        let seen = ([14, 15, 14] as [UInt64]).map { keys.contains(Self.key(1), now: $0) }
        // Once its time is over it is forgotten.
        #expect(seen == [true, false, false])
    }

    @Test func insertedAgainItIsKnownForLonger() {
        var keys = RecentKeys(for: 10)
        keys.insert(Self.key(1), now: 5)
        keys.insert(Self.key(1), now: 12)
        let isKnown = keys.contains(Self.key(1), now: 21)
        let isOther = keys.contains(Self.key(2), now: 21)
        #expect(isKnown && !isOther)
    }

    /// They have a bound: one more than that, and only the last is known.
    @Test func tooManyAreForgottenTogether() {
        var keys = RecentKeys(for: 10)
        for number in UInt64(0)..<4096 { keys.insert(Self.key(number), now: 0) }
        let isFirstKnown = keys.contains(Self.key(0), now: 1)
        keys.insert(Self.key(4096), now: 0)
        let isFirstForgotten = !keys.contains(Self.key(0), now: 1)
        let isLastKnown = keys.contains(Self.key(4096), now: 1)
        #expect(isFirstKnown && isFirstForgotten && isLastKnown)
    }
}
