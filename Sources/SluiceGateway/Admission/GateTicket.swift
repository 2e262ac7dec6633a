internal import SluiceContract
internal import Synchronization

/// A request's place in the queue of an ``InFlightGate``.
///
/// Any loop may take it out of the queue; all but `gate` and `mailbox` belongs to the loop of the request.
final class GateTicket: @unchecked Sendable {
    let gate: InFlightGate
    let mailbox: GateMailbox
    /// nil once it has given up.
    private(set) var waiter: (any GateWaiter)?
    private let timer = Timer(tag: TimerTag.gate.rawValue)

    init(_ gate: InFlightGate, for waiter: any GateWaiter, on gates: LoopGates) {
        self.gate = gate
        self.waiter = waiter
        mailbox = gates.mailbox
    }

    /// Begins the deadline.
    func wait(on timers: TimerWheel, now: UInt64) {
        timers.arm(timer, for: self, at: now &+ gate.waitNanoseconds)
    }

    /// Its turn has come; called on its own loop.
    func opened(_ gates: LoopGates, _ timers: TimerWheel) {
        timers.cancel(timer)
        guard let waiter else { return gates.leave(gate) }
        self.waiter = nil
        waiter.gateOpened(gate)
    }

    /// The request has ended. If another loop has already admitted the ticket, the place is given back when that
    /// message arrives.
    func cancel(_ timers: TimerWheel) {
        timers.cancel(timer)
        waiter = nil
        _ = gate.cancel(self)
    }

    func timerFired() {
        // Where the cancellation fails, another loop has admitted the ticket, and its message has not arrived yet.
        guard let waiter, gate.cancel(self) else { return }
        self.waiter = nil
        waiter.waitedTooLong(gate)
    }
}

/// The owner of a request that waits at a gate.
protocol GateWaiter: AnyObject {
    /// The wait is over: there is room, and it is counted.
    func gateOpened(_ gate: InFlightGate)
    /// Its turn has not come in time.
    func waitedTooLong(_ gate: InFlightGate)
}

/// Where other loops leave the tickets whose turn has come.
public final class GateMailbox: Sendable {
    private let state = Mutex(State())

    private struct State {
        var opened: [GateTicket] = []
        var wake: (@Sendable () -> Void)?
    }

    /// - Parameter wake: called from any thread; has ``LoopGates/collectOpened()`` called on the gateway's own loop.
    public func onWord(_ wake: @escaping @Sendable () -> Void) {
        state.withLock { $0.wake = wake }
    }

    func opened(_ ticket: GateTicket) {
        let wake = state.withLock { state in
            state.opened.append(ticket)
            return state.opened.count == 1 ? state.wake : nil
        }
        wake?()
    }

    func collect() -> [GateTicket] {
        state.withLock { state in
            defer { state.opened = [] }
            return state.opened
        }
    }
}

/// One loop's view of the gates: its own requests that may go on.
final class LoopGates {
    /// Where other loops leave this loop's tickets whose turn has come.
    let mailbox = GateMailbox()
    private var opened: [GateTicket] = []

    var hasOpened: Bool { !opened.isEmpty }

    /// Tickets whose turn has come, from the other loops.
    func collectOpened() { opened += mailbox.collect() }

    /// A request has left `gate`. The next one in the queue begins when the links are drained, not inside this call.
    func leave(_ gate: InFlightGate) {
        guard let ticket = gate.leave() else { return }
        if ticket.mailbox === mailbox { opened.append(ticket) } else { ticket.mailbox.opened(ticket) }
    }

    func admitOpened(_ timers: TimerWheel) {
        while !opened.isEmpty {
            let tickets = opened
            opened.removeAll(keepingCapacity: true)
            for ticket in tickets { ticket.opened(self, timers) }
        }
    }
}
