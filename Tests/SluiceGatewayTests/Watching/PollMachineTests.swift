import SluiceContract
import Testing

@testable import SluiceGateway

/// When a watched value is asked for, and what is told of each answer.
@Suite struct PollMachineTests {
    private static let second: UInt64 = 1_000_000_000

    private static func machine(_ edit: (inout WatchPolicy) -> Void = { _ in }) throws -> PollMachine {
        var binding = try Build.binding("GET /a", to: "fruit /a")
        var policy = WatchPolicy()
        edit(&policy)
        binding.watch = policy
        let table = try RouteTable(Build.configuration([binding]))
        return PollMachine(try #require(table.routes[0].watch))
    }

    private static func value(_ text: String, isStale: Bool = false) -> PollMachine.Answer {
        .value(Array(text.utf8), isStale: isStale)
    }

    /// Chance in the middle: the wait is as it is written, but for rounding.
    private static let even = UInt64.max / 2 + 1

    private static let failed = Problem(.connectionRefused, detail: "no")

    /// Tells an answer at a time in seconds.
    private func tell(
        _ machine: inout PollMachine, _ answer: PollMachine.Answer, at seconds: UInt64
    ) -> [PollMachine.Order] {
        machine.answered(answer, at: seconds * Self.second, chance: Self.even)
    }

    @Test func asksAtOnceAndThenAgain() throws {
        var machine = try Self.machine()
        #expect(machine.watched() == [.tell(.loading), .ask])
        #expect(machine.deadline == nil)
        #expect(tell(&machine, Self.value("1"), at: 1) == [.tell(.changed(Array("1".utf8), patch: nil))])
        let due = try #require(machine.deadline)
        #expect((10 * Self.second...12 * Self.second).contains(due))
        #expect(machine.timePassed(at: due - 1) == [])
        #expect(machine.timePassed(at: due) == [.ask])
        #expect(tell(&machine, Self.value("1"), at: 12) == [.tell(.notModified)])
    }

    @Test func chanceSpreadsQuestions() throws {
        for (chance, least, most) in [(UInt64(0), 9, 9), (.max, 10, 11)] {
            var machine = try Self.machine()
            _ = machine.watched()
            _ = machine.answered(Self.value("1"), at: 0, chance: chance)
            let due = try #require(machine.deadline)
            #expect((UInt64(least) * Self.second...UInt64(most) * Self.second).contains(due))
        }
    }

    @Test func waitsLongerWhileTheUpstreamFails() throws {
        var machine = try Self.machine { $0.backoffMax = .seconds(60) }
        _ = machine.watched()
        var waits: [UInt64] = []
        var now: UInt64 = 0
        for _ in 0..<5 {
            _ = tell(&machine, .failed(Self.failed), at: now)
            let due = try #require(machine.deadline) / Self.second
            waits.append(due - now)
            now = due + 1
            #expect(machine.timePassed(at: now * Self.second) == [.ask])
        }
        #expect(
            zip(waits, [20, 40, 60, 60, 60] as [UInt64]).allSatisfy { $0 + 2 >= $1 * 9 / 10 && $0 <= $1 * 11 / 10 },
            "\(waits)")
        _ = tell(&machine, Self.value("1"), at: now)
        #expect(machine.failures == 0)
    }

    @Test func waitsAsLongAsTheUpstreamAsks() throws {
        var machine = try Self.machine()
        _ = machine.watched()
        var problem = Self.failed
        problem.retryAfterSeconds = 500
        _ = tell(&machine, .failed(problem), at: 1)
        #expect(machine.deadline == 501 * Self.second)
        // Whatever changes meanwhile.
        #expect(machine.changed(at: 20 * Self.second) == [])
        #expect(machine.deadline == 501 * Self.second)
        #expect(machine.timePassed(at: 501 * Self.second) == [.ask])
        #expect(machine.changed(at: 501 * Self.second) == [])
        #expect(tell(&machine, .failed(problem), at: 502).count == 1, "not at once, though outdated")
        #expect(machine.deadline == 1002 * Self.second)
    }

    /// A problem of a value that is known makes it stale; the end of it is told.
    @Test func aFailureIsToldWithTheAgeOfTheValue() throws {
        var machine = try Self.machine()
        _ = machine.watched()
        #expect(
            tell(&machine, .failed(Self.failed), at: 1) == [.tell(.problem(Self.failed, staleSeconds: nil))])
        _ = machine.changed(at: 0)
        _ = tell(&machine, Self.value("1"), at: 2)
        _ = machine.changed(at: 0)
        #expect(tell(&machine, .failed(Self.failed), at: 9) == [.tell(.problem(Self.failed, staleSeconds: 7))])
        _ = machine.changed(at: 0)
        #expect(tell(&machine, .failed(Self.failed), at: 20) == [.tell(.problem(Self.failed, staleSeconds: 18))])
        _ = machine.changed(at: 0)
        #expect(tell(&machine, .notModified, at: 21) == [.tell(.recovered)])
    }

    @Test func aStaleAnswerOfTheCacheIsOne() throws {
        var machine = try Self.machine()
        _ = machine.watched()
        _ = tell(&machine, Self.value("1"), at: 2)
        _ = machine.changed(at: 0)
        #expect(tell(&machine, Self.value("1", isStale: true), at: 9) == [.tell(.stale(seconds: 7))])
        _ = machine.changed(at: 0)
        #expect(
            tell(&machine, Self.value("2", isStale: true), at: 10) == [
                .tell(.changed(Array("2".utf8), patch: nil)), .tell(.stale(seconds: 8)),
            ])
    }

    /// What is on its way may be of before the change.
    @Test func aChangeDuringAQuestionAsksOnceMore() throws {
        var machine = try Self.machine()
        _ = machine.watched()
        #expect(machine.changed(at: 0) == [])
        #expect(machine.changed(at: 0) == [])
        #expect(tell(&machine, Self.value("1"), at: 1) == [.tell(.changed(Array("1".utf8), patch: nil)), .ask])
        #expect(tell(&machine, Self.value("1"), at: 1) == [.tell(.notModified)])
        #expect(machine.changed(at: 0) == [.ask])
    }

    @Test func restsWhileNobodyWatches() throws {
        var machine = try Self.machine()
        #expect(machine.changed(at: 0) == [])
        _ = machine.watched()
        #expect(machine.unwatched() == [.abandon])
        #expect(tell(&machine, Self.value("1"), at: 1) == [])
        #expect(machine.watched() == [.tell(.loading), .ask])
        _ = tell(&machine, Self.value("1"), at: 1)
        #expect(machine.unwatched() == [])
        #expect(machine.deadline == nil)
        // The value is known still.
        #expect(machine.watched() == [.ask])
        #expect(tell(&machine, Self.value("1"), at: 9) == [.tell(.notModified)])
    }

    @Test func aPatchIsToldWhereItIsShorter() throws {
        let long = String(repeating: "0123456789", count: 5)
        let (old, new) = (#"{"a":1,"long":"\#(long)"}"#, #"{"a":2,"long":"\#(long)"}"#)
        for (form, patch) in [
            (WatchPolicy.Form.mergePatch, #"{"a":2}"#), (.jsonPatch, #"[{"op":"replace","path":"/a","value":2}]"#),
        ] {
            var machine = try Self.machine { $0.send = form }
            _ = machine.watched()
            _ = tell(&machine, Self.value(old), at: 1)
            _ = machine.changed(at: 0)
            #expect(
                tell(&machine, Self.value(new), at: 1) == [.tell(.changed(Array(new.utf8), patch: Array(patch.utf8)))])
            _ = machine.changed(at: 0)
            #expect(tell(&machine, Self.value(" " + new), at: 1) == [.tell(.notModified)])
            _ = machine.changed(at: 0)
            #expect(tell(&machine, Self.value("{}"), at: 1) == [.tell(.changed(Array("{}".utf8), patch: nil))])
        }
    }

    @Test func anAnswerToAnotherQuestionIsAProblem() throws {
        var machine = try Self.machine()
        _ = machine.watched()
        guard case .tell(.problem(let problem, _))? = tell(&machine, .notModified, at: 1).first else {
            Issue.record("a 304 without a value is no value")
            return
        }
        #expect(problem.kind == .upstreamProtocol)
    }
}
