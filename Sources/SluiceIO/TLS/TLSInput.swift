internal import Glibc

/// Ciphertext that came from the peer and that OpenSSL hasn't taken yet: usually borrowed from the loop's read buffer,
/// copied only where the reader stopped half way. Empty, it owns no memory.
struct TLSInput: ~Copyable {
    private var kept: UnsafeMutableRawPointer?
    private var keptOffset = 0
    private var keptEnd = 0
    private var keptCapacity = 0
    private var borrowed = UnsafeRawBufferPointer(start: nil, count: 0)
    /// The peer sends nothing more.
    var isEnded = false

    init() {}

    deinit {
        free(kept)
    }

    var count: Int { keptEnd - keptOffset + borrowed.count }

    /// Adds bytes without copying them; they stay valid until ``settle()``.
    mutating func borrow(_ bytes: UnsafeRawBufferPointer) {
        settle()
        borrowed = bytes
    }

    /// Copies what is still borrowed.
    mutating func settle() {
        guard let base = borrowed.baseAddress, borrowed.count > 0 else { return }
        if keptOffset > 0, let kept {
            memmove(kept, kept + keptOffset, keptEnd - keptOffset)
            keptEnd -= keptOffset
            keptOffset = 0
        }
        if keptEnd + borrowed.count > keptCapacity {
            keptCapacity = max(keptEnd + borrowed.count, keptCapacity * 2)
            kept = realloc(kept, keptCapacity)
            precondition(kept != nil, "out of memory")
        }
        memcpy(kept! + keptEnd, base, borrowed.count)
        keptEnd += borrowed.count
        borrowed = UnsafeRawBufferPointer(start: nil, count: 0)
    }

    /// Moves up to `capacity` bytes to `target`.
    mutating func take(into target: UnsafeMutableRawPointer, capacity: Int) -> Int {
        if let kept {
            let taken = min(capacity, keptEnd - keptOffset)
            memcpy(target, kept + keptOffset, taken)
            keptOffset += taken
            if keptOffset == keptEnd { releaseKept() }
            return taken
        }
        guard let base = borrowed.baseAddress else { return 0 }
        let taken = min(capacity, borrowed.count)
        memcpy(target, base, taken)
        borrowed = UnsafeRawBufferPointer(rebasing: borrowed[taken...])
        return taken
    }

    private mutating func releaseKept() {
        free(kept)
        kept = nil
        keptOffset = 0
        keptEnd = 0
        keptCapacity = 0
    }
}
