import Testing

@testable import SluiceGateway

private enum Fact: Sendable {
    case resolved([Bool])
    case failed(Int, Int32)
    case succeeded(Int)
    case timer
    case abandon
}

private struct Step: Sendable {
    /// Milliseconds since the start.
    var at: UInt64
    var fact: Fact
    var orders: [HappyEyeballs.Order]

    init(_ at: UInt64, _ fact: Fact, _ orders: [HappyEyeballs.Order]) {
        self.at = at
        self.fact = fact
        self.orders = orders
    }
}

private struct Script: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var steps: [Step]

    init(_ name: String, _ steps: [Step]) {
        testDescription = name
        self.steps = steps
    }
}

private func milliseconds(_ count: UInt64) -> UInt64 { count * 1_000_000 }
private let noAddress: Int32 = -2
private let refused: Int32 = 111
private let unreachable: Int32 = 101

private let scripts = [
    Script("no address", [Step(0, .resolved([]), [.failed(noAddress)])]),
    Script(
        "one address connects",
        [
            Step(0, .resolved([false]), [.startAttempt(0)]),
            Step(5, .succeeded(0), [.succeeded(0)]),
        ]),
    Script(
        "one address fails",
        [
            Step(0, .resolved([false]), [.startAttempt(0)]),
            Step(5, .failed(0, refused), [.failed(refused)]),
        ]),
    Script(
        "the first connects within the delay: the second is never tried (§5)",
        [
            Step(0, .resolved([true, false]), [.startAttempt(0), .armTimer(milliseconds(250))]),
            Step(200, .succeeded(0), [.cancelTimer, .succeeded(0)]),
            Step(250, .timer, []),
        ]),
    Script(
        "the first stalls, the second wins (§5)",
        [
            Step(0, .resolved([true, false]), [.startAttempt(0), .armTimer(milliseconds(250))]),
            Step(250, .timer, [.startAttempt(1), .cancelTimer]),
            Step(260, .succeeded(1), [.cancelAttempt(0), .succeeded(1)]),
            Step(261, .failed(0, refused), []),
        ]),
    Script(
        "a failure starts the next at once (§5)",
        [
            Step(0, .resolved([true, false]), [.startAttempt(0), .armTimer(milliseconds(250))]),
            Step(1, .failed(0, unreachable), [.startAttempt(1), .cancelTimer]),
            Step(2, .failed(1, refused), [.failed(refused)]),
        ]),
    Script(
        "the slow first wins after the second has failed",
        [
            Step(0, .resolved([false, true]), [.startAttempt(0), .armTimer(milliseconds(250))]),
            Step(250, .timer, [.startAttempt(1), .cancelTimer]),
            Step(251, .failed(1, refused), []),
            Step(900, .succeeded(0), [.succeeded(0)]),
        ]),
    Script(
        "families take turns, the first address's family leads (§4)",
        [
            Step(0, .resolved([true, true, true, false]), [.startAttempt(0), .armTimer(milliseconds(250))]),
            Step(1, .failed(0, refused), [.startAttempt(3), .armTimer(milliseconds(251))]),
            Step(2, .failed(3, refused), [.startAttempt(1), .armTimer(milliseconds(252))]),
            Step(3, .failed(1, refused), [.startAttempt(2), .cancelTimer]),
            Step(4, .failed(2, unreachable), [.failed(unreachable)]),
        ]),
    Script(
        "a timer that fires early or again changes nothing",
        [
            Step(0, .resolved([false, false]), [.startAttempt(0), .armTimer(milliseconds(250))]),
            Step(249, .timer, []),
            Step(250, .timer, [.startAttempt(1), .cancelTimer]),
            Step(251, .timer, []),
        ]),
    Script(
        "abandoned: everything is cancelled, late news is ignored",
        [
            Step(0, .resolved([false, false, true]), [.startAttempt(0), .armTimer(milliseconds(250))]),
            Step(250, .timer, [.startAttempt(2), .armTimer(milliseconds(500))]),
            Step(300, .abandon, [.cancelTimer, .cancelAttempt(0), .cancelAttempt(2)]),
            Step(301, .succeeded(2), []),
            Step(302, .abandon, []),
        ]),
]

/// RFC 8305, as scripts of facts and orders.
@Suite struct HappyEyeballsTests {
    @Test(arguments: scripts)
    fileprivate func script(_ script: Script) {
        var machine = HappyEyeballs()
        for step in script.steps {
            let now = milliseconds(step.at)
            switch step.fact {
            case .resolved(let families):
                machine.resolved(isIPv6: families, noAddressError: noAddress, at: now)
            case .failed(let index, let error): machine.attemptFailed(index, error: error, at: now)
            case .succeeded(let index): machine.attemptSucceeded(index)
            case .timer: machine.timerFired(at: now)
            case .abandon: machine.abandon()
            }
            var orders: [HappyEyeballs.Order] = []
            while let order = machine.next() { orders.append(order) }
            #expect(orders == step.orders, "at \(step.at) ms")
        }
    }
}
