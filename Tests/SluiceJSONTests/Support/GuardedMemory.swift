import Foundation

/// Memory with a page behind it that nobody may touch: what is read behind the end of a chunk ends the tests.
struct GuardedMemory: ~Copyable {
    private let base: UnsafeMutableRawPointer
    private let byteCount: Int
    private static let pageBytes = sysconf(Int32(_SC_PAGESIZE))

    /// - Parameter capacity: of the longest chunk.
    init(capacity: Int) {
        let room = (capacity + Self.pageBytes - 1) / Self.pageBytes * Self.pageBytes
        byteCount = room + Self.pageBytes
        let memory = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let memory, memory != MAP_FAILED, mprotect(memory + room, Self.pageBytes, PROT_NONE) == 0 else {
            preconditionFailure("no memory for a chunk")
        }
        base = memory
    }

    deinit { munmap(base, byteCount) }

    /// So many bytes right before the page.
    func chunk(_ count: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: base + byteCount - Self.pageBytes - count, count: count)
    }
}
