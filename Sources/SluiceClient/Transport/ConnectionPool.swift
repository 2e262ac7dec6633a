internal import SluiceContract
internal import SluiceSockets
internal import Synchronization

/// The connections of one transport. Any thread may ask for one; the loop tells of their ends and of the time.
final class ConnectionPool: Sendable {
    /// What a call that waited is told.
    enum Grant: Sendable {
        case use(ClientConnection)
        case dial
        case failed(CallFailure)
    }

    private typealias Machine = PoolMachine<ClientConnection, CheckedContinuation<Grant, Never>>

    let address: GatewayAddress
    let limits: TransportLimits
    let loop = ClientLoop.shared
    private let names: AddressBook
    private let machine: Locked<Machine>
    /// Those that are not idle may have deadlines.
    private let connections = Locked<[ObjectIdentifier: ClientConnection]>([:])
    private let tickets = Atomic<UInt64>(0)

    init(_ address: GatewayAddress, _ limits: TransportLimits) {
        self.address = address
        self.limits = limits
        names = AddressBook(address.place)
        machine = Locked(
            Machine(
                connections: limits.connections, waiting: limits.waiting,
                idleNanoseconds: limits.idle.nanosecondsClamped))
    }

    /// How many connections there are.
    var count: Int { connections.withLock { $0.count } }

    /// Lends a connection to a call, which gives it back by itself when it is over.
    /// - Parameter due: until when to wait for one.
    func lease(due: UInt64) async throws(CallFailure) -> ClientConnection {
        switch machine.withLock({ $0.lease() }) {
        case .use(let connection): return connection
        case .dial: return dial()
        case .refused: throw .transport(.overloaded(limit: limits.waiting))
        case .closed: throw .transport(.unreachable("the transport is closed"))
        case .wait: break
        }
        switch await wait(due: due) {
        case .use(let connection): return connection
        case .dial: return dial()
        case .failed(let failure): throw failure
        }
    }

    private func wait(due: UInt64) async -> Grant {
        let ticket = tickets.add(1, ordering: .relaxed).newValue
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                enter(continuation, ticket, due)
                // Cancelled before it was entered: nothing else reports it.
                if Task.isCancelled { leave(ticket) }
            }
        } onCancel: {
            leave(ticket)
        }
    }

    /// A connection may have become free since the call was told to wait.
    private func enter(_ continuation: CheckedContinuation<Grant, Never>, _ ticket: UInt64, _ due: UInt64) {
        let grant = machine.withLock { machine -> Grant? in
            switch machine.lease() {
            case .use(let connection): return .use(connection)
            case .dial: return .dial
            case .refused: return .failed(.transport(.overloaded(limit: limits.waiting)))
            case .closed: return .failed(.transport(.unreachable("the transport is closed")))
            case .wait:
                machine.wait(continuation, ticket: ticket, due: due)
                return nil
            }
        }
        if let grant { return continuation.resume(returning: grant) }
        arm(at: due)
    }

    private func leave(_ ticket: UInt64) {
        machine.withLock { $0.leave(ticket) }?.resume(returning: .failed(.cancelled))
    }

    /// The call goes on at once: its time counts while the gateway is looked for, too.
    private func dial() -> ClientConnection {
        let connection = ClientConnection(self)
        connections.withLock { $0[ObjectIdentifier(connection)] = connection }
        connection.look()
        names.find { connection.found($0) }
        return connection
    }

    private func passOn(_ waiter: CheckedContinuation<Grant, Never>?) {
        waiter?.resume(returning: .dial)
    }

    // MARK: - What connections tell

    /// It may take another call.
    func freed(_ connection: ClientConnection) {
        let now = MonotonicClock.now()
        let fate = machine.withLock { machine in
            // The loop may have seen its end meanwhile, and said so.
            connection.isGone.load(ordering: .acquiring) ? nil : machine.freed(connection, at: now)
        }
        switch fate {
        case .none: break
        case .kept: arm(at: machine.withLock { $0.idleEnd(from: now) })
        case .given(let waiter): waiter.resume(returning: .use(connection))
        case .dismissed: connection.dismiss()
        }
    }

    /// It is closed.
    func lost(_ connection: ClientConnection) {
        connections.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(connection)) }
        passOn(machine.withLock { $0.lost(connection) })
    }

    /// One that was kept turned out to be closed: its like have gone the same way, or will soon.
    func forsakeIdle() {
        for connection in machine.withLock({ $0.takeIdle() }) { connection.dismiss() }
    }

    /// No more calls will be made.
    func close() {
        for connection in machine.withLock({ $0.close() }) { connection.dismiss() }
    }

    // MARK: - Time

    /// Something is to happen at `due`.
    func arm(at due: UInt64) {
        guard due != .max else { return }
        // In one piece: a later alarm must not be set over an earlier one of another task.
        machine.withLock { if $0.arm(at: due) { loop.ring(self, at: due) } }
    }

    /// Deadlines that come close to each other are looked at together.
    private static let coarsenessNanoseconds: UInt64 = 4_000_000

    func timePassed(_ now: UInt64) {
        let overdue = machine.withLock { $0.timePassed(now) }
        for waiter in overdue.waiters { waiter.resume(returning: .failed(.transport(.timeout(.connection)))) }
        for connection in overdue.connections { connection.dismiss() }
        var next = overdue.next
        for connection in connections.withLock({ Array($0.values) }) {
            next = min(next, connection.timePassed(now))
        }
        if next != .max { arm(at: max(next, now &+ Self.coarsenessNanoseconds)) }
    }
}
