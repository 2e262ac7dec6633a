internal import Synchronization

/// What makes invalidation cost nothing until it happens: a counter for each resource and each cache group, found by
/// hash. A response remembers what they were when its request began and is good while they are the same. So one that
/// was on its way when the resource changed is never taken for the new one (RFC 9111 §4.4), and nobody has to search.
///
/// Two resources may share a counter: then one is asked for once more than needed.
public final class Epochs: Sendable {
    public static let slotCount = 16_384
    /// What ``init(in:)`` takes.
    public static let byteCount = slotCount * MemoryLayout<UInt32>.stride

    /// A counter and what it was.
    public struct Dependency: Sendable, Equatable {
        public var slot: UInt32
        public var epoch: UInt32

        public init(slot: UInt32, epoch: UInt32) {
            self.slot = slot
            self.epoch = epoch
        }
    }

    // Initialised once; freed with the object where it is its own: that is why Sendable holds.
    private nonisolated(unsafe) let counters: UnsafeMutablePointer<Atomic<UInt32>>
    private let isOwner: Bool
    private let observer = Mutex<(@Sendable (UInt32) -> Void)?>(nil)

    public init() {
        counters = .allocate(capacity: Self.slotCount)
        isOwner = true
        for slot in 0..<Self.slotCount { (counters + slot).initialize(to: Atomic(0)) }
    }

    /// Counts in memory that outlives the process: ``byteCount`` bytes, aligned for words, that stay for good.
    public init(in memory: UnsafeMutableRawPointer) {
        counters = memory.bindMemory(to: Atomic<UInt32>.self, capacity: Self.slotCount)
        isOwner = false
    }

    deinit {
        guard isOwner else { return }
        counters.deinitialize(count: Self.slotCount)
        counters.deallocate()
    }

    /// Whom ``invalidate(_:)`` tells which counter it counts up, before it does; from any thread.
    public func observe(_ observer: @escaping @Sendable (UInt32) -> Void) {
        self.observer.withLock { $0 = observer }
    }

    public static func slot(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash) % UInt32(slotCount) }

    public func dependency(on hash: UInt64) -> Dependency {
        let slot = Self.slot(hash)
        return Dependency(slot: slot, epoch: counters[Int(slot)].load(ordering: .acquiring))
    }

    public func isCurrent(_ dependency: Dependency) -> Bool {
        counters[Int(dependency.slot)].load(ordering: .relaxed) == dependency.epoch
    }

    /// The dependency as it is now.
    public func current(_ slot: UInt32) -> Dependency {
        Dependency(slot: slot, epoch: counters[Int(slot)].load(ordering: .acquiring))
    }

    /// Everything that depends on `hash` is of no more use.
    public func invalidate(_ hash: UInt64) {
        let slot = Self.slot(hash)
        // First: who sees the new count knows that the others have been told.
        observer.withLock { $0 }?(slot)
        count(slot)
    }

    /// The same, where it is another process that says so: nobody is told.
    public func count(_ slot: UInt32) {
        counters[Int(slot)].add(1, ordering: .releasing)
    }
}
