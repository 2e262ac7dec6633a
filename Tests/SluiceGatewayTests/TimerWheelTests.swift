import Testing

@testable import SluiceGateway

private final class Owner {
    let timer: Timer
    var fired: [UInt64] = []

    init(tag: Int = 0) {
        timer = Timer(tag: tag)
    }

    // What `#expect` takes apart has to be copyable, which a timer isn't.
    var isArmed: Bool { timer.isArmed }
    var deadline: UInt64? { timer.deadline }
}

private let tick: UInt64 = 1 << 20
private let second: UInt64 = 1_000_000_000

@Suite struct TimerWheelTests {
    /// Deadlines in every level, at their edges and beyond the wheel.
    @Test(
        arguments: [
            0, 1, tick - 1, tick, tick + 1, 63 * tick, 64 * tick, 65 * tick, 4095 * tick, 4096 * tick, 4097 * tick,
            second, 75 * second, 600 * second, 262_143 * tick, 262_144 * tick, (1 << 24) * tick, (1 << 25) * tick + 7,
        ] as [UInt64], [0, 5 * tick + 3, 63 * tick, 64 * tick - 1, ((1 << 24) - 1) * tick, 1 << 50] as [UInt64])
    func firesOnceWithinATick(after delay: UInt64, from start: UInt64) {
        let wheel = TimerWheel(now: start)
        let owner = Owner(tag: 7)
        let deadline = start + delay
        wheel.arm(owner.timer, for: owner, at: deadline)
        #expect(owner.deadline == max(deadline, start / tick * tick + 1))
        var firedAt: UInt64?
        var wakes = 0
        while let now = wheel.nextDeadline() {
            wakes += 1
            wheel.advance(to: now) { object, tag in
                #expect(ObjectIdentifier(object) == ObjectIdentifier(owner))
                #expect(tag == 7)
                #expect(firedAt == nil)
                firedAt = now
            }
        }
        #expect(firedAt.map { $0 >= deadline && $0 <= deadline + tick } == true)
        #expect(wakes <= 7)
        #expect(!owner.isArmed)
        #expect(wheel.count == 0)
    }

    @Test func movingADeadlineLaterKeepsTheSlot() {
        let wheel = TimerWheel(now: 0)
        let owner = Owner()
        wheel.arm(owner.timer, for: owner, at: 10 * tick)
        wheel.arm(owner.timer, for: owner, at: 20 * tick)
        #expect(wheel.nextDeadline() == 10 * tick)
        var fired = 0
        wheel.advance(to: 10 * tick) { _, _ in fired += 1 }
        #expect(fired == 0)
        #expect(wheel.nextDeadline() == 20 * tick)
        wheel.advance(to: 20 * tick) { _, _ in fired += 1 }
        #expect(fired == 1)
    }

    @Test func aParkedTimerDoesNotFireAndLeavesItsSlot() {
        let wheel = TimerWheel(now: 0)
        let owner = Owner()
        wheel.arm(owner.timer, for: owner, at: 10 * tick)
        wheel.park(owner.timer)
        #expect(wheel.count == 0)
        #expect(!owner.isArmed)
        wheel.advance(to: 20 * tick) { _, _ in Issue.record("a parked timer fired") }
        #expect(wheel.nextDeadline() == nil)
    }

    @Test(arguments: [UInt64(5), 10, 20, 1000]) func aParkedTimerIsArmedAgain(at deadline: UInt64) {
        let wheel = TimerWheel(now: 0)
        let owner = Owner()
        wheel.arm(owner.timer, for: owner, at: 10 * tick)
        wheel.park(owner.timer)
        wheel.arm(owner.timer, for: owner, at: deadline * tick)
        #expect(wheel.count == 1)
        var fired = 0
        wheel.advance(to: (deadline - 1) * tick) { _, _ in fired += 1 }
        #expect(fired == 0)
        wheel.advance(to: deadline * tick) { _, _ in fired += 1 }
        #expect(fired == 1)
        #expect(wheel.count == 0)
    }

    @Test func movingADeadlineEarlierTakesEffect() {
        let wheel = TimerWheel(now: 0)
        let owner = Owner()
        wheel.arm(owner.timer, for: owner, at: 1000 * tick)
        wheel.arm(owner.timer, for: owner, at: 10 * tick)
        #expect(wheel.count == 1)
        var fired = 0
        wheel.advance(to: 10 * tick) { _, _ in fired += 1 }
        #expect(fired == 1)
    }

    @Test func cancelledTimersDoNotFire() {
        let wheel = TimerWheel(now: 0)
        let owners = (0..<3).map { Owner(tag: $0) }
        for owner in owners { wheel.arm(owner.timer, for: owner, at: 5 * tick) }
        wheel.cancel(owners[1].timer)
        wheel.cancel(owners[1].timer)
        var tags: [Int] = []
        wheel.advance(to: 5 * tick) { tags.append($1) }
        #expect(tags.sorted() == [0, 2])
    }

    @Test func aFiringTimerMayCancelAndReleaseItsNeighbours() {
        let wheel = TimerWheel(now: 0)
        var owners: [Owner] = (0..<5).map { Owner(tag: $0) }
        for owner in owners { wheel.arm(owner.timer, for: owner, at: 3 * tick) }
        var fired = 0
        wheel.advance(to: 4 * tick) { _, _ in
            fired += 1
            for owner in owners { wheel.cancel(owner.timer) }
            owners = []
        }
        #expect(fired == 1)
        #expect(wheel.count == 0)
    }

    @Test func whatFiringArmsWaitsForTheNextAdvance() {
        let wheel = TimerWheel(now: 0)
        let owner = Owner()
        wheel.arm(owner.timer, for: owner, at: tick)
        var fired = 0
        let rearm = { (_: AnyObject, _: Int) in
            fired += 1
            wheel.arm(owner.timer, for: owner, at: 0)
        }
        wheel.advance(to: 500 * tick, fire: rearm)
        #expect(fired == 1)
        wheel.advance(to: 500 * tick, fire: rearm)
        #expect(fired == 1)
        wheel.advance(to: 501 * tick, fire: rearm)
        #expect(fired == 2)
        wheel.cancel(owner.timer)
    }

    @Test func aClockThatStepsBackIsIgnored() {
        let wheel = TimerWheel(now: 100 * tick)
        let owner = Owner()
        wheel.arm(owner.timer, for: owner, at: 101 * tick)
        wheel.advance(to: 50 * tick) { _, _ in Issue.record("fired early") }
        #expect(wheel.nextDeadline() == 101 * tick)
        wheel.cancel(owner.timer)
    }

    @Test func aDeadlineThatNoClockReachesStaysArmed() {
        let wheel = TimerWheel(now: 0)
        let owner = Owner()
        wheel.arm(owner.timer, for: owner, at: .max)
        wheel.advance(to: 1 << 60) { _, _ in Issue.record("fired") }
        #expect(owner.isArmed)
        wheel.cancel(owner.timer)
    }

    @Test func aWheelThatGoesDisarmsItsTimers() {
        let owner = Owner()
        do {
            let wheel = TimerWheel(now: 0)
            wheel.arm(owner.timer, for: owner, at: second)
        }
        #expect(!owner.isArmed)
    }

    /// Random arms, cancels and steps beside a plain list of deadlines.
    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func agreesWithAList(seed: UInt64) {
        var random = SplitMix(state: seed)
        var now = random.next() >> 16
        let wheel = TimerWheel(now: now)
        let owners = (0..<200).map { Owner(tag: $0) }
        var model: [Int: UInt64] = [:]
        for _ in 0..<4000 {
            let index = Int(random.next() % UInt64(owners.count))
            switch random.next() % 8 {
            case 0..<5:
                let deadline = now + random.next() >> (14 + random.next() % 40)
                wheel.arm(owners[index].timer, for: owners[index], at: deadline)
                model[index] = deadline
            case 5:
                wheel.cancel(owners[index].timer)
                model[index] = nil
            default:
                now += random.next() >> (20 + random.next() % 30)
                var last: UInt64 = 0
                wheel.advance(to: now) { owner, tag in
                    #expect(ObjectIdentifier(owner) == ObjectIdentifier(owners[tag]))
                    let deadline = model.removeValue(forKey: tag)
                    #expect(deadline.map { $0 <= now } == true)
                    last = deadline ?? last
                }
                #expect(model.values.allSatisfy { $0 + tick > now })
            }
            #expect(wheel.count == model.count)
            if let earliest = model.values.min(), let next = wheel.nextDeadline() {
                #expect(next <= max(earliest, now) + 2 * tick)
            }
        }
        for owner in owners { wheel.cancel(owner.timer) }
    }
}

/// Steele, Lea and Flood's generator: the same numbers for the same seed.
private struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
