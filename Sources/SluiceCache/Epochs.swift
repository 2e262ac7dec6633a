internal import Synchronization

/// What makes invalidation cost nothing until it happens: a counter for each resource and each cache group, found by
/// hash. A response remembers what they were when its request began and is good while they are the same. So one that
/// was on its way when the resource changed is never taken for the new one (RFC 9111 §4.4), and nobody has to search.
///
/// Two resources may share a counter: then one is asked for once more than needed.
public final class Epochs: Sendable {
    static let slotCount = 16_384

    /// A counter and what it was.
    public struct Dependency: Sendable, Equatable {
        var slot: UInt32
        var epoch: UInt32
    }

    // Allocated and initialised once, freed with the object: that is why Sendable holds.
    private nonisolated(unsafe) let counters: UnsafeMutablePointer<Atomic<UInt32>>

    init() {
        counters = .allocate(capacity: Self.slotCount)
        for slot in 0..<Self.slotCount { (counters + slot).initialize(to: Atomic(0)) }
    }

    deinit {
        counters.deinitialize(count: Self.slotCount)
        counters.deallocate()
    }

    public func dependency(on hash: UInt64) -> Dependency {
        let slot = UInt32(truncatingIfNeeded: hash) % UInt32(Self.slotCount)
        return Dependency(slot: slot, epoch: counters[Int(slot)].load(ordering: .acquiring))
    }

    public func isCurrent(_ dependency: Dependency) -> Bool {
        counters[Int(dependency.slot)].load(ordering: .relaxed) == dependency.epoch
    }

    /// Everything that depends on `hash` is of no more use.
    public func invalidate(_ hash: UInt64) {
        counters[Int(UInt32(truncatingIfNeeded: hash) % UInt32(Self.slotCount))].add(1, ordering: .releasing)
    }
}
