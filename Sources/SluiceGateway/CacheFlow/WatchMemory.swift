internal import Synchronization

/// Bytes of all watched values of the process, including values being fetched, and the changes that are kept.
final class WatchMemory: Sendable {
    private let bytes = Atomic(0)

    var count: Int { bytes.load(ordering: .relaxed) }

    fileprivate func change(by count: Int) { bytes.add(count, ordering: .relaxed) }

    fileprivate func grow(by count: Int, max: Int) -> Bool {
        if bytes.add(count, ordering: .relaxed).newValue <= max { return true }
        bytes.subtract(count, ordering: .relaxed)
        return false
    }
}

/// One holder's share of the memory, given back with the object.
final class WatchShare {
    private let memory: WatchMemory
    private(set) var count = 0

    init(_ memory: WatchMemory) {
        self.memory = memory
    }

    deinit { memory.change(by: -count) }

    /// - Returns: whether there was room for so many bytes more.
    func grow(by bytes: Int, max: Int) -> Bool {
        guard memory.grow(by: bytes, max: max) else { return false }
        count += bytes
        return true
    }

    /// Sets the share to what is kept already, whether or not there is room for it.
    func set(_ bytes: Int) {
        memory.change(by: bytes - count)
        count = bytes
    }
}
