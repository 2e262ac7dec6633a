import CSIMD

extension Machine {
    /// The container that has just been opened is nobody's.
    mutating func beginSkip(isObject: Bool) -> Position {
        skips.push(isObject ? 1 : 0)
        skipPosition = isObject ? .firstKey : .firstElement
        return .skipping
    }

    /// Goes on by a token in a part that nobody looks at: grammar and limits alone. Near the chunk's end, where the
    /// list of places does not lead, it goes on to the end.
    @inline(never)
    mutating func skip(_ p: inout Place, _ end: Place) -> Position {
        var at = skipPosition
        let start = p
        while true {
            skipSpace(&p, end)
            if p == end || (p > start && end - p >= PlaceCursor.leastBytes) {
                skipPosition = at
                return .skipping
            }
            switch at {
            case .afterValue:
                if p.pointee == UInt8(ascii: ",") {
                    p += 1
                    at = skips.isObject ? .key : .value
                } else if p.pointee == skips.closing {
                    if closeSkipped(&p) { return containerSkipped(p) }
                } else {
                    return fail(skips.isObject ? .objectGoesOn : .arrayGoesOn, at: p)
                }
            case .firstKey where p.pointee == UInt8(ascii: "}"), .firstElement where p.pointee == UInt8(ascii: "]"):
                at = .afterValue
                if closeSkipped(&p) { return containerSkipped(p) }
            case .firstKey, .key:
                let next = skipKey(&p, end)
                if next != .skipping { return next }
                at = skipPosition
            case .colon:
                guard p.pointee == UInt8(ascii: ":") else { return fail(.colonExpected, at: p) }
                p += 1
                at = .value
            default:
                if let next = skipValue(&p, end, &at) { return next }
            }
        }
    }

    mutating func skipKey(_ p: inout Place, _ end: Place) -> Position {
        guard p.pointee == UInt8(ascii: "\"") else { return fail(.keyExpected, at: p) }
        skips.base[skips.count - 1] &+= 2
        if skips.base[skips.count - 1] >> 1 > limits.keys { return fail(.tooManyKeys, at: p) }
        skipPosition = .colon
        return skipString(&p, end, then: .colon) ?? .skipping
    }

    /// A scalar, or the start of a container.
    /// - Returns: where to go on outside the skip loop; nil inside.
    @inline(__always)
    mutating func skipValue(_ p: inout Place, _ end: Place, _ at: inout Position) -> Position? {
        switch p.pointee {
        case UInt8(ascii: "\""):
            at = .afterValue
            return skipString(&p, end, then: at)
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            if frames.count &+ skips.count >= limits.depth { return fail(.tooDeep, at: p) }
            let isObject = p.pointee == UInt8(ascii: "{")
            skips.push(isObject ? 1 : 0)
            at = isObject ? .firstKey : .firstElement
            p += 1
            return nil
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            at = .afterValue
            let start = p
            switch NumberScan.scan(&p, end) {
            case .ended: return p - start > limits.stringBytes ? fail(.stringTooLong, at: start) : nil
            case .starved:
                skipPosition = at
                return cutNumber(&p, start, end, isSkipped: true)
            case .failed: return failNumber(at: p, start: start)
            }
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
            at = .afterValue
            let length = Scalars.wordLength(p, end)
            if length > 0 {
                p += length
                return nil
            }
            skipPosition = at
            token.begin(.word, at: p, offset: offset(of: p), isSkipped: true)
            beginWord(p.pointee)
            let next = matchWord(&p, end)
            return next == .skipping ? nil : next
        default: return fail(.valueExpected, at: p)
        }
    }

    @inline(__always)
    private mutating func skipString(_ p: inout Place, _ end: Place, then at: Position) -> Position? {
        let start = p
        let quote = sluice_json_plain(p + 1, end)
        if quote < end, quote.pointee == UInt8(ascii: "\""), quote - start &- 1 <= limits.stringBytes {
            p = quote + 1
            return nil
        }
        token.begin(.string, at: p, offset: offset(of: p), isSkipped: true)
        p += 1
        switch scanString(&p, end) {
        case .ended:
            token.kind = .none
            return nil
        case .failed: return .halted
        case .starved:
            skipPosition = at
            return .token
        }
    }

    /// Takes the innermost container off; true when it was the outermost one that is skipped.
    @inline(__always)
    private mutating func closeSkipped(_ p: inout Place) -> Bool {
        p += 1
        skips.pop()
        return skips.count == 0
    }

    private mutating func containerSkipped(_ p: Place) -> Position {
        valueEnded(p)
    }
}

extension SkipStack {
    /// Whether the innermost container is an object.
    var isObject: Bool { base[count &- 1] & 1 != 0 }

    /// The byte that closes it.
    var closing: UInt8 { isObject ? UInt8(ascii: "}") : UInt8(ascii: "]") }
}
