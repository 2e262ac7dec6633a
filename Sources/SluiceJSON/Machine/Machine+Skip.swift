import CSIMD

/// Parts that nothing is extracted from, byte by byte: grammar and limits alone.
extension Machine {
    /// The container at `p` is skipped.
    mutating func beginSkip(_ p: inout BytePointer, isObject: Bool) -> Position {
        p += 1
        skips.push(isObject ? 1 : 0)
        skipPosition = isObject ? .firstKey : .firstElement
        return .skipping
    }

    /// Goes on by a token; near the chunk's end, where no index leads, to the end.
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

    /// The token at `p`.
    /// - Returns: what comes next: outside of skipped parts, where this was the last token of one.
    @inline(__always)
    mutating func skipToken(_ p: inout BytePointer, _ end: BytePointer) -> Position {
        switch skipPosition {
        case .afterValue:
            if p.pointee == UInt8(ascii: ",") {
                p += 1
                skipPosition = skips.isObject ? .key : .value
                return .skipping
            }
            return p.pointee == skips.closing ? closeSkipped(&p) : fail(goesOnFault, at: p)
        case .firstKey where p.pointee == UInt8(ascii: "}"), .firstElement where p.pointee == UInt8(ascii: "]"):
            return closeSkipped(&p)
        case .firstKey, .key: return skipKey(&p, end)
        case .colon:
            guard p.pointee == UInt8(ascii: ":") else { return fail(.colonExpected, at: p) }
            p += 1
            skipPosition = .value
            return .skipping
        default: return skipValue(&p, end)
        }
    }

    private mutating func skipKey(_ p: inout BytePointer, _ end: BytePointer) -> Position {
        guard p.pointee == UInt8(ascii: "\"") else { return fail(.keyExpected, at: p) }
        skips.base[skips.count - 1] &+= 2
        if skips.base[skips.count - 1] >> 1 > limits.keys { return fail(.tooManyKeys, at: p) }
        skipPosition = .colon
        return skipString(&p, end)
    }

    /// A scalar, or the start of a container.
    @inline(__always)
    private mutating func skipValue(_ p: inout BytePointer, _ end: BytePointer) -> Position {
        switch p.pointee {
        case UInt8(ascii: "\""):
            skipPosition = .afterValue
            return skipString(&p, end)
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            if frames.count &+ skips.count >= limits.depth { return fail(.tooDeep, at: p) }
            return beginSkip(&p, isObject: p.pointee == UInt8(ascii: "{"))
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            skipPosition = .afterValue
            let start = p
            let number = sluice_json_number_at(p, end, false)
            p = number.end
            switch number.state {
            case SLUICE_JSON_NUMBER_ENDED:
                return p - start > limits.stringBytes ? fail(.stringTooLong, at: start) : .skipping
            case SLUICE_JSON_NUMBER_CUT: return cutNumber(&p, start, end, isSkipped: true)
            default: return failNumber(at: p, start: start)
            }
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
            skipPosition = .afterValue
            let length = wordLength(p, end)
            if length == 0 { return beginWord(&p, end, isSkipped: true) }
            p += length
            return .skipping
        default: return fail(.valueExpected, at: p)
        }
    }

    @inline(__always)
    private mutating func skipString(_ p: inout BytePointer, _ end: BytePointer) -> Position {
        if let quote = reader.plainQuote(p, end) {
            p = quote + 1
            return .skipping
        }
        reader.token.begin(.string, at: p, offset: offset(of: p), isSkipped: true)
        p += 1
        switch reader.scanString(&p, end, chunk) {
        case .ended:
            reader.token.kind = .none
            return .skipping
        case .cut: return .token
        case let failure: return failString(failure, at: p)
        }
    }

    /// Takes the innermost container off.
    @inline(__always)
    private mutating func closeSkipped(_ p: inout BytePointer) -> Position {
        p += 1
        skips.pop()
        skipPosition = .afterValue
        return skips.count == 0 ? valueEnded(p) : .skipping
    }
}
