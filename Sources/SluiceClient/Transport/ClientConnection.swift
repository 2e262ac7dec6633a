internal import SluiceContract
internal import SluiceHTTP
internal import SluiceSockets
internal import Synchronization
internal import Glibc

/// One connection to a gateway: a ``CallMachine`` with its socket. Calls write from their own threads, the loop reads;
/// each takes the lock, and carries out what follows (``Aftermath``) after releasing it.
// Everything but the constants is touched with the lock held. That is why Sendable holds.
final class ClientConnection: @unchecked Sendable {
    /// The call that waits for the answer.
    enum Waiter {
        case none
        case head(CheckedContinuation<CallMachine.HeadStep, Never>)
        case content(CheckedContinuation<CallMachine.ContentStep, Never>)
    }

    let pool: ConnectionPool
    let lock = Lock()
    var machine: CallMachine
    var socket: ClientSocket
    var waiter = Waiter.none
    /// The sender that waits until more of a streamed request is wanted.
    var sender: CheckedContinuation<Bool, Never>?
    /// What sends a streamed request.
    var pump: Task<Void, Never>?
    var deadlines = CallDeadlines()
    /// Counts the calls, so that what comes too late for one is not taken for the next one's.
    var call: UInt64 = 0
    /// A call has it, or will.
    var isLent = true
    /// It is closed, and of no use to another call.
    let isGone = Atomic<Bool>(false)

    init(_ pool: ConnectionPool) {
        self.pool = pool
        machine = CallMachine(limits: pool.limits)
        socket = ClientSocket(pool.loop)
    }

    /// What is to be done without the lock.
    struct Aftermath: Sendable {
        enum Fate {
            case none, freed, lost
        }

        var fate = Fate.none
        var head: (CheckedContinuation<CallMachine.HeadStep, Never>, CallMachine.HeadStep)?
        var content: (CheckedContinuation<CallMachine.ContentStep, Never>, CallMachine.ContentStep)?
        var sender: (CheckedContinuation<Bool, Never>, Bool)?
        var pump: Task<Void, Never>?
        /// When the time is to be looked at.
        var due = UInt64.max
    }

    /// Does something to the machine, and what follows from it.
    func locked<Result: Sendable>(_ body: () -> Result) -> Result {
        let (result, aftermath) = lock.hold {
            let result = body()
            return (result, settle())
        }
        carryOut(aftermath)
        return result
    }

    private func carryOut(_ aftermath: Aftermath) {
        // First, so that the next call finds it.
        switch aftermath.fate {
        case .none: break
        case .freed: pool.freed(self)
        case .lost: pool.lost(self)
        }
        pool.arm(at: aftermath.due)
        // What the program does when its body is not wanted any more is not for the loop's thread to do.
        if let pump = aftermath.pump { Task.detached { pump.cancel() } }
        if let (sender, isWanted) = aftermath.sender { sender.resume(returning: isWanted) }
        if let (head, step) = aftermath.head { head.resume(returning: step) }
        if let (content, step) = aftermath.content { content.resume(returning: step) }
    }

    /// Hands over what has come, and decides what becomes of the connection.
    private func settle() -> Aftermath {
        var aftermath = Aftermath()
        deliver(&aftermath)
        let appetite = machine.appetite
        if let sender, appetite != .later {
            aftermath.sender = (sender, appetite == .now)
            self.sender = nil
        }
        if appetite == .never {
            aftermath.pump = pump
            pump = nil
        }
        let code = socket.watch(reading: machine.wantsInput, writing: !machine.outbox.isEmpty)
        if code != 0 {
            machine.fail(.transport(.unreachable(SystemCall.reason(code))))
            deliver(&aftermath)
        }
        if machine.isOver {
            if !socket.isClosed {
                socket.close()
                isGone.store(true, ordering: .releasing)
                aftermath.fate = .lost
            }
            return aftermath
        }
        if machine.life == .free, isLent, call > 0 {
            isLent = false
            deadlines.ended()
            aftermath.fate = .freed
        }
        aftermath.due = min(deadlines.untold(isConnecting: !socket.isOpen), socket.triesAgainAt)
        return aftermath
    }

    private func deliver(_ aftermath: inout Aftermath) {
        switch waiter {
        case .none: break
        case .head(let continuation):
            let step = machine.takeHead()
            if case .wait = step { return }
            waiter = .none
            aftermath.head = (continuation, step)
        case .content(let continuation):
            let step = machine.takeContent()
            if case .wait = step { return }
            waiter = .none
            aftermath.content = (continuation, step)
        }
    }

    // MARK: - What the loop tells

    func ready(_ event: Poller.Event, _ page: UnsafeMutableRawBufferPointer) {
        locked {
            if socket.isClosed { return }
            guard socket.isOpen else { return connect() }
            if event.isReadable, machine.wantsInput { read(page) }
            if event.isWritable { flush() }
        }
    }

    private func read(_ page: UnsafeMutableRawBufferPointer) {
        switch socket.read(into: page) {
        case .bytes(0): machine.inputClosed(isTruncated: false)
        case .bytes(let count):
            if deadlines.countsSilence { deadlines.progressed(pool.limits.stall, at: MonotonicClock.now()) }
            machine.received(UnsafeRawBufferPointer(rebasing: page[..<count]))
        case .wouldBlock: break
        case .failed: machine.inputClosed(isTruncated: true)
        }
    }

    /// Writes as much as the socket takes.
    func flush() {
        guard socket.isOpen, !machine.isOver else { return }
        while !machine.outbox.isEmpty {
            switch socket.write(machine.outbox.firstRun) {
            case .bytes(let count): machine.sent(count)
            case .wouldBlock: return
            case .failed: machine.outputFailed()
            }
        }
    }

    /// A look-up of the gateway's addresses begins.
    func look() {
        locked { deadlines.connecting(pool.limits.connect, at: MonotonicClock.now()) }
    }

    /// Begins to connect.
    func found(_ answer: AddressBook.Answer) {
        locked {
            if machine.isOver { return }
            switch answer {
            case .success(let addresses):
                socket.found(addresses)
                connect()
            case .failure(let error): machine.fail(.transport(error))
            }
        }
    }

    /// Begins to connect, or goes on with the next address.
    private func connect(at now: UInt64 = MonotonicClock.now()) {
        let before = socket.untried
        switch socket.connect(self) {
        case .connected: flush()
        case .inProgress where before == socket.untried: break
        case .inProgress: deadlines.trying(oneOf: socket.untried + 1, at: now)
        case .failed(let reason): machine.fail(.transport(.unreachable(reason)))
        }
    }

    /// - Returns: when to look again.
    func timePassed(_ now: UInt64) -> UInt64 {
        locked {
            if socket.isClosed { return .max }
            if socket.triesAgainAt <= now { connect(at: now) }
            // A reader that is behind holds the gateway up: what is silent is the program.
            if !machine.wantsInput { deadlines.progressed(pool.limits.stall, at: now) }
            if deadlines.isConnectOverdue(at: now), !socket.isOpen, socket.untried > 0 {
                socket.giveUpAddress()
                connect(at: now)
            } else if deadlines.isConnectOverdue(at: now), !socket.isOpen {
                machine.fail(.transport(.unreachable("\(pool.address) does not accept connections in time")))
            } else if deadlines.isOverdue(at: now) {
                let wait: TransportWait = !socket.isOpen ? .connection : machine.awaitsAnswer ? .answer : .content
                machine.fail(.transport(.timeout(wait)))
            }
            return min(deadlines.tell(isConnecting: !socket.isOpen), socket.triesAgainAt)
        }
    }

    /// It is no longer needed.
    func dismiss() {
        locked {
            if machine.life == .free { machine.fail(.stale(.connectionLost("The connection was given up."))) }
        }
    }
}
