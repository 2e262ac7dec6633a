/// Every timer of one event loop: a hierarchical wheel of four levels with 64 slots each (Varghese and Lauck, scheme
/// 7).
///
/// A level-0 slot is one tick of 2^20 ns (1.05 ms) wide, every further level's slots are 64 times wider; what lies
/// beyond the last level (4.9 h) waits in its furthest slot. A timer fires in the first tick that begins at or after
/// its deadline: never early, at most one tick late.
///
/// A slot that comes up puts back whatever isn't due yet. That one step serves the levels (from a wide slot into a
/// narrow one), far deadlines, and lazy re-arming: moving a deadline later, which a busy connection does with every
/// request, is a single store.
///
/// Confined to its loop. It is a class because owners arm and cancel timers while they are being fired.
public final class TimerWheel {
    private typealias Node = UnsafeMutablePointer<TimerNode>

    private static let tickShift: UInt64 = 20
    private static let levelShift: UInt64 = 6
    private static let levelCount = 4
    private static let slotsPerLevel = 1 << 6
    /// Ticks that the whole wheel spans.
    private static let span: UInt64 = 1 << (6 * 4)

    /// List heads, level by level.
    private let heads: UnsafeMutablePointer<Node?>
    /// One word a level: which of its slots hold a timer.
    private let occupied: UnsafeMutablePointer<UInt64>
    /// Every slot that begins at or before this tick has been emptied.
    private var elapsed: UInt64
    /// The tick that ``advance(to:fire:)`` is working towards; nothing armed meanwhile fires before the next one.
    private var target: UInt64
    /// Timers that are armed.
    public private(set) var count = 0

    /// - Parameter now: the clock's reading in nanoseconds; only differences matter.
    public init(now: UInt64) {
        heads = .allocate(capacity: Self.levelCount * Self.slotsPerLevel)
        heads.initialize(repeating: nil, count: Self.levelCount * Self.slotsPerLevel)
        occupied = .allocate(capacity: Self.levelCount)
        occupied.initialize(repeating: 0, count: Self.levelCount)
        elapsed = now >> Self.tickShift
        target = elapsed
    }

    deinit {
        for slot in 0..<(Self.levelCount * Self.slotsPerLevel) {
            while let node = heads[slot] { unlink(node) }
        }
        heads.deallocate()
        occupied.deallocate()
    }

    /// Lets `timer` fire at `deadline`, instead of whenever it was going to. O(1).
    /// - Parameters:
    ///   - owner: passed to `fire`; not retained.
    ///   - deadline: in nanoseconds; one that has passed fires with the next tick.
    public func arm(_ timer: borrowing Timer, for owner: AnyObject, at deadline: UInt64) {
        let node = timer.node
        if node.pointee.slot != TimerNode.unlinked, node.pointee.owner == nil { count += 1 }
        node.pointee.owner = Unmanaged.passUnretained(owner)
        // Never due in this advance: were it, an owner that re-arms with a deadline in the past would fire for ever.
        node.pointee.deadline = max(deadline, (target << Self.tickShift) + 1)
        let tick = Self.tick(of: node.pointee.deadline)
        if node.pointee.slot != TimerNode.unlinked {
            // Both ticks are within the wheel's span from the present, so comparing their low bits is enough.
            let low = UInt32(truncatingIfNeeded: min(tick, elapsed + Self.span))
            if Int32(bitPattern: low &- node.pointee.slotTick) >= 0 { return }
            unlink(node)
        }
        link(node, at: tick)
    }

    /// Keeps `timer` from firing. O(1), and nothing where it isn't armed.
    public func cancel(_ timer: borrowing Timer) {
        if timer.node.pointee.slot != TimerNode.unlinked { unlink(timer.node) }
    }

    /// Keeps `timer` from firing but leaves it in its slot, for an owner that is going to arm it again soon: arming is
    /// a single store then. The slot drops the timer when it comes up; an owner that goes away before that cancels it.
    public func park(_ timer: borrowing Timer) {
        guard timer.isArmed else { return }
        timer.node.pointee.owner = nil
        count -= 1
    }

    /// Fires what is due at `now`, in the order of the ticks; a fired timer is disarmed first. `fire` may arm and
    /// cancel any timer, its own included; what it arms doesn't fire in the same call.
    public func advance(to now: UInt64, fire: (_ owner: AnyObject, _ tag: Int) -> Void) {
        target = max(target, now >> Self.tickShift)
        while let next = nextSlot(), next.tick <= target {
            elapsed = next.tick
            while let node = heads[next.slot] {
                unlink(node)
                if node.pointee.owner == nil { continue }
                let tick = Self.tick(of: node.pointee.deadline)
                if tick > elapsed {
                    link(node, at: tick)
                } else if let owner = node.pointee.owner {
                    fire(owner.takeUnretainedValue(), Int(node.pointee.tag))
                }
            }
        }
        elapsed = target
    }

    /// When to call ``advance(to:fire:)`` again, in nanoseconds; nil where no timer is armed. Nothing is due earlier,
    /// but something may be due later still: a slot that only puts its timers back counts too.
    public func nextDeadline() -> UInt64? {
        nextSlot().map { $0.tick << Self.tickShift }
    }

    /// The first tick that begins at or after `deadline`. Deadlines that only an overflow could reach stand for never.
    private static func tick(of deadline: UInt64) -> UInt64 {
        let (rounded, overflow) = deadline.addingReportingOverflow((1 << tickShift) - 1)
        return (overflow ? .max : rounded) >> tickShift
    }

    private func link(_ node: Node, at tick: UInt64) {
        let tick = min(tick, elapsed + Self.span - 1)
        // The highest group of six bits in which the tick differs from the present says how wide its slot may be.
        let distance = min((tick ^ elapsed) | 63, Self.span - 1)
        let level = UInt64(63 - distance.leadingZeroBitCount) / Self.levelShift
        let width = level * Self.levelShift
        let index = Int(level) * Self.slotsPerLevel + Int((tick >> width) & 63)
        let head = heads[index]
        node.pointee.next = head
        node.pointee.previous = nil
        node.pointee.slotTick = UInt32(truncatingIfNeeded: (tick >> width) << width)
        node.pointee.slot = Int16(index)
        head?.pointee.previous = node
        heads[index] = node
        occupied[Int(level)] |= 1 << UInt64(index & 63)
        count += 1
    }

    private func unlink(_ node: Node) {
        let index = Int(node.pointee.slot)
        let next = node.pointee.next
        if let previous = node.pointee.previous {
            previous.pointee.next = next
        } else {
            heads[index] = next
            if next == nil { occupied[index / Self.slotsPerLevel] &= ~(1 << UInt64(index & 63)) }
        }
        next?.pointee.previous = node.pointee.previous
        node.pointee.next = nil
        node.pointee.previous = nil
        node.pointee.slot = TimerNode.unlinked
        if node.pointee.owner != nil { count -= 1 }
    }

    /// The occupied slot that begins first. A level's timers all come before those of the next level, because a timer
    /// is in a wide slot only while the present is outside that slot.
    private func nextSlot() -> (slot: Int, tick: UInt64)? {
        for level in 0..<Self.levelCount where occupied[level] != 0 {
            let width = UInt64(level) * Self.levelShift
            // Counted from the slot after the present one: the present one holds only what is a whole turn away.
            let position = (elapsed >> width) + 1
            let bits = occupied[level]
            let turn = position & 63
            let ahead = UInt64(((bits &>> turn) | (bits &<< (64 - turn))).trailingZeroBitCount)
            let slot = level * Self.slotsPerLevel + Int((position + ahead) & 63)
            return (slot, (position + ahead) << width)
        }
        return nil
    }
}
