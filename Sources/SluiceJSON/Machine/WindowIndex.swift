import CSIMD

/// Memory for the structural index of one window, and for a copy of a chunk's last bytes.
struct WindowIndex {
    private static let lineBytes = 64

    /// Offsets of the tokens in the window, and the byte at each.
    let offsets: UnsafeMutablePointer<UInt16>
    let kinds: UnsafeMutablePointer<UInt8>
    /// For each block of 64 bytes, whether it is not all ASCII.
    let nonASCII: UnsafeMutablePointer<Bool>
    private let tail: UnsafeMutablePointer<UInt8>

    /// A window that has been indexed.
    struct Window {
        var bytes: Range<BytePointer>
        /// The same bytes, maybe a copy, readable up to a multiple of 64.
        var readable: BytePointer
        var blockBytes: Int
        var tokenCount: Int
    }

    init() {
        // Aligned to cache lines, because they are written a line at a time.
        offsets = UnsafeMutableRawPointer.allocate(
            byteCount: 2 * (TokenCursor.windowBytes + 64), alignment: Self.lineBytes
        ).assumingMemoryBound(to: UInt16.self)
        kinds = UnsafeMutableRawPointer.allocate(
            byteCount: TokenCursor.windowBytes + 64, alignment: Self.lineBytes
        ).assumingMemoryBound(to: UInt8.self)
        nonASCII = .allocate(capacity: TokenCursor.windowBytes / 64 + 8)
        tail = .allocate(capacity: TokenCursor.copyBytes)
    }

    func deallocate() {
        offsets.deallocate()
        kinds.deallocate()
        nonASCII.deallocate()
        tail.deallocate()
    }

    /// Indexes the next window of a chunk's bytes.
    /// - Parameter index: the kernel's index function.
    func fill(
        _ start: BytePointer, _ end: BytePointer,
        _ index: (
            BytePointer, Int, UnsafeMutablePointer<UInt16>, UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<Bool>
        ) -> Int
    ) -> Window {
        let isTail = end - start < TokenCursor.tailBytes
        let count =
            isTail
            ? end - start : min(end - start - TokenCursor.spareBytes, TokenCursor.windowBytes) & ~63
        let readable = isTail ? copyTail(start, end) : start
        let blockBytes = (count + 63) & ~63
        return Window(
            bytes: start..<start + count, readable: readable, blockBytes: blockBytes,
            tokenCount: index(readable, blockBytes, offsets, kinds, nonASCII))
    }

    /// Copies the last bytes of a chunk and fills up the copy with spaces.
    private func copyTail(_ start: BytePointer, _ end: BytePointer) -> BytePointer {
        tail.update(from: start, count: end - start)
        (tail + (end - start)).update(repeating: UInt8(ascii: " "), count: TokenCursor.copyBytes - (end - start))
        return BytePointer(tail)
    }
}
