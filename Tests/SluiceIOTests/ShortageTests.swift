import Logging
import Testing

@testable import SluiceIO

@Suite struct ShortageTests {
    private static let second: UInt64 = 1_000_000_000

    /// Said once when it begins and once when it is over, however often it was found so.
    @Test func isSaidOnce() {
        let said = Said()
        let shortage = Shortage(Logger(label: "test") { _ in said }, began: "began", over: "over")
        shortage.look(at: 0)
        for tick in 0..<400 as Range<UInt64> {
            shortage.occurred(at: tick * Self.second / 10, "reason")
            shortage.look(at: tick * Self.second / 10)
        }
        #expect(said.all == ["began reason=reason"])
        for tick in 40..<60 as Range<UInt64> { shortage.look(at: tick * Self.second) }
        #expect(said.all == ["began reason=reason", "over seconds=39 times=400"])
        // It is news when it comes again.
        shortage.occurred(at: 70 * Self.second)
        #expect(said.all.last == "began")
    }

    /// The clock of one loop is behind that of another.
    @Test func clocksOfLoopsDiffer() {
        let said = Said()
        let shortage = Shortage(Logger(label: "test") { _ in said }, began: "began", over: "over")
        shortage.occurred(at: 10)
        shortage.occurred(at: 9)
        shortage.look(at: 9 + 10 * Self.second)
        #expect(said.all == ["began"])
        shortage.look(at: 10 + 10 * Self.second)
        #expect(said.all == ["began", "over seconds=0 times=2"])
    }
}
