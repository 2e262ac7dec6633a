import Testing

@testable import SluiceClient

@Suite struct AlarmClockTests {
    private final class Owner: Sendable {}

    @Test func itRingsForWhoIsDue() {
        var clock = AlarmClock<Owner>()
        let (first, second) = (Owner(), Owner())
        check(clock.next == .max && clock.due(at: 1000).isEmpty)
        let sooner = [clock.set(first, at: 50), clock.set(second, at: 80), clock.set(second, at: 40)]
        #expect(sooner == [true, false, true])
        check(clock.due(at: 39).isEmpty)
        check(clock.due(at: 49).map { $0 === second } == [true])
        #expect(clock.next == 50)
        check(clock.due(at: 60).map { $0 === first } == [true])
        #expect(clock.next == .max)
    }

    /// One time for each: what was set before no longer counts.
    @Test func settingAgainReplaces() {
        var clock = AlarmClock<Owner>()
        let owner = Owner()
        _ = clock.set(owner, at: 50)
        _ = clock.set(owner, at: 90)
        check(clock.due(at: 60).isEmpty)
        #expect(clock.next == 90)
    }

    /// The macro cannot change what it looks at.
    private func check(_ isSo: Bool, at location: SourceLocation = #_sourceLocation) {
        #expect(isSo, sourceLocation: location)
    }
}
