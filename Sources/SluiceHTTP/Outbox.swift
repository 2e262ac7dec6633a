#if canImport(Glibc)
    public import Glibc
#else
    public import Musl
#endif

/// Bytes on their way to one peer: copied ones, and borrowed ones that are still in the buffer they were read into.
///
/// A machine appends, the driver gathers and writes. Borrowed bytes stay valid only until the driver reads again:
/// before that it calls ``settle()``, which copies what a short write left behind. An empty outbox owns no memory, so
/// an idle connection costs nothing here.
public struct Outbox: ~Copyable {
    /// A run of bytes; `base` is nil where the bytes are in `storage`, from `offset`.
    private struct Segment {
        var base: UnsafeRawPointer?
        var offset: Int
        var count: Int
    }

    private var storage: UnsafeMutableRawPointer?
    private var storageCount = 0
    private var storageCapacity = 0
    private var segments: UnsafeMutablePointer<Segment>?
    private var segmentHead = 0
    private var segmentEnd = 0
    private var segmentCapacity = 0
    private var borrowedCount = 0
    /// Bytes not yet taken by ``consume(_:)``.
    public private(set) var count = 0

    public init() {}

    deinit {
        free(storage)
        free(segments)
    }

    public var isEmpty: Bool { count == 0 }

    /// Bytes of memory for copies.
    var capacity: Int { storageCapacity }

    /// Copies `bytes`.
    public mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress, bytes.count > 0 else { return }
        (reserve(bytes.count) + storageCount).copyMemory(from: base, byteCount: bytes.count)
        commit(bytes.count)
    }

    /// Lets `write` put up to `count` bytes; it returns how many it did.
    public mutating func append(upTo count: Int, _ write: (UnsafeMutableRawBufferPointer) -> Int) {
        let target = reserve(count) + storageCount
        let written = write(UnsafeMutableRawBufferPointer(start: target, count: count))
        precondition(written >= 0 && written <= count, "more written than reserved")
        if written > 0 { commit(written) }
    }

    public mutating func append(_ text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    public mutating func append(_ byte: UInt8) {
        reserve(1).storeBytes(of: byte, toByteOffset: storageCount, as: UInt8.self)
        commit(1)
    }

    public mutating func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { append($0) }
    }

    /// Writes `value` in decimal digits.
    public mutating func append(decimal value: Int) {
        withUnsafeTemporaryAllocation(byteCount: 20, alignment: 1) { digits in
            var rest = value.magnitude
            var start = 20
            repeat {
                start -= 1
                digits[start] = UInt8(truncatingIfNeeded: rest % 10) &+ 0x30
                rest /= 10
            } while rest != 0
            if value < 0 { append(UInt8(ascii: "-")) }
            append(UnsafeRawBufferPointer(rebasing: digits[start..<20]))
        }
    }

    /// Writes `value` in lower-case hexadecimal digits.
    public mutating func append(hexadecimal value: Int) {
        withUnsafeTemporaryAllocation(byteCount: 16, alignment: 1) { digits in
            var rest = UInt(bitPattern: value)
            var start = 16
            repeat {
                start -= 1
                let digit = UInt8(truncatingIfNeeded: rest & 15)
                digits[start] = digit < 10 ? digit &+ 0x30 : digit &+ 0x57
                rest >>= 4
            } while rest != 0
            append(UnsafeRawBufferPointer(rebasing: digits[start..<16]))
        }
    }

    /// Adds bytes without copying them; they have to stay where they are until ``settle()`` or until they are consumed.
    /// Short runs are copied all the same, because a segment costs more than their bytes.
    public mutating func borrow(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count > 256 else { return append(bytes) }
        addSegment(Segment(base: bytes.baseAddress, offset: 0, count: bytes.count))
        borrowedCount += bytes.count
        count += bytes.count
    }

    /// Copies what is still borrowed, so that the buffer it stands in may be reused.
    public mutating func settle() {
        guard borrowedCount > 0 else { return }
        var settled = Outbox()
        settled.reserveExactly(count)
        for index in segmentHead..<segmentEnd {
            settled.append(bytes(of: segments![index]))
        }
        swap(&self, &settled)
    }

    /// Fills `vectors` with the first runs of bytes.
    /// - Returns: how many vectors were filled.
    public func gather(into vectors: UnsafeMutableBufferPointer<iovec>) -> Int {
        var filled = 0
        var index = segmentHead
        while index < segmentEnd, filled < vectors.count {
            let run = bytes(of: segments![index])
            vectors[filled] = iovec(iov_base: UnsafeMutableRawPointer(mutating: run.baseAddress), iov_len: run.count)
            filled += 1
            index += 1
        }
        return filled
    }

    /// The first run of bytes; empty where the outbox is.
    public var firstRun: UnsafeRawBufferPointer {
        segmentHead < segmentEnd ? bytes(of: segments![segmentHead]) : UnsafeRawBufferPointer(start: nil, count: 0)
    }

    /// Calls `body` with each run of bytes, in order, and whether it is borrowed.
    public func forEachRun(_ body: (UnsafeRawBufferPointer, _ isBorrowed: Bool) -> Void) {
        for index in segmentHead..<segmentEnd {
            let segment = segments![index]
            body(bytes(of: segment), segment.base != nil)
        }
    }

    /// Takes `taken` bytes off the front; they have been written.
    public mutating func consume(_ taken: Int) {
        precondition(taken <= count, "more bytes written than there were")
        if taken == count { return removeAll() }
        count -= taken
        var rest = taken
        while rest > 0 {
            let available = segments![segmentHead].count
            let step = min(rest, available)
            if segments![segmentHead].base != nil {
                borrowedCount -= step
                segments![segmentHead].base! += step
            } else {
                segments![segmentHead].offset += step
            }
            if step == available { segmentHead += 1 } else { segments![segmentHead].count -= step }
            rest -= step
        }
    }

    /// Forgets everything and gives the memory back.
    public mutating func removeAll() {
        free(storage)
        storage = nil
        storageCount = 0
        storageCapacity = 0
        free(segments)
        segments = nil
        segmentHead = 0
        segmentEnd = 0
        segmentCapacity = 0
        borrowedCount = 0
        count = 0
    }

    private func bytes(of segment: Segment) -> UnsafeRawBufferPointer {
        if let base = segment.base { return UnsafeRawBufferPointer(start: base, count: segment.count) }
        return UnsafeRawBufferPointer(start: storage! + segment.offset, count: segment.count)
    }

    private mutating func reserve(_ extra: Int) -> UnsafeMutableRawPointer {
        if storageCount + extra > storageCapacity { compact() }
        if storageCount + extra > storageCapacity {
            reserveExactly(max(512, max(storageCapacity * 2, storageCount + extra)))
        }
        return storage!
    }

    /// Moves the waiting copied bytes to the front, once they are less than half of the storage: a slow reader that
    /// never catches up must not make the storage grow with all that has passed through.
    private mutating func compact() {
        guard storageCount > 0, segments != nil, count - borrowedCount <= storageCount / 2 else { return }
        var end = 0
        for index in segmentHead..<segmentEnd where segments![index].base == nil {
            let segment = segments![index]
            memmove(storage! + end, storage! + segment.offset, segment.count)
            segments![index].offset = end
            end += segment.count
        }
        storageCount = end
        memmove(segments!, segments! + segmentHead, (segmentEnd - segmentHead) * MemoryLayout<Segment>.stride)
        segmentEnd -= segmentHead
        segmentHead = 0
    }

    private mutating func reserveExactly(_ capacity: Int) {
        guard capacity > storageCapacity else { return }
        storage = realloc(storage, capacity)
        precondition(storage != nil, "out of memory")
        storageCapacity = capacity
    }

    private mutating func commit(_ added: Int) {
        let offset = storageCount
        storageCount += added
        count += added
        if segmentEnd > segmentHead, segments![segmentEnd - 1].base == nil,
            segments![segmentEnd - 1].offset + segments![segmentEnd - 1].count == offset
        {
            segments![segmentEnd - 1].count += added
        } else {
            addSegment(Segment(base: nil, offset: offset, count: added))
        }
    }

    private mutating func addSegment(_ segment: Segment) {
        if segmentEnd == segmentCapacity {
            segmentCapacity = max(4, segmentCapacity * 2)
            let grown = realloc(segments, segmentCapacity * MemoryLayout<Segment>.stride)
            precondition(grown != nil, "out of memory")
            segments = grown!.assumingMemoryBound(to: Segment.self)
        }
        (segments! + segmentEnd).initialize(to: segment)
        segmentEnd += 1
    }
}
