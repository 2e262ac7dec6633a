internal import Synchronization

/// Makes invalidation free until it happens: a counter for each resource and each cache group, found by hash. A
/// response keeps the counters of the time its request began, and is valid while they are unchanged. So an answer that
/// was being fetched when the resource changed is never taken for the new one (RFC 9111 §4.4), without a search.
///
/// Two resources may share a counter: then one is fetched once more than needed.
public final class Epochs: Sendable {
    public static let slotCount = 16_384

    /// A counter and its value at the time.
    public struct Dependency: Sendable, Equatable {
        public var slot: UInt32
        public var epoch: UInt32

        public init(slot: UInt32, epoch: UInt32) {
            self.slot = slot
            self.epoch = epoch
        }
    }

    // Initialised once and freed with the object: that is why Sendable holds.
    private nonisolated(unsafe) let counters: UnsafeMutablePointer<Atomic<UInt32>>
    /// Number of increments in this process, and for each counter, that number at its latest increment.
    private let moments = Atomic<UInt32>(0)
    private nonisolated(unsafe) let stamps: UnsafeMutablePointer<Atomic<UInt32>>
    /// In a type of its own: a bare closure in a mutex would be wrapped once more at each access.
    private struct Observer {
        var body: (@Sendable (UInt32) -> Void)?
    }

    private let observer = Mutex(Observer())
    private struct Follower {
        var body: (@Sendable (UInt32, UInt32) -> Void)?
    }

    private let follower = Mutex(Follower())
    /// Keeps counts over a restart.
    private let record: (@Sendable (UInt32, UInt32) -> Void)?
    /// One count at a time, so that the latest is recorded last.
    private let recording = Mutex(())

    /// - Parameters:
    ///   - counts: the counts of an earlier process; all 0 if empty.
    ///   - record: called with each incremented counter and its count, before ``invalidate(_:)`` and ``count(_:)``
    ///     return.
    public init(counts: [UInt32] = [], record: (@Sendable (UInt32, UInt32) -> Void)? = nil) {
        counters = .allocate(capacity: Self.slotCount)
        stamps = .allocate(capacity: Self.slotCount)
        for slot in 0..<Self.slotCount {
            (counters + slot).initialize(to: Atomic(slot < counts.count ? counts[slot] : 0))
            (stamps + slot).initialize(to: Atomic(0))
        }
        self.record = record
    }

    deinit {
        stamps.deinitialize(count: Self.slotCount)
        stamps.deallocate()
        counters.deinitialize(count: Self.slotCount)
        counters.deallocate()
    }

    /// Sets the observer that ``invalidate(_:)`` tells which counter it is about to increment; from any thread.
    public func observe(_ observer: @escaping @Sendable (UInt32) -> Void) {
        self.observer.withLock { $0.body = observer }
    }

    /// Sets the follower that is told each incremented counter and its ``moment``, wherever the increment comes from;
    /// from any thread.
    public func follow(_ follower: @escaping @Sendable (UInt32, UInt32) -> Void) {
        self.follower.withLock { $0.body = follower }
    }

    public static func slot(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash) % UInt32(slotCount) }

    public func dependency(on hash: UInt64) -> Dependency {
        let slot = Self.slot(hash)
        return Dependency(slot: slot, epoch: counters[Int(slot)].load(ordering: .acquiring))
    }

    /// Now, for ``dependency(on:since:)``.
    public var moment: UInt32 { moments.load(ordering: .acquiring) }

    /// The dependency of a response whose request began at `moment`, on a hash that only its head names: one that is
    /// not current if the counter has been incremented since.
    public func dependency(on hash: UInt64, since moment: UInt32) -> Dependency {
        var dependency = dependency(on: hash)
        let stamp = stamps[Int(dependency.slot)].load(ordering: .acquiring)
        // The number may have wrapped around; half of its range is far more than can happen during a request.
        if Int32(bitPattern: stamp &- moment) > 0 { dependency.epoch &-= 1 }
        return dependency
    }

    public func isCurrent(_ dependency: Dependency) -> Bool {
        counters[Int(dependency.slot)].load(ordering: .relaxed) == dependency.epoch
    }

    /// The dependency as it is now.
    public func current(_ slot: UInt32) -> Dependency {
        Dependency(slot: slot, epoch: counters[Int(slot)].load(ordering: .acquiring))
    }

    /// Voids every response that depends on `hash`.
    public func invalidate(_ hash: UInt64) {
        let slot = Self.slot(hash)
        // First: a thread that sees the new count knows that the observer has been called.
        observer.withLock { $0.body }?(slot)
        count(slot)
    }

    /// Counts an invalidation by another process: the observer is not called.
    public func count(_ slot: UInt32) {
        let moment = moments.add(1, ordering: .acquiringAndReleasing).newValue
        // Before the counter: a thread that reads the new count sees the stamp.
        stamp(slot, moment)
        recording.withLock { _ in
            let count = counters[Int(slot)].add(1, ordering: .releasing).newValue
            record?(slot, count)
        }
        follower.withLock { $0.body }?(slot, moment)
    }

    /// The latest moment counts, whatever the order of the threads.
    private func stamp(_ slot: UInt32, _ moment: UInt32) {
        var seen = stamps[Int(slot)].load(ordering: .relaxed)
        while Int32(bitPattern: moment &- seen) > 0 {
            let (isDone, now) = stamps[Int(slot)].compareExchange(
                expected: seen, desired: moment, ordering: .acquiringAndReleasing)
            if isDone { return }
            seen = now
        }
    }
}
