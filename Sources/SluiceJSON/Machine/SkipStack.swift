import Glibc

/// One word for each open container that is skipped: the number of its keys so far, and in the lowest bit whether it is
/// an object.
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

    /// The byte that closes the innermost container.
    var closing: UInt8 { isObject ? UInt8(ascii: "}") : UInt8(ascii: "]") }
}
