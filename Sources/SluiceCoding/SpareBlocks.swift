internal import Glibc

/// Keeps memory blocks that a library frees, because it soon allocates blocks of the same sizes for the next body.
final class SpareBlocks {
    /// Size of the header in front of each block, which has the block's usable size.
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

    /// - Parameter blocks: an unretained reference to the `SpareBlocks`.
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
            // Does not take a block that is much too large: a later request may need it.
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
