/// A deadline that an owner (a connection, a fetch) embeds and a ``TimerWheel`` watches.
///
///     final class Connection {
///         private let idle = Timer(tag: TimerTag.link.rawValue)
///         func heard(at now: UInt64) { wheel.arm(idle, for: self, at: now + keepAlive) }
///         func close() { wheel.cancel(idle) }
///     }
///
/// The timer allocates once, when it is made; arming, re-arming and firing allocate nothing. It knows its owner without
/// keeping it alive: an owner cancels its timers before it goes, and one that forgets traps in `deinit` instead of
/// leaving a dangling pointer in the wheel.
public struct Timer: ~Copyable {
    let node: UnsafeMutablePointer<TimerNode>

    /// - Parameter tag: passed on when the timer fires, to tell which timer of which kind of owner it was.
    public init(tag: Int) {
        node = .allocate(capacity: 1)
        node.initialize(to: TimerNode(tag: Int16(tag)))
    }

    deinit {
        precondition(node.pointee.slot == TimerNode.unlinked, "a timer's owner went away without cancelling it")
        node.deallocate()
    }

    /// Whether the timer is going to fire.
    public var isArmed: Bool { node.pointee.slot != TimerNode.unlinked && node.pointee.owner != nil }
    /// When the timer fires, in nanoseconds of the clock that drives the wheel; nil while it isn't armed.
    public var deadline: UInt64? { isArmed ? node.pointee.deadline : nil }
}

/// What the wheel links: a member of its slot's doubly linked list.
struct TimerNode {
    static let unlinked: Int16 = -1

    var next: UnsafeMutablePointer<TimerNode>?
    var previous: UnsafeMutablePointer<TimerNode>?
    var deadline: UInt64 = 0
    /// nil while the timer is parked.
    var owner: Unmanaged<AnyObject>?
    /// The low bits of the first tick of the slot that holds the node: a deadline that isn't before it needs no other
    /// slot. The wheel spans fewer ticks than these bits can count.
    var slotTick: UInt32 = 0
    var tag: Int16
    var slot: Int16 = TimerNode.unlinked

    init(tag: Int16) {
        self.tag = tag
    }
}
