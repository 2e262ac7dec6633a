internal import CLinux
internal import Dispatch
internal import SluiceContract
internal import SluiceGateway
internal import SluiceHTTP
internal import SluiceSockets
internal import Synchronization
internal import Glibc

/// One thread that waits for sockets and handles what arrives. It owns its connections, pools, timers and counters;
/// nothing here is shared or Sendable: it is created inside the thread that runs it.
final class EventLoop {
    static let vectorsMax = 64
    /// Most connections written to in a row, so that the first of them does not wait long.
    private static let waitingMax = 16
    /// Time that long reads get in each turn at least; more where the rest of the turn took more.
    private static let longReadsNanoseconds: UInt64 = 300_000

    let gateway: Gateway
    let poller = Poller()
    let mailbox: Mailbox
    let pages: InputPages
    /// The page to read into.
    private(set) var input: UnsafeMutableRawBufferPointer
    let plaintext: UnsafeMutableRawBufferPointer
    let vectors: UnsafeMutableBufferPointer<iovec>
    let dialing: DialingServices
    let shortages: Shortages?
    private var transports: [Transport?] = Array(repeating: nil, count: 64)
    /// Connections closed in this turn, kept until its end because they may still be borrowed (``Borrowed``).
    private var closed: [Transport] = []
    var listeners: [Acceptor] = []
    var dials: [Dial?] = []
    private var nextRegistration: UInt32 = 0
    /// Closing connections that still have bytes to write, or linger.
    private var endings: [Transport] = []
    /// How long a closing connection may take none of the bytes to be written.
    let stallNanoseconds: UInt64
    /// Extra time for each byte that a closing connection takes; 0 where any byte will do.
    let nanosecondsPerByte: UInt64
    var waitingDials: [Dial] = []
    /// When clients are accepted again, in nanoseconds of the loop's clock; 0 while they are accepted.
    var acceptsAgainAt: UInt64 = 0
    private var relieved: [Transport] = []
    /// Connections that are read from in the next turn, whatever the poller reports.
    private var unread: [Transport] = []
    /// Connections with much to read: they come after all others, and not all of them in one turn.
    private var longReads: [Transport] = []
    /// Connections that gather the answers of several exchanges, and are written to at the end of the turn.
    private var gathering: [Borrowed<Transport>] = []
    /// Connections that are written to after others have been read from: the code and data of reading stay in the
    /// processor's caches, then those of writing, and peers on other cores are woken for more than one message.
    private var waiting: [Borrowed<Transport>] = []
    private var isDispatching = false
    /// No event follows in this turn, so that what is to be written need not wait for others.
    private var isLastEvent = false
    private var dateSecond: UInt64 = 0
    private var crowd = CrowdWatch()
    private var isCarryingOut = false
    private var isStopped = false
    private let turnTimes = TurnTimes.wished
    private var draining: Draining?

    private struct Draining {
        var deadline: UInt64
        /// Others need the loop until they let it go, though it has nothing in flight any more.
        var isHeld: Bool
        /// Owed until nothing is in flight.
        var idle: (() -> Void)?
        var done: (Bool) -> Void
    }

    init(gateway: Gateway, mailbox: Mailbox, dialing: DialingServices, shortages: Shortages? = nil) {
        self.shortages = shortages
        self.gateway = gateway
        self.mailbox = mailbox
        self.dialing = dialing
        stallNanoseconds = gateway.limits.bodyTimeout.nanosecondsClamped
        nanosecondsPerByte = gateway.limits.nanosecondsPerByte
        pages = gateway.pages
        input = gateway.pages.memory
        plaintext = .allocate(byteCount: InputPages.usualByteCount, alignment: 64)
        vectors = .allocate(capacity: Self.vectorsMax)
        precondition(poller.add(mailbox.descriptor, registration: 0, .read) == 0)
        gateway.onGateOpened { mailbox.post { $0.gateway.collectOpened() } }
        gateway.onRequestsToTell { mailbox.post { $0.gateway.tellFollowers() } }
    }

    deinit {
        plaintext.deallocate()
        vectors.deallocate()
    }

    // MARK: - Turning

    /// Turns until ``stop()``.
    func run() {
        while !isStopped {
            let count = poller.waitForEvents(milliseconds: timeout())
            turnTimes?.turnBegan()
            let begin = MonotonicClock.now()
            gateway.advance(to: begin)
            refreshDate()
            carryOut()
            if !unread.isEmpty { readOn() }
            isDispatching = true
            for index in 0..<count {
                isLastEvent = index + 1 == count && !gateway.hasPostponed
                dispatch(poller.event(index))
                turnTimes?.stepEnded()
                if waiting.count >= Self.waitingMax { write(&waiting) }
            }
            if gateway.hasPostponed { gateway.resumePostponed { carryOut() } }
            write(&waiting)
            write(&gathering)
            isDispatching = false
            carryOut()
            if !longReads.isEmpty { readLong(since: begin) }
            closeEnded()
            wakeDials()
            acceptAgain()
            checkDraining()
            if !closed.isEmpty { closed.removeAll(keepingCapacity: true) }
            gateway.turnEnded(at: MonotonicClock.now())
            turnTimes?.turnEnded()
        }
        for case let transport? in transports { transport.close(self) }
        gateway.end()
    }

    func stop() { isStopped = true }

    /// Finishes what is in flight, then stops.
    /// - Parameters:
    ///   - isHeld: whether it stays, until the time is over, for others that need it: see ``letGo()``.
    ///   - idle: called once nothing is in flight for clients of this loop.
    ///   - done: told whether everything had finished when the time was over.
    func drain(
        until deadline: UInt64, isHeld: Bool = false, idle: @escaping () -> Void = {}, done: @escaping (Bool) -> Void
    ) {
        // Requests that have arrived are in flight, whether they have been read or not.
        for case let transport? in transports { transport.readRemaining(self) }
        gateway.drain()
        draining = Draining(deadline: deadline, isHeld: isHeld, idle: idle, done: done)
    }

    /// Nobody else needs the loop: it ends once nothing is in flight.
    func letGo() { draining?.isHeld = false }

    private func checkDraining() {
        guard let draining else { return }
        let isClean = gateway.counters.connections == 0 && endings.allSatisfy(\.isLingering)
        if isClean, let idle = draining.idle {
            self.draining?.idle = nil
            idle()
        }
        let isOver = isClean && endings.isEmpty && !draining.isHeld
        guard isOver || gateway.now >= draining.deadline else { return }
        gateway.abortAll()
        carryOut()
        self.draining = nil
        turnTimes?.tell()
        draining.done(isClean)
        stop()
    }

    /// How many milliseconds the loop may wait for events.
    func timeout() -> Int32 {
        if gateway.hasPostponed || !unread.isEmpty || !longReads.isEmpty { return 0 }
        // Ends and dials have no timers: they are looked at from time to time, and make no timer late.
        let isLooking = acceptsAgainAt > 0 || !waitingDials.isEmpty || !endings.isEmpty || draining != nil
        let most: UInt64 = isLooking ? 50 : 1000
        guard let deadline = gateway.nextDeadline else { return Int32(most) }
        let now = gateway.now
        if deadline <= now { return 0 }
        return Int32(min((deadline - now) / 1_000_000 + 1, most))
    }

    private func dispatch(_ event: Poller.Event) {
        if event.descriptor == mailbox.descriptor {
            for message in mailbox.collect() {
                message(self)
                carryOut()
            }
            return
        }
        let slot = Int(event.descriptor)
        if slot < transports.count, let transport = transports[slot].borrowed {
            transport { if $0.registration == event.registration { $0.ready(event, self) } }
        } else if let listener = listeners.first(where: { $0.descriptor == event.descriptor }) {
            listener.accept(self)
        } else if slot < dials.count, let dial = dials[slot] {
            dial.ready(event, self)
        }
    }

    private func refreshDate() {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &time)
        let second = UInt64(time.tv_sec)
        if second == dateSecond { return }
        dateSecond = second
        shortages?.look(at: gateway.now)
        if crowd.hasLeft(waitingBytes: gateway.waitingBytes, connections: gateway.counters.connections) {
            // Off the loop, because it takes a while for hundreds of megabytes. In the default class: a thread of a
            // lower class passes its niceness on to threads that it starts, and Dispatch logs that it cannot take it
            // back.
            DispatchQueue.global().async { clinux_trim_heap() }
        }
        gateway.date = [UInt8](unsafeUninitializedCapacity: HTTPDate.byteCount) { buffer, count in
            HTTPDate.write(Int(second), into: UnsafeMutableRawBufferPointer(buffer))
            count = HTTPDate.byteCount
        }
    }

    // MARK: - What links want

    /// Carries out what the touched links want, and everything that follows from it.
    func carryOut() {
        if isCarryingOut { return }
        isCarryingOut = true
        defer { isCarryingOut = false }
        repeat {
            gateway.takeTouched { link in
                if link.handle >= 0 {
                    transports[Int(link.handle)].borrowed?({ carryOut($0) })
                } else if let endpoint = link.dialing {
                    link.dialing = nil
                    Dial.start(link, to: endpoint, on: self)
                } else if link.ending != .open {
                    (link.attachment as? Dial)?.cancel(self)
                }
            }
            if !relieved.isEmpty { tellRelieved() }
        } while gateway.hasTouched
    }

    private func carryOut(_ transport: Transport) {
        guard isDispatching, let writeDelay = transport.writeDelay, writeDelay == .turn || !isLastEvent else {
            return transport.carryOut(self)
        }
        transport.settle(self)
        if transport.isWaiting { return }
        transport.isWaiting = true
        switch writeDelay {
        case .others: waiting.append(Borrowed(transport))
        case .turn: gathering.append(Borrowed(transport))
        }
    }

    private func write(_ transports: inout [Borrowed<Transport>]) {
        isDispatching = false
        for index in 0..<transports.count {
            transports[index].callAsFunction { transport in
                transport.isWaiting = false
                transport.carryOut(self)
            }
            turnTimes?.stepEnded()
        }
        transports.removeAll(keepingCapacity: true)
        isDispatching = true
    }

    private func tellRelieved() {
        let ready = relieved
        relieved.removeAll(keepingCapacity: true)
        for transport in ready where !transport.isClosed { transport.link.drained() }
    }

    func drained(_ transport: Transport) { relieved.append(transport) }

    /// Reads from the connection again in the next turn: it may have more bytes or an end, which no event will report.
    func readAgain(_ transport: Transport) {
        if transport.isUnread { return }
        transport.isUnread = true
        if transport.readsLong { longReads.append(transport) } else { unread.append(transport) }
    }

    /// Whether no other connection has much to read.
    var isLongReadAlone: Bool { longReads.isEmpty }

    private func readOn() {
        let due = unread
        unread.removeAll()
        for transport in due {
            transport.isUnread = false
            transport.readRemaining(self)
            turnTimes?.stepEnded()
        }
    }

    /// Reads long connections one after the other, until they have had as much of the turn as all others, or the
    /// minimum time. The rest waits for the next turn, which begins with the others: a small answer waits for one long
    /// read, not for all of them.
    private func readLong(since begin: UInt64) {
        let now = MonotonicClock.now()
        let end = now + max(now - begin, Self.longReadsNanoseconds)
        for _ in 0..<longReads.count {
            let transport = longReads.removeFirst()
            transport.isUnread = false
            transport.readRemaining(self)
            turnTimes?.stepEnded()
            if MonotonicClock.now() >= end { break }
        }
    }

    func ending(_ transport: Transport) { endings.append(transport) }

    private func closeEnded() {
        if endings.isEmpty { return }
        for transport in endings where transport.endsAt <= gateway.now { transport.close(self) }
        endings.removeAll { $0.isClosed }
    }

    /// The input has been processed; bytes of it that are still needed stay in its page.
    func turnPage() {
        if pages.turn() { input = pages.memory }
    }

    // MARK: - Sockets

    func nextRegistrationNumber() -> UInt32 {
        nextRegistration &+= 1
        return nextRegistration
    }

    /// Takes a connected socket over into the loop.
    /// - Parameter isRegistered: whether the poller knows the descriptor already, under `registration`.
    func adopt(_ transport: Transport, isRegistered: Bool) -> Bool {
        let slot = Int(transport.descriptor)
        while transports.count <= slot { transports += Array(repeating: nil, count: transports.count) }
        let interest = Transport.initialInterest
        if isRegistered {
            poller.change(transport.descriptor, registration: transport.registration, interest)
        } else {
            guard poller.add(transport.descriptor, registration: transport.registration, interest) == 0 else {
                return false
            }
        }
        transports[slot] = transport
        return true
    }

    func forget(_ transport: Transport) {
        closed.append(transport)
        transports[Int(transport.descriptor)] = nil
    }
}
