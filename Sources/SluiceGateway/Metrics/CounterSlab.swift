internal import Synchronization

/// The counters of one event loop, in a row: only that loop writes them, any thread may read them.
///
/// With one writer no update can be lost between reading and writing, so counting is a load, an addition and a store,
/// without waiting for other processors. A reader may see a value that is a moment old.
struct CounterSlab: @unchecked Sendable {
    private let cells: UnsafeMutablePointer<Atomic<UInt64>>
    private let count: Int

    /// The creator has to free the slab (``deallocate()``), once no loop counts in it any more.
    init(count: Int) {
        self.count = count
        cells = .allocate(capacity: count)
        for index in 0..<count { (cells + index).initialize(to: Atomic(0)) }
    }

    func deallocate() {
        cells.deinitialize(count: count)
        cells.deallocate()
    }

    @inline(__always)
    func add(_ number: UInt64 = 1, at index: Int) {
        assert(index < count)
        cells[index].store(cells[index].load(ordering: .relaxed) &+ number, ordering: .relaxed)
    }

    func set(_ number: UInt64, at index: Int) {
        assert(index < count)
        cells[index].store(number, ordering: .relaxed)
    }

    func set(_ number: Int, at index: Int) { set(UInt64(max(0, number)), at: index) }

    func value(_ index: Int) -> UInt64 {
        assert(index < count)
        return cells[index].load(ordering: .relaxed)
    }
}

extension [CounterSlab] {
    /// The sum over all loops.
    func sum(_ index: Int) -> UInt64 { reduce(0) { $0 &+ $1.value(index) } }
}
