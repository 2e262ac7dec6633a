import Testing

@testable import SluiceGateway

/// When requests on a busy connection wait for each other.
@Suite struct RequestGatheringTests {
    private static let millisecond: UInt64 = 1_000_000

    /// A connection on which `underWay` requests were written and answers come at intervals of so many microseconds.
    private func busy(_ underWay: Int, every microseconds: UInt64, wait: UInt64 = 1) -> (RequestGathering, UInt64) {
        var now: UInt64 = 1_000_000_000
        var gathering = RequestGathering(nanosecondsMax: wait * Self.millisecond, at: now)
        for _ in 0..<20 {
            now += microseconds * 1000
            gathering.heard(at: now)
        }
        for _ in 0..<underWay { _ = gathering.submitted(isWhole: true) }
        #expect(!holds(&gathering, now))
        gathering.wrote()
        return (gathering, now)
    }

    private func holds(_ gathering: inout RequestGathering, _ now: UInt64) -> Bool { gathering.holds(at: now) }

    private func timePassed(_ gathering: inout RequestGathering, _ now: UInt64) -> Bool {
        gathering.timePassed(at: now)
    }

    @Test(arguments: [
        (underWay: 4, every: 100, wait: 1, isHeld: true), (4, 900, 1, true), (64, 0, 1, true),
        (3, 100, 1, false), (0, 100, 1, false), (4, 1100, 1, false), (40, 100, 0, false), (4, 1100, 2, true),
    ])
    func waitsWhereTheNextInputIsNear(_ row: (underWay: Int, every: UInt64, wait: UInt64, isHeld: Bool)) {
        var (gathering, now) = busy(row.underWay, every: row.every, wait: row.wait)
        _ = gathering.submitted(isWhole: true)
        #expect(holds(&gathering, now) == row.isHeld)
        #expect((gathering.dueAt == now + row.wait * Self.millisecond) == row.isHeld)
    }

    /// Where answers come many at a time, one request under way is enough to wait for.
    @Test(arguments: [(answers: 1, isHeld: false), (answers: 8, isHeld: true)])
    func answersThatComeTogether(_ row: (answers: Int, isHeld: Bool)) {
        var (gathering, now) = busy(0, every: 100)
        for _ in 0..<20 {
            let epochs = (0..<row.answers).map { _ in gathering.submitted(isWhole: true) }
            gathering.wrote()
            for epoch in epochs { gathering.answered(epoch) }
            now += 100_000
            gathering.heard(at: now)
        }
        _ = gathering.submitted(isWhole: true)
        gathering.wrote()
        _ = gathering.submitted(isWhole: true)
        #expect(holds(&gathering, now) == row.isHeld)
    }

    @Test func theNextInputEndsTheWait() {
        var (gathering, now) = busy(8, every: 100)
        for _ in 0..<5 {
            _ = gathering.submitted(isWhole: true)
            #expect(holds(&gathering, now))
        }
        gathering.heard(at: now + 1)
        #expect(!holds(&gathering, now + 1))
        gathering.wrote()
        #expect(gathering.waitingCount == 0)
        #expect(gathering.dueAt == nil)
        // Those that were written are under way in their turn.
        _ = gathering.submitted(isWhole: true)
        #expect(holds(&gathering, now + 1))
    }

    @Test func contentAndControlFramesDoNotWait() {
        var (gathering, now) = busy(8, every: 100)
        _ = gathering.submitted(isWhole: true)
        #expect(holds(&gathering, now))
        gathering.urge()
        #expect(!holds(&gathering, now))
        gathering.wrote()
        _ = gathering.submitted(isWhole: false)
        #expect(!holds(&gathering, now))
    }

    @Test func nothingWaitsWhereNobodyAsks() {
        var (gathering, now) = busy(8, every: 100)
        #expect(!holds(&gathering, now))
    }

    /// What is under way and slow does not say that the next input is near.
    @Test func whoWaitedInVainCountsTheOthersNoMore() {
        var (gathering, now) = busy(8, every: 100)
        _ = gathering.submitted(isWhole: true)
        #expect(holds(&gathering, now))
        #expect(!timePassed(&gathering, now + Self.millisecond - 1))
        #expect(timePassed(&gathering, now + Self.millisecond))
        #expect(!holds(&gathering, now + Self.millisecond))
        gathering.wrote()
        gathering.heard(at: now + Self.millisecond)
        for _ in 0..<3 { _ = gathering.submitted(isWhole: true) }
        gathering.wrote()
        _ = gathering.submitted(isWhole: true)
        #expect(!holds(&gathering, now + Self.millisecond))
    }

    @Test func answersAreNoLongerUnderWay() {
        var (gathering, now) = busy(3, every: 100)
        let epoch = gathering.submitted(isWhole: true)
        gathering.wrote()
        gathering.answered(epoch)
        _ = gathering.submitted(isWhole: true)
        #expect(!holds(&gathering, now))
    }

    @Test func soManyAreEnough() {
        var (gathering, now) = busy(8, every: 100)
        var held = 0
        for _ in 0..<100 {
            _ = gathering.submitted(isWhole: true)
            if holds(&gathering, now) { held += 1 } else { break }
        }
        #expect(held == 63)
    }

    @Test func aLongSilenceEndsIt() {
        var (gathering, now) = busy(8, every: 100)
        _ = gathering.submitted(isWhole: true)
        #expect(!holds(&gathering, now + Self.millisecond))
    }
}
