import Glibc

/// A growing buffer of bytes whose memory is kept when the bytes are removed.
struct ByteBuffer {
    private(set) var base: UnsafeMutablePointer<UInt8>?
    private(set) var count = 0
    private var capacity = 0

    /// Copies bytes; 64 more are allocated behind the last one, because vector code reads past it.
    mutating func append(_ bytes: BytePointer, _ added: Int) {
        if added == 0 { return }
        if count + added + 64 > capacity {
            let grown = max(256, max(capacity * 2, count + added + 64))
            base = reallocated(base, grown)
            capacity = grown
        }
        (base! + count).update(from: bytes, count: added)
        count += added
    }

    mutating func append(_ byte: UInt8) {
        withUnsafePointer(to: byte) { append($0, 1) }
    }

    mutating func removeAll() {
        count = 0
    }

    func deallocate() {
        free(base)
    }
}

/// Memory from `realloc`; traps if there is none.
func reallocated<Element: BitwiseCopyable>(
    _ memory: UnsafeMutablePointer<Element>?, _ capacity: Int
) -> UnsafeMutablePointer<Element> {
    let grown = realloc(memory, capacity * MemoryLayout<Element>.stride)
    precondition(grown != nil, "out of memory")
    return grown!.assumingMemoryBound(to: Element.self)
}
