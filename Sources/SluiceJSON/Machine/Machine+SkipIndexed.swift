import CSIMD

/// The skip loop from place to place.
extension Machine {
    @inline(never)
    mutating func skipIndexed(_ cursor: inout PlaceCursor, _ end: Place) -> Position {
        // What a round needs is kept in registers: the cursor and the stack's innermost word are brought up to date
        // only around calls.
        let start = cursor.start
        let stop = cursor.stop
        let stringMost = limits.stringBytes
        let keysMost = UInt32(clamping: limits.keys)
        var next = cursor.next
        var word = skips.base[skips.count &- 1]
        var at = skipPosition
        while stop - next >= PlaceCursor.lookAhead {
            quick: do {
                if at == .key {
                    let opening = Int(next[0])
                    let close = Int(next[1])
                    guard start[opening] == UInt8(ascii: "\""), start[close] == UInt8(ascii: "\""),
                        start[Int(next[2])] == UInt8(ascii: ":"), close &- opening &- 1 <= stringMost,
                        word >> 1 < keysMost
                    else { break quick }
                    word &+= 2
                    next += 3
                    at = .value
                }
                if at == .value {
                    let opening = Int(next[0])
                    let byte = start[opening]
                    if byte == UInt8(ascii: "\"") {
                        let close = Int(next[1])
                        guard start[close] == UInt8(ascii: "\""), close &- opening &- 1 <= stringMost else {
                            break quick
                        }
                        next += 2
                    } else if byte | 0x20 == UInt8(ascii: "{") {
                        guard frames.count &+ skips.count < limits.depth else { break quick }
                        skips.base[skips.count &- 1] = word
                        word = byte == UInt8(ascii: "{") ? 1 : 0
                        skips.push(word)
                        next += 1
                        at = word != 0 ? .firstKey : .firstElement
                        continue
                    } else if byte < UInt8(ascii: "a") {
                        var isInteger = false
                        guard let after = sluice_json_number(start + opening, &isInteger),
                            after - (start + opening) <= stringMost
                        else { break quick }
                        next += 1
                    } else {
                        let length = Int(sluice_json_word(start + opening))
                        guard length > 0, sluice_json_may_end(start[opening &+ length]) else { break quick }
                        next += 1
                    }
                    at = .afterValue
                }
                let byte = start[Int(next[0])]
                if at != .afterValue {
                    guard at != .colon else { break quick }
                    if byte != (word & 1 != 0 ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                        at = word & 1 != 0 ? .key : .value
                        continue
                    }
                } else if byte == UInt8(ascii: ",") {
                    next += 1
                    at = word & 1 != 0 ? .key : .value
                    continue
                }
                at = .afterValue
                guard byte == (word & 1 != 0 ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { break quick }
                next += 1
                skips.pop()
                if skips.count == 0 {
                    cursor.next = next
                    return valueEnded(start + Int(next[-1]) + 1)
                }
                word = skips.base[skips.count &- 1]
                continue
            }
            cursor.next = next
            skips.base[skips.count &- 1] = word
            skipPosition = at
            let result = skipUnusual(&cursor, end)
            if result != .skipping { return result }
            next = cursor.next
            word = skips.base[skips.count &- 1]
            at = skipPosition
        }
        cursor.next = next
        skips.base[skips.count &- 1] = word
        skipPosition = at
        return .skipping
    }

    /// One token byte by byte.
    @inline(never)
    private mutating func skipUnusual(_ cursor: inout PlaceCursor, _ end: Place) -> Position {
        var p = cursor.place(0)
        switch skipPosition {
        case .key:
            let next = skipKey(&p, end)
            cursor.skip(to: p)
            return next
        case .colon:
            if p.pointee != UInt8(ascii: ":") { return fail(.colonExpected, at: p) }
            skipPosition = .value
            cursor.next += 1
            return .skipping
        case .afterValue: return fail(skips.isObject ? .objectGoesOn : .arrayGoesOn, at: p)
        default:
            var at = Position.value
            let isString = p.pointee == UInt8(ascii: "\"")
            let next = skipValue(&p, end, &at)
            cursor.skip(to: p)
            if let next { return next }
            skipPosition = at
            if !isString, at == .afterValue, p < end, !Scalars.mayEnd(before: p.pointee) {
                return fail(skips.isObject ? .objectGoesOn : .arrayGoesOn, at: p)
            }
            return .skipping
        }
    }
}
