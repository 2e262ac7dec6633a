internal import Glibc

/// A block of memory that one or two reads fill, or that holds copies; it lives as long as any of its bytes are needed.
///
/// Bytes that are held back, or left over by a short write, can stay in the memory they were read into: the page is
/// kept instead of copied, and the next read goes behind these bytes or into another page.
final class InputPage {
    let memory: UnsafeMutableRawBufferPointer
    private let spares: SparePages?

    init(from spares: SparePages) {
        memory = spares.take()
        self.spares = spares
    }

    /// Memory of `malloc` that is to be freed with the page.
    init(adopting memory: UnsafeMutableRawBufferPointer) {
        self.memory = memory
        spares = nil
    }

    deinit {
        if let spares { spares.giveBack(memory) } else { free(memory.baseAddress) }
    }

    func contains(_ run: UnsafeRawPointer) -> Bool {
        guard let base = memory.baseAddress else { return false }
        return run >= UnsafeRawPointer(base) && run < UnsafeRawPointer(base) + memory.count
    }
}

/// Memory of pages that are not in use at present. It has been touched, so that using it again costs no page fault.
final class SparePages {
    let byteCount: Int
    private var memories: [UnsafeMutableRawBufferPointer] = []
    /// Enough for four answers at once at the default `hold:`.
    private static let bytesMax = 4 << 20

    /// All reads begin at the same offset within a page of the processor, so that copies and wide loads cross no more
    /// page boundaries than necessary.
    static let alignment = 4096

    /// The offset at which reads begin, so as not to begin at a page's first byte. The kernel copies written bytes to
    /// the beginning of a page of its own, behind a chunk's size or a head; and where the source's offset in its page
    /// is up to 32 bytes before the destination's, AMD's Zen 3 copies at a third of its speed (`rep movsb`: its loads
    /// seem to depend on the last stores).
    private static let lead = 512

    init(byteCount: Int) {
        self.byteCount = byteCount
    }

    deinit {
        memories.forEach(release)
    }

    fileprivate func take() -> UnsafeMutableRawBufferPointer {
        if let memory = memories.popLast() { return memory }
        var memory: UnsafeMutableRawPointer?
        precondition(posix_memalign(&memory, Self.alignment, Self.lead + byteCount) == 0, "out of memory")
        return UnsafeMutableRawBufferPointer(start: memory.map { $0 + Self.lead }, count: byteCount)
    }

    fileprivate func giveBack(_ memory: UnsafeMutableRawBufferPointer) {
        if (memories.count + 1) * byteCount <= Self.bytesMax {
            memories.append(memory)
        } else {
            release(memory)
        }
    }

    private func release(_ memory: UnsafeMutableRawBufferPointer) { free(memory.baseAddress.map { $0 - Self.lead }) }
}
