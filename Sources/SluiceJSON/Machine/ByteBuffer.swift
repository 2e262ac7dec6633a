#if canImport(Glibc)
    import Glibc
#else
    import Musl
#endif

/// Growing bytes in memory that is kept when they are removed.
struct ByteBuffer {
    private(set) var base: UnsafeMutablePointer<UInt8>?
    private(set) var count = 0
    private var capacity = 0

    /// Copies bytes; what is read as a vector past the last one is allocated too.
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

/// Memory from `realloc`; running out of it cannot be answered, so it traps.
func reallocated<Element: BitwiseCopyable>(
    _ memory: UnsafeMutablePointer<Element>?, _ capacity: Int
) -> UnsafeMutablePointer<Element> {
    let grown = realloc(memory, capacity * MemoryLayout<Element>.stride)
    precondition(grown != nil, "out of memory")
    return grown!.assumingMemoryBound(to: Element.self)
}

/// One word for each open container that is skipped: its keys so far, and whether it is an object.
struct SkipStack {
    private(set) var base: UnsafeMutablePointer<UInt32>
    /// The kernel's walk pushes and pops too, within the capacity.
    var count = 0
    private(set) var capacity = 64

    init() {
        base = reallocated(nil, capacity)
    }

    @inline(__always)
    mutating func push(_ word: UInt32) {
        if count == capacity { grow() }
        base[count] = word
        count &+= 1
    }

    /// Takes the innermost word off.
    @inline(__always)
    mutating func pop() {
        count &-= 1
    }

    @inline(never)
    private mutating func grow() {
        capacity *= 2
        base = reallocated(base, capacity)
    }

    mutating func removeAll() {
        count = 0
    }

    func deallocate() {
        free(base)
    }
}

extension SkipStack {
    /// Whether the innermost container is an object.
    var isObject: Bool { base[count &- 1] & 1 != 0 }

    /// The byte that closes it.
    var closing: UInt8 { isObject ? UInt8(ascii: "}") : UInt8(ascii: "]") }
}
