internal import CLinux
internal import SluiceSockets
internal import Synchronization
internal import Glibc

/// The thread that waits for all connections of the process: one, whatever the number of transports and calls. It is
/// there from the first call on, and sleeps while nothing comes.
///
/// Requests are written by the threads that make the calls; what comes is read here.
// The poller is the kernel's to guard (epoll_ctl(2) may be called while another thread waits), its list of events is
// the thread's own, and the rest stands behind locks. That is why Sendable holds.
final class ClientLoop: @unchecked Sendable {
    static let shared = ClientLoop()

    private let poller = Poller()
    private let alarm: Int32
    private let connections = Locked<[UInt32: ClientConnection]>([:])
    private let clock = Locked(AlarmClock<ConnectionPool>())
    private let registrations = Atomic<UInt32>(0)

    /// What one read brings at most.
    private static let pageBytes = 64 << 10

    private init() {
        alarm = clinux_eventfd()
        if alarm < 0 { SystemCall.trap("eventfd", errno) }
        precondition(poller.add(alarm, registration: 0, .read) == 0)
        ServiceThread.run("sluice-client") { [self] in run() }
    }

    private func run() {
        let page = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pageBytes, alignment: 64)
        while true {
            let count = poller.waitForEvents(milliseconds: timeout())
            for index in 0..<count {
                let event = poller.event(index)
                if event.registration == 0 {
                    var rings: UInt64 = 0
                    read(alarm, &rings, 8)
                    continue
                }
                connections.withLock { $0[event.registration] }?.ready(event, page)
            }
            let now = MonotonicClock.now()
            for pool in clock.withLock({ $0.due(at: now) }) { pool.timePassed(now) }
        }
    }

    private func timeout() -> Int32 {
        let next = clock.withLock { $0.next }
        if next == .max { return -1 }
        let now = MonotonicClock.now()
        return next <= now ? 0 : Int32(min((next - now) / 1_000_000 + 1, 60_000))
    }

    /// Has `pool` look at the time at `due`.
    func ring(_ pool: ConnectionPool, at due: UInt64) {
        guard clock.withLock({ $0.set(pool, at: due) }) else { return }
        var one: UInt64 = 1
        write(alarm, &one, 8)
    }

    // MARK: - Connections

    /// A number that tells events of a connection from those of one that had its descriptor before.
    func register(_ connection: ClientConnection) -> UInt32 {
        connections.withLock { connections in
            var registration: UInt32
            repeat {
                registration = registrations.add(1, ordering: .relaxed).newValue
            } while registration == 0 || connections[registration] != nil
            connections[registration] = connection
            return registration
        }
    }

    func forget(_ registration: UInt32) {
        connections.withLock { _ = $0.removeValue(forKey: registration) }
    }

    /// What is to be told of a descriptor.
    /// - Parameter old: what is told so far; nothing where it is empty.
    /// - Returns: errno, or 0.
    func watch(
        _ descriptor: Int32, _ registration: UInt32, from old: Poller.Interest, to new: Poller.Interest
    ) -> Int32 {
        // An end is told of whether it is asked for or not, again and again: what is not read is not watched.
        if new.isEmpty {
            poller.remove(descriptor)
        } else if old.isEmpty {
            return poller.add(descriptor, registration: registration, new)
        } else {
            poller.change(descriptor, registration: registration, new)
        }
        return 0
    }
}
