/// A byte of a chunk.
typealias BytePointer = UnsafePointer<UInt8>

/// Where the current chunk stands in memory and in the document.
struct Chunk {
    var start: BytePointer
    /// Bytes of the document before it.
    var offset = 0

    /// Offset in the document of a byte of this chunk.
    @inline(__always)
    func offset(of byte: BytePointer) -> Int {
        offset &+ (byte - start)
    }
}
