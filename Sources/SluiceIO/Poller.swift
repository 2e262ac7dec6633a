internal import CLinux
#if canImport(Glibc)
    internal import Glibc
#else
    internal import Musl
#endif

/// An epoll instance. A registration number stands beside each descriptor, so that an event for a descriptor that was
/// closed and given out again is told apart and dropped.
struct Poller: ~Copyable {
    private let descriptor: Int32
    private let events: UnsafeMutablePointer<epoll_event>
    private static let eventsMax = 512

    struct Interest: OptionSet {
        let rawValue: UInt32
        static let read = Interest(rawValue: EPOLLIN.rawValue)
        static let write = Interest(rawValue: EPOLLOUT.rawValue)
    }

    struct Event {
        var descriptor: Int32
        var registration: UInt32
        var flags: UInt32

        var isReadable: Bool { flags & (EPOLLIN.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 }
        var isWritable: Bool { flags & (EPOLLOUT.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 }
        var isBroken: Bool { flags & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 }
    }

    init() {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC.rawValue))
        precondition(descriptor >= 0, "epoll_create1: \(SystemCall.reason(errno))")
        events = .allocate(capacity: Self.eventsMax)
    }

    deinit {
        close(descriptor)
        events.deallocate()
    }

    /// - Returns: errno, or 0.
    func add(_ target: Int32, registration: UInt32, _ interest: Interest) -> Int32 {
        control(EPOLL_CTL_ADD, target, registration, interest)
    }

    func change(_ target: Int32, registration: UInt32, _ interest: Interest) {
        let code = control(EPOLL_CTL_MOD, target, registration, interest)
        precondition(code == 0, "epoll_ctl MOD: \(SystemCall.reason(code))")
    }

    func remove(_ target: Int32) {
        _ = control(EPOLL_CTL_DEL, target, 0, [])
    }

    private func control(_ operation: Int32, _ target: Int32, _ registration: UInt32, _ interest: Interest) -> Int32 {
        var event = epoll_event()
        event.events = interest.rawValue
        event.data.u64 = UInt64(registration) << 32 | UInt64(UInt32(bitPattern: target))
        return epoll_ctl(descriptor, operation, target, &event) == 0 ? 0 : errno
    }

    /// The one place where a loop sleeps. Never inlined and never renamed: profiles subtract it by this name.
    @inline(never)
    func waitForEvents(milliseconds: Int32) -> Int {
        let count = epoll_wait(descriptor, events, Int32(Self.eventsMax), milliseconds)
        if count >= 0 { return Int(count) }
        precondition(errno == EINTR, "epoll_wait: \(SystemCall.reason(errno))")
        return 0
    }

    func event(_ index: Int) -> Event {
        let event = events[index]
        return Event(
            descriptor: Int32(truncatingIfNeeded: event.data.u64), registration: UInt32(event.data.u64 >> 32),
            flags: event.events)
    }
}
