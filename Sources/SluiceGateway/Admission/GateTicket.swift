internal import SluiceContract
internal import Synchronization

/// An exchange's place in the queue of an ``InFlightGate``.
///
/// Any loop may take it out of the queue; all but `gate` and `desk` belongs to the loop of the exchange.
final class GateTicket: @unchecked Sendable {
    let gate: InFlightGate
    let desk: GateDesk
    /// nil once it has given up.
    private(set) var exchange: Exchange?
    private let timer = Timer(tag: TimerTag.gate.rawValue)

    init(_ gate: InFlightGate, for exchange: Exchange) {
        self.gate = gate
        self.exchange = exchange
        desk = exchange.gateway.gateDesk
    }

    /// The deadline begins.
    func wait(_ gateway: Gateway) {
        gateway.timers.arm(timer, for: self, at: gateway.now &+ gate.waitNanoseconds)
    }

    /// Its turn has come; on its own loop.
    func opened(_ gateway: Gateway) {
        gateway.timers.cancel(timer)
        guard let exchange else { return gateway.leave(gate) }
        self.exchange = nil
        exchange.gateOpened(gate)
    }

    /// The exchange wants nothing any more. A ticket that is on its way to this loop gives its place back there.
    func cancel(_ gateway: Gateway) {
        gateway.timers.cancel(timer)
        exchange = nil
        _ = gate.cancel(self)
    }

    func timerFired() {
        // Let in by another loop, and not heard of it yet.
        guard let exchange, gate.cancel(self) else { return }
        self.exchange = nil
        exchange.waitedTooLong(gate)
    }
}

/// Where the other loops leave word that a ticket's turn has come.
public final class GateDesk: Sendable {
    private let state = Mutex(State())

    private struct State {
        var opened: [GateTicket] = []
        var wake: (@Sendable () -> Void)?
    }

    /// - Parameter wake: called from any thread; has ``Gateway/collectOpened()`` called on the gateway's own loop.
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

extension Gateway {
    /// Tickets whose turn has come, from the other loops.
    public func collectOpened() { opened += gateDesk.collect() }

    /// A request is over at `gate`. Who goes in its place begins when the links are drained, not inside of this call.
    func leave(_ gate: InFlightGate) {
        guard let ticket = gate.leave() else { return }
        if ticket.desk === gateDesk { opened.append(ticket) } else { ticket.desk.opened(ticket) }
    }

    func admitOpened() {
        while !opened.isEmpty {
            let tickets = opened
            opened.removeAll(keepingCapacity: true)
            for ticket in tickets { ticket.opened(self) }
        }
    }
}
