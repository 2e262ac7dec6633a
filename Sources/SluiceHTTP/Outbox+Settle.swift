internal import Glibc

extension Outbox {
    /// Stops borrowing, so that the lenders may reuse their memory: bytes that are still borrowed are copied.
    /// - Parameter pages: the pages that the latest read went to; its page is kept instead of copied where enough of
    ///   the read still waits.
    @inlinable
    public mutating func settle(keepingIn pages: InputPages? = nil) {
        if borrowedCount > 0 { settleBorrowed(pages) }
        if keptCount > 0 { settleKept() }
    }

    /// A page is not kept for its last few bytes: a client that never takes them would hold the whole page, but be
    /// charged for these bytes alone.
    @usableFromInline
    mutating func settleKept() {
        guard let page = firstPage, waitingCount <= page.memory.count / Self.rescuedShare else { return }
        var copy = Outbox()
        forEachRun { run, _ in copy.append(run) }
        swap(&self, &copy)
    }

    private static var rescuedShare: Int { 32 }

    private var firstPage: InputPage? {
        guard let segments else { return nil }
        for index in segmentHead..<segmentEnd {
            if let page = segments[index].page { return page.takeUnretainedValue() }
        }
        return nil
    }

    @usableFromInline
    mutating func settleBorrowed(_ pages: InputPages?) {
        if let page = pages?.page(worth: borrowedCount), keep(page) { return }
        copyBorrowed()
    }

    /// - Returns: false where any bytes are borrowed from other memory; nothing has changed then.
    private mutating func keep(_ page: InputPage) -> Bool {
        guard let segments else { return false }
        for index in segmentHead..<segmentEnd where segments[index].isBorrowed {
            guard let base = segments[index].base, page.contains(base) else { return false }
        }
        for index in segmentHead..<segmentEnd where segments[index].isBorrowed {
            segments[index].page = .passRetained(page)
        }
        keptCount += borrowedCount
        borrowedCount = 0
        return true
    }

    /// Copies the borrowed runs into the storage, in order. Works backwards: the copied bytes behind a borrowed run
    /// move up to make room for it. So an outbox that is filled in many steps copies every byte about once.
    private mutating func copyBorrowed() {
        reserve(borrowedCount)
        guard let storage, let segments else { return }
        storageCount += borrowedCount
        let tailCount = storageCount - borrowedCount - tailStart
        var end = storageCount - tailCount
        memmove(storage + end, storage + tailStart, tailCount)
        tailStart = end
        var index = segmentEnd
        while borrowedCount > 0 {
            index -= 1
            let segment = segments[index]
            if segment.page != nil { continue }
            end -= segment.count
            if let base = segment.base {
                memcpy(storage + end, base, segment.count)
                borrowedCount -= segment.count
            } else {
                memmove(storage + end, storage + segment.offset, segment.count)
            }
            segments[index] = Segment(offset: end, count: segment.count)
        }
        joinCopied(segments)
    }

    /// Joins adjacent copied runs; the last of them becomes part of the tail.
    private mutating func joinCopied(_ segments: UnsafeMutablePointer<Segment>) {
        var end = segmentHead
        for index in segmentHead..<segmentEnd {
            let segment = segments[index]
            if end > segmentHead, isCopied(segments[end - 1], upTo: segment.offset), segment.base == nil {
                segments[end - 1].count += segment.count
            } else {
                segments[end] = segment
                end += 1
            }
        }
        segmentEnd = end
        guard end > segmentHead, isCopied(segments[end - 1], upTo: tailStart) else { return }
        tailStart = segments[end - 1].offset
        segmentEnd -= 1
    }

    private func isCopied(_ segment: Segment, upTo offset: Int) -> Bool {
        segment.base == nil && segment.offset + segment.count == offset
    }

    /// Moves all bytes of `other` to the end of this outbox. Copied bytes are copied again if they are few; bytes that
    /// `other` borrows, this outbox then borrows.
    public mutating func append(moving other: inout Outbox) {
        let block = other.copiedCount > Self.recopiedBytesMax ? other.detachStorage() : nil
        for index in other.segmentHead..<other.segmentEnd {
            let segment = other.segments![index]
            if segment.page != nil {
                appendKept(segment)
            } else if segment.base != nil {
                borrow(other.bytes(of: segment))
            } else {
                appendCopied(other.bytes(of: segment), block)
            }
        }
        if !other.tail.isEmpty { appendCopied(other.tail, block) }
        block?.release()
        // The pages are this outbox's now, and so is the storage that was detached.
        other.segmentEnd = other.segmentHead
        if block != nil { other.storage = nil }
        other.removeAll()
    }

    /// Up to this many copied bytes are copied again: a segment would cost more.
    private static var recopiedBytesMax: Int { 2048 }

    /// The storage as a page of its own; its bytes stay where they are.
    private mutating func detachStorage() -> Unmanaged<InputPage>? {
        guard let storage else { return nil }
        return .passRetained(
            InputPage(adopting: UnsafeMutableRawBufferPointer(start: storage, count: storageCapacity)))
    }

    private mutating func appendCopied(_ bytes: UnsafeRawBufferPointer, _ block: Unmanaged<InputPage>?) {
        guard let block else { return append(bytes) }
        appendKept(Segment(base: bytes.baseAddress, count: bytes.count, page: block.retain()))
    }

    private mutating func appendKept(_ segment: Segment) {
        endTail()
        addSegment(segment)
        keptCount += segment.count
        waitingCount += segment.count
    }
}
