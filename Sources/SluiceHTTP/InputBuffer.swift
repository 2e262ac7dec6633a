internal import Glibc

/// The bytes that a machine has been fed and has not read yet: in the driver's buffer while that is valid, then in a
/// copy.
///
/// Nothing is copied as long as every feed is read to its end. Bytes handed out by ``take(_:)`` stay in place until the
/// next feed, so that they can be written from there; apart from that, an empty buffer owns no memory.
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

    /// The bytes not read yet, without consuming them; valid until the next ``feed(_:)`` or ``settle()``.
    var unread: UnsafeRawBufferPointer {
        guard let base, position < end else { return .empty }
        return UnsafeRawBufferPointer(start: base + position, count: end - position)
    }

    /// Unread bytes that are in this buffer's own memory.
    var carriedCount: Int { carry == nil ? 0 : count }

    /// Makes `input` available for reading; it has to stay valid until ``settle()``.
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

    /// Consumes bytes and hands them out. They stay valid until the next ``feed(_:)`` if they are in this buffer's own
    /// memory, or else until the driver uses its buffer again.
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

    /// Copies the unread bytes, so that the driver may reuse its buffer; gives back memory that is not needed.
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
            // Not earlier: moving the rest after each of many pipelined requests would be quadratic.
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
