internal import Glibc

/// Memory that a library gives back and soon wants again, in blocks of the same sizes: one body is decoded like the
/// one before.
final class SpareBlocks {
    /// In front of each block: how many bytes may be used.
    private static let headerBytes = 16
    private static let blocksMax = 24
    private static let bytesMax = 1 << 20

    private var spare: [UnsafeMutableRawPointer] = []
    private var spareBytes = 0

    init() {
        spare.reserveCapacity(Self.blocksMax)
    }

    deinit {
        for block in spare { free(block) }
    }

    /// - Parameter blocks: an unretained reference to the owner of the memory.
    static func take(_ blocks: UnsafeMutableRawPointer?, bytes: Int) -> UnsafeMutableRawPointer? {
        guard let blocks else { return nil }
        return Unmanaged<SpareBlocks>.fromOpaque(blocks)._withUnsafeGuaranteedRef { $0.take(bytes) }
    }

    static func giveBack(_ blocks: UnsafeMutableRawPointer?, block: UnsafeMutableRawPointer?) {
        guard let blocks, let block else { return }
        Unmanaged<SpareBlocks>.fromOpaque(blocks)._withUnsafeGuaranteedRef { $0.giveBack(block) }
    }

    private func take(_ bytes: Int) -> UnsafeMutableRawPointer? {
        for index in spare.indices.reversed() {
            let room = spare[index].load(as: Int.self)
            // Not one that is much too large: the next to ask may need it.
            guard room >= bytes, room <= 2 * bytes else { continue }
            spareBytes -= room
            let block = spare[index]
            spare.swapAt(index, spare.count - 1)
            spare.removeLast()
            return block + Self.headerBytes
        }
        guard let block = malloc(bytes + Self.headerBytes) else { return nil }
        block.storeBytes(of: bytes, as: Int.self)
        return block + Self.headerBytes
    }

    private func giveBack(_ used: UnsafeMutableRawPointer) {
        let block = used - Self.headerBytes
        let room = block.load(as: Int.self)
        if spare.count == Self.blocksMax || spareBytes + room > Self.bytesMax { return free(block) }
        spare.append(block)
        spareBytes += room
    }
}
