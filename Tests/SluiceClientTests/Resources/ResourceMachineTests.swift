import Testing

@testable import SluiceClient

/// A resource's life as facts and orders.
@Suite struct ResourceMachineTests {
    typealias Machine = ResourceMachine<String>

    static let start = ContinuousClock.now

    static func at(_ seconds: Int) -> ContinuousClock.Instant { start + .seconds(seconds) }

    static func data(_ content: String, at seconds: Int) -> ResourceData<String> {
        ResourceData(content: content, timestamp: at(seconds), etag: "\"\(content)\"")
    }

    /// Asks, and returns the number of the load that is ordered.
    static func number(_ machine: inout Machine, _ ask: Machine.Ask, at seconds: Int) -> UInt64? {
        if case .start(let load) = machine.asked(ask, at: at(seconds)) { load.number } else { nil }
    }

    /// The number of a load that has to begin.
    static func begin(_ machine: inout Machine, _ ask: Machine.Ask, at seconds: Int) throws -> UInt64 {
        let begun = number(&machine, ask, at: seconds)
        return try #require(begun)
    }

    static func loaded(_ content: String = "a") throws -> Machine {
        var machine = Machine(ResourceFreshness())
        let number = try Self.begin(&machine, .ifNeeded, at: 0)
        machine.loaded(number, data(content, at: 0), from: .network)
        return machine
    }

    /// S2, S3: nothing if fresh, a load if not; `always` loads.
    @Test(arguments: [(0, false), (29, false), (30, true), (1000, true)])
    func s3ContentIsFreshForHalfAMinute(age: Int, loads: Bool) throws {
        var machine = try Self.loaded()
        #expect(machine.state(at: Self.at(age)).isUpToDate == !loads)
        let needed = Self.number(&machine, .ifNeeded, at: age)
        #expect((needed != nil) == loads)
        _ = try Self.begin(&machine, .always, at: age)
    }

    @Test func s2ALoadInFlightIsJoined() throws {
        var machine = Machine(ResourceFreshness())
        let first = try Self.begin(&machine, .ifNeeded, at: 0)
        guard case .join(first) = machine.asked(.ifNeeded, at: Self.at(0)) else {
            Issue.record("not joined")
            return
        }
        #expect(machine.state(at: Self.at(0)).isLoading)
    }

    /// S3: an error is tried again after a second, and not before.
    @Test func s3ErrorsRestForASecond() throws {
        var machine = Machine(ResourceFreshness())
        let number = try Self.begin(&machine, .ifNeeded, at: 0)
        machine.failed(number, .transport(.timeout(.answer)), at: Self.at(0))
        guard case .settled(.failure) = machine.asked(.ifNeeded, at: Self.at(0)) else {
            Issue.record("loaded at once")
            return
        }
        _ = try Self.begin(&machine, .ifNeeded, at: 1)
    }

    /// S4: a failure keeps the content, and a 304 makes it fresh.
    @Test func s4FailuresAndNotModifiedKeepTheContent() throws {
        var machine = try Self.loaded()
        let second = try Self.begin(&machine, .ifNeeded, at: 60)
        machine.failed(second, .transport(.timeout(.answer)), at: Self.at(60))
        var state = machine.state(at: Self.at(60))
        #expect(state.content == "a" && state.latestError != nil && !state.isUpToDate && state.event == .error)
        guard case .start(let load) = machine.asked(.ifNeeded, at: Self.at(70)) else {
            Issue.record("no load")
            return
        }
        #expect(load.etag == "\"a\"" && !load.passesCache)
        machine.notModified(load.number, at: Self.at(70))
        state = machine.state(at: Self.at(80))
        #expect(state.content == "a" && state.latestError == nil && state.isUpToDate && state.event == .notModified)
    }

    /// S4, the trap: a 304 with nothing stored. After a wipe it makes nothing fresh, and the next load has no
    /// validator.
    @Test func s4NotModifiedWithNothingStored() throws {
        var machine = try Self.loaded()
        let number = try Self.begin(&machine, .always, at: 1)
        machine.wipe()
        machine.notModified(number, at: Self.at(1))
        let state = machine.state(at: Self.at(1))
        #expect(state.content == nil && state.latestError == nil && !state.isUpToDate)
        guard case .start(let load) = machine.asked(.ifNeeded, at: Self.at(1)) else {
            Issue.record("nothing is asked for")
            return
        }
        #expect(load.etag == nil && load.passesCache)
    }

    /// S6: what was invalidated is asked for past the gateway's cache, and a load begun before does not make it fresh.
    @Test func s6Invalidation() throws {
        var machine = try Self.loaded()
        let before = try Self.begin(&machine, .always, at: 1)
        machine.invalidate()
        guard case .start(let after) = machine.asked(.ifNeeded, at: Self.at(1)) else {
            Issue.record("joined a load that had begun before")
            return
        }
        #expect(after.passesCache)
        machine.loaded(before, Self.data("old", at: 1), from: .network)
        #expect(machine.state(at: Self.at(1)).content == "old" && !machine.state(at: Self.at(1)).isUpToDate)
        machine.loaded(after.number, Self.data("new", at: 1), from: .network)
        #expect(machine.state(at: Self.at(1)).isUpToDate)
    }

    /// A load that fails makes nothing valid: the next one goes past the gateway's cache, too.
    @Test func aFailureLeavesItInvalid() throws {
        var machine = try Self.loaded()
        machine.invalidate()
        let number = try Self.begin(&machine, .ifNeeded, at: 1)
        machine.failed(number, .transport(.timeout(.answer)), at: Self.at(1))
        guard case .start(let next) = machine.asked(.ifNeeded, at: Self.at(1000)) else {
            Issue.record("nothing is asked for")
            return
        }
        #expect(next.passesCache)
    }

    @Test func s6WipeAndOverrideOutdateWhatIsInFlight() throws {
        for isWipe in [true, false] {
            var machine = try Self.loaded()
            let number = try Self.begin(&machine, .always, at: 1)
            if isWipe { machine.wipe() } else { machine.override("own", at: Self.at(1)) }
            machine.loaded(number, Self.data("late", at: 2), from: .network)
            let state = machine.state(at: Self.at(2))
            #expect(state.content == (isWipe ? nil : "own") && state.isUpToDate == !isWipe)
            #expect(state.event == .newData(isWipe ? .wipe : .localOverride))
            #expect(!state.isLoading)
        }
    }

    @Test func aLateLoadDoesNotWin() throws {
        var machine = Machine(ResourceFreshness())
        let first = try Self.begin(&machine, .always, at: 0)
        let second = try Self.begin(&machine, .always, at: 0)
        machine.loaded(second, Self.data("second", at: 0), from: .network)
        #expect(machine.state(at: Self.at(0)).isLoading)
        machine.loaded(first, Self.data("first", at: 0), from: .network)
        #expect(machine.state(at: Self.at(0)).content == "second")
        machine.failed(first, .transport(.timeout(.answer)), at: Self.at(0))
        #expect(machine.state(at: Self.at(0)).latestError == nil)
    }

    @Test func aCancelledLoadIsNoError() throws {
        var machine = try Self.loaded()
        let number = try Self.begin(&machine, .always, at: 1)
        machine.failed(number, .cancelled, at: Self.at(1))
        let state = machine.state(at: Self.at(1))
        #expect(state.latestError == nil && state.event == .requestCancelled && state.isUpToDate && !state.isLoading)
    }

    /// S5: a mutation changes nothing that is held; after it, it is asked for again.
    @Test(arguments: [true, false])
    func s5Mutations(mayHaveChanged: Bool) throws {
        var machine = try Self.loaded()
        machine.requestBegan()
        #expect(machine.state(at: Self.at(1)).isRequesting && !machine.state(at: Self.at(1)).isLoading)
        machine.requestEnded(mayHaveChanged: mayHaveChanged)
        let state = machine.state(at: Self.at(1))
        #expect(state.content == "a" && !state.isRequesting && state.isUpToDate == !mayHaveChanged)
    }
}
