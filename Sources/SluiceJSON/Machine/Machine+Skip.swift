import CSIMD

/// Parts of the document that nothing is extracted from.
extension Machine {
    /// Begins to skip the container at `p`.
    mutating func beginSkip(_ p: inout BytePointer, isObject: Bool) -> Position {
        skipped.begin(&p, isObject: isObject)
        return .skipping
    }

    /// Skips a token; near the chunk's end, where no index is made, all tokens up to the end.
    @inline(never)
    mutating func skip(_ p: inout BytePointer, _ end: BytePointer) -> Position {
        let start = p
        while true {
            skipSpace(&p, end)
            if p == end || (p > start && end - p >= TokenCursor.leastBytes) { return .skipping }
            let next = skipToken(&p, end)
            if next != .skipping { return next }
        }
    }

    /// Skips the token at `p`.
    /// - Returns: what comes next; outside the skipped part if this was its last token.
    @inline(__always)
    mutating func skipToken(_ p: inout BytePointer, _ end: BytePointer) -> Position {
        switch skipped.token(&p, end, &reader, chunk, limits, depth: frames.count) {
        case .goesOn: .skipping
        case .ended: valueEnded(p)
        case .cut: .token
        case .cutNumber(let start): cutNumber(&p, start, end, isSkipped: true)
        case .word: beginWord(&p, end, isSkipped: true)
        case .fault(let fault, let place): fail(fault, at: place)
        case .brokenNumber(let start): failNumber(at: p, start: start)
        case .brokenString(let scan): failString(scan, at: p)
        }
    }
}
