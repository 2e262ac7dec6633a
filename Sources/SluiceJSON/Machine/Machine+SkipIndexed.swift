extension Machine {
    /// The skip loop from place to place.
    @inline(never)
    mutating func skipIndexed(
        _ p: inout Place, _ end: Place, _ cursor: inout PlaceCursor
    ) -> Position {
        var at = skipPosition
        while cursor.isRich {
            p = cursor.place(0)
            switch at {
            case .afterValue:
                let byte = p.pointee
                cursor.next += 1
                if byte == UInt8(ascii: ",") {
                    at = skips.isObject ? .key : .value
                } else if byte == skips.closing {
                    p += 1
                    skips.pop()
                    if skips.count == 0 { return valueEnded(p) }
                } else {
                    return fail(skips.isObject ? .objectGoesOn : .arrayGoesOn, at: p)
                }
            case .firstKey where p.pointee == UInt8(ascii: "}"), .firstElement where p.pointee == UInt8(ascii: "]"):
                at = .afterValue
            case .firstKey, .key:
                let close = cursor.place(1)
                let colon = cursor.place(2)
                let isPlain =
                    p.pointee == UInt8(ascii: "\"") && close.pointee == UInt8(ascii: "\"")
                    && colon.pointee == UInt8(ascii: ":") && close - p - 1 <= limits.stringBytes
                if !isPlain {
                    skipPosition = at
                    return skipOddKey(&p, end, &cursor)
                }
                skips.base[skips.count - 1] &+= 2
                if skips.base[skips.count - 1] >> 1 > limits.keys { return fail(.tooManyKeys, at: p) }
                cursor.next += 3
                at = .value
            case .colon:
                if p.pointee != UInt8(ascii: ":") { return fail(.colonExpected, at: p) }
                cursor.next += 1
                at = .value
            default:
                if let next = skipIndexedValue(&p, end, &cursor, &at) { return next }
            }
        }
        skipPosition = at
        return .skipping
    }

    @inline(__always)
    private mutating func skipIndexedValue(
        _ p: inout Place, _ end: Place, _ cursor: inout PlaceCursor, _ at: inout Position
    ) -> Position? {
        let byte = p.pointee
        switch byte {
        case UInt8(ascii: "\""):
            let close = cursor.place(1)
            if close.pointee == UInt8(ascii: "\""), close - p - 1 <= limits.stringBytes {
                cursor.next += 2
                at = .afterValue
                return nil
            }
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            if frames.count &+ skips.count >= limits.depth { return fail(.tooDeep, at: p) }
            let isObject = byte == UInt8(ascii: "{")
            skips.push(isObject ? 1 : 0)
            at = isObject ? .firstKey : .firstElement
            cursor.next += 1
            return nil
        default: break
        }
        let next = skipValue(&p, end, &at)
        cursor.skip(to: p)
        if next == nil, p < end, !isBoundary(p.pointee), byte != UInt8(ascii: "\"") {
            return fail(skips.isObject ? .objectGoesOn : .arrayGoesOn, at: p)
        }
        return next
    }

    /// A key with escapes, or something that should have been a key or its colon.
    @inline(never)
    private mutating func skipOddKey(_ p: inout Place, _ end: Place, _ cursor: inout PlaceCursor) -> Position {
        let next = skipKey(&p, end)
        cursor.skip(to: p)
        return next
    }
}
