/// The skip loop from place to place.
extension Machine {
    @inline(never)
    mutating func skipIndexed(_ shared: inout PlaceCursor, _ end: Place) -> Position {
        // In registers, as is the innermost word of the stack.
        var cursor = shared
        var word = skips.base[skips.count &- 1]
        var at = skipPosition
        let keysMost = UInt32(clamping: limits.keys)
        var result = Position.skipping
        rounds: while cursor.isRich {
            switch at {
            case .key:
                let opening = cursor.place(0)
                let close = cursor.place(1)
                let isPlain =
                    opening.pointee == UInt8(ascii: "\"") && close.pointee == UInt8(ascii: "\"")
                    && cursor.byte(2) == UInt8(ascii: ":") && close - opening - 1 <= limits.stringBytes
                    && word >> 1 < keysMost
                guard isPlain else {
                    result = skipOddKey(&cursor, end, &word, &at)
                    if result != .skipping { break rounds }
                    continue
                }
                word &+= 2
                cursor.next += 3
                fallthrough
            case .value:
                let opening = cursor.place(0)
                if opening.pointee == UInt8(ascii: "\""), cursor.byte(1) == UInt8(ascii: "\""),
                    cursor.place(1) - opening - 1 <= limits.stringBytes
                {
                    cursor.next += 2
                    at = .afterValue
                } else if skipNumber(&cursor, end) {
                    at = .afterValue
                } else {
                    result = skipOtherValue(&cursor, end, &word, &at)
                    if result != .skipping { break rounds }
                    continue
                }
                fallthrough
            case .afterValue:
                let byte = cursor.byte(0)
                cursor.next += 1
                if byte == UInt8(ascii: ",") {
                    at = word & 1 != 0 ? .key : .value
                    continue
                }
                if byte != (word & 1 != 0 ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                    cursor.next -= 1
                    result = fail(word & 1 != 0 ? .objectGoesOn : .arrayGoesOn, at: cursor.place(0))
                    break rounds
                }
                skips.pop()
                if skips.count == 0 {
                    result = valueEnded(cursor.place(-1) + 1)
                    break rounds
                }
                word = skips.base[skips.count &- 1]
                at = .afterValue
            case .firstKey: at = cursor.byte(0) == UInt8(ascii: "}") ? .afterValue : .key
            case .firstElement: at = cursor.byte(0) == UInt8(ascii: "]") ? .afterValue : .value
            default:
                let p = cursor.place(0)
                if p.pointee != UInt8(ascii: ":") {
                    result = fail(.colonExpected, at: p)
                    break rounds
                }
                cursor.next += 1
                at = .value
            }
        }
        if result == .skipping {
            skips.base[skips.count &- 1] = word
            skipPosition = at
        }
        shared = cursor
        return result
    }
    /// A number that ends in the chunk, as it should.
    @inline(__always)
    private func skipNumber(_ cursor: inout PlaceCursor, _ end: Place) -> Bool {
        var p = cursor.place(0)
        let start = p
        guard p.pointee == UInt8(ascii: "-") || NumberScan.isDigit(p.pointee),
            case .ended = NumberScan.scan(&p, end), isBoundary(p.pointee), p - start <= limits.stringBytes
        else { return false }
        cursor.next += 1
        cursor.reached = p
        return true
    }

    /// A container's start, a word, or whatever is unusual.
    @inline(never)
    private mutating func skipOtherValue(
        _ cursor: inout PlaceCursor, _ end: Place, _ word: inout UInt32, _ at: inout Position
    ) -> Position {
        var p = cursor.place(0)
        let byte = p.pointee
        skips.base[skips.count &- 1] = word
        skipPosition = at
        let next = skipValue(&p, end, &at)
        cursor.skip(to: p)
        if let next { return next }
        word = skips.base[skips.count &- 1]
        if at == .afterValue, byte != UInt8(ascii: "\""), p < end, !isBoundary(p.pointee) {
            return fail(skips.isObject ? .objectGoesOn : .arrayGoesOn, at: p)
        }
        return .skipping
    }

    /// A key with escapes, or something that should have been a key or its colon.
    @inline(never)
    private mutating func skipOddKey(
        _ cursor: inout PlaceCursor, _ end: Place, _ word: inout UInt32, _ at: inout Position
    ) -> Position {
        var p = cursor.place(0)
        skips.base[skips.count &- 1] = word
        let next = skipKey(&p, end)
        cursor.skip(to: p)
        word = skips.base[skips.count &- 1]
        at = skipPosition
        return next
    }
}
