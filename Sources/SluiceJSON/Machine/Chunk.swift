/// Points to a byte of a chunk.
typealias BytePointer = UnsafePointer<UInt8>

/// The position of the current chunk in memory and in the document.
struct Chunk {
    var start: BytePointer
    /// Bytes of the document before the chunk.
    var offset = 0

    /// Offset in the document of a byte of this chunk.
    @inline(__always)
    func offset(of byte: BytePointer) -> Int {
        offset &+ (byte - start)
    }
}
