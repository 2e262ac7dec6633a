import Testing

@testable import SluiceGateway

@Suite struct UpstreamTimeTests {
    /// One after the other.
    @Test func attemptsAddUp() {
        var time = UpstreamTime()
        time.attemptDeparted(at: 10)
        #expect(time.nanoseconds(at: 15) == 5)
        time.attemptEnded(at: 20)
        time.attemptDeparted(at: 50)
        time.attemptEnded(at: 53)
        #expect(time.nanoseconds(at: 100) == 13)
    }

    /// Beside each other, whichever ends first.
    @Test func whatOverlapsCountsOnce() {
        var time = UpstreamTime()
        time.attemptDeparted(at: 10)
        time.attemptDeparted(at: 15)
        time.attemptEnded(at: 20)
        #expect(time.nanoseconds(at: 25) == 15)
        time.attemptEnded(at: 30)
        #expect(time.nanoseconds(at: 100) == 20)
    }

    @Test func whatNeverWentOutTookNoTime() {
        var time = UpstreamTime()
        time.attemptDeparted(at: 10)
        time.attemptWithdrawn()
        time.attemptEnded(at: 20)
        #expect(time.nanoseconds(at: 30) == 0)
    }
}
