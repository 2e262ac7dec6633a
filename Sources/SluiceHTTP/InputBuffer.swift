internal import Glibc

/// What a machine has been fed and has not read yet: the driver's buffer while it is valid, a copy of the rest after.
///
/// Nothing is copied as long as every feed is read to its end. What ``take(_:)`` has handed out stays where it is until
/// the next feed, so that it can be written from there; but for that, an empty buffer owns no memory.
struct InputBuffer: ~Copyable {
    private var base: UnsafeRawPointer?
    private var position = 0
    private var end = 0
    /// Owned; `base` points to it or into the driver's buffer.
    private var carry: UnsafeMutableRawPointer?
    private var carryCapacity = 0
    /// Bytes of `carry` have been handed out since the last feed.
    private var isLent = false

    init() {}

    deinit { free(carry) }

    /// Bytes not read yet.
    var count: Int { end - position }

    /// Bytes not read yet, for a look; valid until the next ``feed(_:)`` or ``settle()``.
    var unread: UnsafeRawBufferPointer {
        guard let base, position < end else { return .empty }
        return UnsafeRawBufferPointer(start: base + position, count: end - position)
    }

    /// Bytes that this buffer owns.
    var carriedCount: Int { carry == nil ? 0 : count }

    /// Takes a look at `input`, which has to stay valid until ``settle()``.
    mutating func feed(_ input: UnsafeRawBufferPointer) {
        guard let inputBase = input.baseAddress, input.count > 0 else { return }
        isLent = false
        if position == end {
            releaseMemory()
            base = inputBase
            position = 0
            end = input.count
            return
        }
        settle()
        reserve(end + input.count)
        guard let carry else { return }
        (carry + end).copyMemory(from: inputBase, byteCount: input.count)
        end += input.count
    }

    mutating func consume(_ taken: Int) {
        precondition(taken >= 0 && taken <= count, "more read than there was")
        position += taken
    }

    /// Reads bytes and hands them out; they stay valid until the next ``feed(_:)``, if they are ours, or until the
    /// driver uses its buffer again.
    mutating func take(_ taken: Int) -> UnsafeRawBufferPointer {
        precondition(taken > 0 && taken <= count, "more read than there was")
        if carry != nil { isLent = true }
        let bytes = UnsafeRawBufferPointer(start: base! + position, count: taken)
        position += taken
        return bytes
    }

    mutating func discardAll() {
        position = end
    }

    /// Copies what has not been read, so that the driver may reuse its buffer; gives back memory that is not needed.
    mutating func settle() {
        let rest = count
        if carry == nil {
            guard rest > 0 else { return releaseMemory() }
            let source = base! + position
            reserve(rest)
            carry!.copyMemory(from: source, byteCount: rest)
            base = UnsafeRawPointer(carry)
            position = 0
            end = rest
        } else if isLent {
            return
        } else if rest == 0 {
            releaseMemory()
        } else if position > end / 2 {
            // Only then: moving the rest after each of many pipelined requests would be quadratic.
            memmove(carry!, carry! + position, rest)
            position = 0
            end = rest
        }
    }

    private mutating func releaseMemory() {
        free(carry)
        carry = nil
        carryCapacity = 0
        base = nil
        position = 0
        end = 0
    }

    private mutating func reserve(_ needed: Int) {
        guard needed > carryCapacity else { return }
        let isCarried = carry != nil
        carryCapacity = max(256, needed + needed / 2)
        carry = realloc(carry, carryCapacity)
        precondition(carry != nil, "out of memory")
        if isCarried { base = UnsafeRawPointer(carry) }
    }
}
