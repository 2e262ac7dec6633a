internal import CLinux
internal import Glibc

/// An epoll instance. Each descriptor is registered with a number, so that a late event for a descriptor that was
/// closed and assigned again can be recognised and dropped.
package struct Poller: ~Copyable {
    private let descriptor: Int32
    private let events: UnsafeMutablePointer<clinux_event>
    private static let eventsMax = 512

    package struct Interest: OptionSet {
        package let rawValue: UInt32

        package init(rawValue: UInt32) { self.rawValue = rawValue }

        package static let read = Interest(rawValue: UInt32(CLINUX_IN))
        package static let write = Interest(rawValue: UInt32(CLINUX_OUT))
        /// Edge-triggered: readiness is reported when it begins, and with every change of interest, instead of on every
        /// wait. Code that may not have read everything has to go on reading without a further event. Saves a second
        /// read of each socket.
        package static let edges = Interest(rawValue: clinux_edges | UInt32(CLINUX_RDHUP | CLINUX_PRI))
    }

    package struct Event {
        package var descriptor: Int32
        package var registration: UInt32
        package var flags: UInt32

        package var isReadable: Bool { flags & UInt32(CLINUX_IN | CLINUX_HUP | CLINUX_ERR) != 0 }
        package var isWritable: Bool { flags & UInt32(CLINUX_OUT | CLINUX_HUP | CLINUX_ERR) != 0 }
        package var isBroken: Bool { flags & UInt32(CLINUX_HUP | CLINUX_ERR) != 0 }
        package var hasError: Bool { flags & UInt32(CLINUX_ERR) != 0 }
        /// The end of the stream, an error, or an urgent byte, at which a read stops short (tcp(7)), follows the
        /// readable bytes.
        package var hasEnd: Bool { flags & UInt32(CLINUX_RDHUP | CLINUX_HUP | CLINUX_ERR | CLINUX_PRI) != 0 }
    }

    package init() {
        let descriptor = clinux_epoll_create()
        if descriptor < 0 { SystemCall.trap("epoll_create1", errno) }
        self.descriptor = descriptor
        events = .allocate(capacity: Self.eventsMax)
    }

    deinit {
        close(descriptor)
        events.deallocate()
    }

    /// - Returns: errno, or 0.
    package func add(_ target: Int32, registration: UInt32, _ interest: Interest) -> Int32 {
        control(CLINUX_ADD, target, registration, interest)
    }

    package func change(_ target: Int32, registration: UInt32, _ interest: Interest) {
        let code = control(CLINUX_MOD, target, registration, interest)
        if code != 0 { SystemCall.trap("epoll_ctl MOD", code) }
    }

    package func remove(_ target: Int32) {
        _ = control(CLINUX_DEL, target, 0, [])
    }

    private func control(_ operation: Int, _ target: Int32, _ registration: UInt32, _ interest: Interest) -> Int32 {
        clinux_epoll_control(
            descriptor, Int32(operation), target, interest.rawValue,
            UInt64(registration) << 32 | UInt64(UInt32(bitPattern: target)))
    }

    /// The one place where a loop sleeps. Never inlined and never renamed: profiles subtract it by this name.
    @inline(never)
    package func waitForEvents(milliseconds: Int32) -> Int {
        let count = clinux_epoll_wait(descriptor, events, Int32(Self.eventsMax), milliseconds)
        if count >= 0 { return Int(count) }
        if errno != EINTR { SystemCall.trap("epoll_wait", errno) }
        return 0
    }

    package func event(_ index: Int) -> Event {
        let event = events[index]
        return Event(
            descriptor: Int32(truncatingIfNeeded: event.data), registration: UInt32(event.data >> 32),
            flags: event.events)
    }
}
