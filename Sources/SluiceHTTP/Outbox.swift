public import Glibc

/// Bytes on their way to one peer: copied ones, and borrowed ones that are still in the buffer they were read into.
///
/// A machine appends, the driver gathers and writes. Borrowed bytes stay valid only until the driver reads again:
/// before that it calls ``settle(keepingIn:)``, which copies the bytes that a short write left over, or keeps their
/// page. An empty outbox owns no memory, so an idle connection costs nothing here.
///
/// The bytes are a sequence of runs: the segments, and after them the tail, the latest copied bytes, which may still
/// grow. So a message without borrowed bytes is one run and needs no segment; and appending to it, which a head does a
/// dozen times, is a check and a copy, and inlinable.
public struct Outbox: ~Copyable {
    /// A run of bytes; `base` is nil where the bytes are in `storage`, from `offset`. Else they are kept where there is
    /// a `page`, to which the segment holds a reference, and borrowed where there is none.
    struct Segment: BitwiseCopyable {
        var base: UnsafeRawPointer?
        var offset = 0
        var count: Int
        var page: Unmanaged<InputPage>?

        var isBorrowed: Bool { base != nil && page == nil }
    }

    @usableFromInline
    var storage: UnsafeMutableRawPointer?
    @usableFromInline
    var storageCount = 0
    @usableFromInline
    var storageCapacity = 0
    /// Offset of the tail in the storage; the tail ends at `storageCount`.
    var tailStart = 0
    var segments: UnsafeMutablePointer<Segment>?
    var segmentHead = 0
    var segmentEnd = 0
    var segmentCapacity = 0
    @usableFromInline
    var borrowedCount = 0
    @usableFromInline
    var keptCount = 0
    @usableFromInline
    var waitingCount = 0

    public init() {}

    deinit {
        free(storage)
        releasePages()
        free(segments)
    }

    /// Bytes not yet taken by ``consume(_:)``.
    @inlinable
    public var count: Int { waitingCount }

    @inlinable
    public var isEmpty: Bool { waitingCount == 0 }

    /// Bytes that wait as copies in the storage.
    var copiedCount: Int { waitingCount - borrowedCount - keptCount }

    /// Bytes of memory for copies.
    var capacity: Int { storageCapacity }

    /// Copies `bytes`.
    @inlinable
    public mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress, bytes.count > 0 else { return }
        reserve(bytes.count)
        (storage! + storageCount).copyMemory(from: base, byteCount: bytes.count)
        commit(bytes.count)
    }

    /// Lets `write` append up to `count` bytes; it returns how many it has written.
    public mutating func append(upTo count: Int, _ write: (UnsafeMutableRawBufferPointer) -> Int) {
        reserve(count)
        let written = write(UnsafeMutableRawBufferPointer(start: storage! + storageCount, count: count))
        precondition(written >= 0 && written <= count, "more written than reserved")
        commit(written)
    }

    @inlinable
    public mutating func append(_ text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    @inlinable
    public mutating func append(_ byte: UInt8) {
        reserve(1)
        storage!.storeBytes(of: byte, toByteOffset: storageCount, as: UInt8.self)
        commit(1)
    }

    @inlinable
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

    /// Adds bytes without copying them; they have to stay valid until ``settle(keepingIn:)`` or until they are
    /// consumed. Short runs are copied all the same, because a segment costs more than their bytes.
    public mutating func borrow(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count > 256 else { return append(bytes) }
        endTail()
        addSegment(Segment(base: bytes.baseAddress, count: bytes.count))
        borrowedCount += bytes.count
        waitingCount += bytes.count
    }

    /// Fills `vectors` with the first runs of bytes.
    /// - Returns: how many vectors were filled.
    public func gather(into vectors: UnsafeMutableBufferPointer<iovec>) -> Int {
        var filled = 0
        for index in segmentHead..<segmentEnd where filled < vectors.count {
            vectors[filled] = Self.vector(bytes(of: segments![index]))
            filled += 1
        }
        if !tail.isEmpty, filled < vectors.count {
            vectors[filled] = Self.vector(tail)
            filled += 1
        }
        return filled
    }

    /// The first run of bytes; empty where the outbox is.
    public var firstRun: UnsafeRawBufferPointer {
        segmentHead < segmentEnd ? bytes(of: segments![segmentHead]) : tail
    }

    /// Whether ``firstRun`` is borrowed, so that its bytes stay valid when they are consumed. A page that is kept for
    /// the run may go with its last byte.
    public var isFirstRunBorrowed: Bool { segmentHead < segmentEnd && segments![segmentHead].isBorrowed }

    /// Calls `body` with each run of bytes, in order, and whether it is borrowed.
    public func forEachRun(_ body: (UnsafeRawBufferPointer, _ isBorrowed: Bool) -> Void) {
        for index in segmentHead..<segmentEnd {
            let segment = segments![index]
            body(bytes(of: segment), segment.isBorrowed)
        }
        if !tail.isEmpty { body(tail, false) }
    }

    /// Removes `taken` bytes from the front, after they have been written.
    public mutating func consume(_ taken: Int) {
        precondition(taken <= count, "more bytes written than there were")
        if taken == count { return removeAll() }
        waitingCount -= taken
        var rest = taken
        while rest > 0, segmentHead < segmentEnd {
            let available = segments![segmentHead].count
            let step = min(rest, available)
            consumeFirstSegment(step)
            rest -= step
        }
        tailStart += rest
    }

    private mutating func consumeFirstSegment(_ step: Int) {
        let segment = segments![segmentHead]
        if segment.page != nil {
            keptCount -= step
        } else if segment.base != nil {
            borrowedCount -= step
        }
        if step == segment.count {
            segment.page?.release()
            segmentHead += 1
        } else {
            segments![segmentHead].count -= step
            if let base = segment.base {
                segments![segmentHead].base = base + step
            } else {
                segments![segmentHead].offset += step
            }
        }
    }

    /// Forgets everything and gives the memory back.
    public mutating func removeAll() {
        free(storage)
        storage = nil
        storageCount = 0
        storageCapacity = 0
        tailStart = 0
        if segments != nil { removeSegments() }
        borrowedCount = 0
        waitingCount = 0
    }

    private mutating func removeSegments() {
        releasePages()
        keptCount = 0
        free(segments)
        segments = nil
        segmentHead = 0
        segmentEnd = 0
        segmentCapacity = 0
    }

    private func releasePages() {
        for index in segmentHead..<segmentEnd { segments![index].page?.release() }
    }

    var tail: UnsafeRawBufferPointer {
        guard tailStart < storageCount, let storage else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return UnsafeRawBufferPointer(start: storage + tailStart, count: storageCount - tailStart)
    }

    func bytes(of segment: Segment) -> UnsafeRawBufferPointer {
        if let base = segment.base { return UnsafeRawBufferPointer(start: base, count: segment.count) }
        return UnsafeRawBufferPointer(start: storage! + segment.offset, count: segment.count)
    }

    private static func vector(_ run: UnsafeRawBufferPointer) -> iovec {
        iovec(iov_base: UnsafeMutableRawPointer(mutating: run.baseAddress), iov_len: run.count)
    }

    /// Makes room for `extra` bytes after those in use.
    @inlinable
    mutating func reserve(_ extra: Int) {
        if storageCount + extra > storageCapacity { grow(by: extra) }
    }

    @inlinable
    mutating func commit(_ added: Int) {
        storageCount += added
        waitingCount += added
    }

    @usableFromInline
    @inline(never)
    mutating func grow(by extra: Int) {
        compact()
        if storageCount + extra > storageCapacity {
            let spare = Self.sparingBytes.contains(storageCapacity) ? storageCapacity / 4 : storageCapacity
            reserveExactly(max(512, storageCapacity + spare, storageCount + extra))
        }
    }

    /// Storage doubles, except for these sizes, which grow by a quarter. They are the usual sizes for slow readers, of
    /// which there may be thousands: such an outbox is refilled when most of it is taken, and need not have room for
    /// twice as much.
    private static var sparingBytes: Range<Int> { 16 << 10..<64 << 10 }

    /// Moves the waiting copied bytes to the front, once they are less than half of the storage: a slow reader that
    /// never catches up must not make the storage grow with all that has passed through.
    private mutating func compact() {
        guard let storage, storageCount > 0, copiedCount <= storageCount / 2 else { return }
        var end = 0
        for index in segmentHead..<segmentEnd where segments![index].base == nil {
            let segment = segments![index]
            memmove(storage + end, storage + segment.offset, segment.count)
            segments![index].offset = end
            end += segment.count
        }
        let tailCount = storageCount - tailStart
        memmove(storage + end, storage + tailStart, tailCount)
        tailStart = end
        storageCount = end + tailCount
        dropTakenSegments()
    }

    private mutating func dropTakenSegments() {
        guard let segments else { return }
        memmove(segments, segments + segmentHead, (segmentEnd - segmentHead) * MemoryLayout<Segment>.stride)
        segmentEnd -= segmentHead
        segmentHead = 0
    }

    private mutating func reserveExactly(_ capacity: Int) {
        guard capacity > storageCapacity else { return }
        storage = realloc(storage, capacity)
        precondition(storage != nil, "out of memory")
        storageCapacity = capacity
    }

    /// Makes the tail a segment, before borrowed bytes are added after it.
    mutating func endTail() {
        if tailStart < storageCount {
            addSegment(Segment(offset: tailStart, count: storageCount - tailStart))
        }
        tailStart = storageCount
    }

    mutating func addSegment(_ segment: Segment) {
        // With a slow reader the outbox is never empty: segments that have been taken make room.
        if segmentEnd == segmentCapacity, segmentHead > segmentCapacity / 2 { dropTakenSegments() }
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
