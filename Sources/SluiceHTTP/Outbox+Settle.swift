internal import Glibc

extension Outbox {
    /// Lets go of the memory of others, so that it may be used again: what is still borrowed is copied.
    /// - Parameter pages: what was read last stands in their page, which is kept instead where much of it still waits.
    @inlinable
    public mutating func settle(keepingIn pages: InputPages? = nil) {
        if borrowedCount > 0 { settleBorrowed(pages) }
        if keptCount > 0 { settleKept() }
    }

    /// A page is not kept for the last of its bytes: a client that never takes them would own all of it, and be counted
    /// by them alone.
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

    /// - Returns: false where something is borrowed from elsewhere; nothing has changed then.
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

    /// Borrowed runs go into the storage, each to its place: from the last one on, what stands behind them moves up. So
    /// an outbox that is filled in many steps copies every byte about once.
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

    /// Copied runs that are next to each other become one, the last of them part of the tail.
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

    /// Moves all that waits in `other` behind what waits here. A few bytes that are copies already are copied again;
    /// what `other` borrows, this outbox borrows from then on.
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

    /// Fewer copied bytes are copied again: a segment costs more.
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
