internal import Glibc

/// Memory that one or two reads fill, or that copies were gathered in, for as long as bytes of it are needed.
///
/// What is held, or what a short write leaves behind, can stay in the memory it was read into: it is kept instead of
/// copied, and the next read goes behind it or into another page.
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
    /// What four answers at once need at the default `hold:`.
    private static let bytesMax = 4 << 20

    /// Reads begin at the same place of the processor's pages, so that copies and wide loads cross none that they need
    /// not cross.
    static let alignment = 4096

    /// That place, and not a page's first byte. The kernel copies what is written to the beginning of a page of its
    /// own, behind a chunk's size or a head; and where the source stands up to 32 bytes before the destination in their
    /// pages, AMD's Zen 3 copies at a third of its speed (`rep movsb`: its loads seem to depend on the last stores).
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
