import CSIMD

/// The skip loop from place to place.
extension Machine {
    @inline(never)
    mutating func skipIndexed(_ cursor: inout PlaceCursor, _ end: Place) -> Position {
        // What a round needs is kept in registers: the cursor and the stack's innermost word are brought up to date
        // only around calls.
        let start = cursor.start
        let places = cursor.places
        let kinds = cursor.kinds
        let lastRich = cursor.count &- PlaceCursor.lookAhead
        let keysMost = UInt32(clamping: limits.keys)
        var next = cursor.next
        var word = skips.base[skips.count &- 1]
        var at = skipPosition
        rounds: while next <= lastRich {
            quick: do {
                let isObject = word & 1 != 0
                switch at {
                case .key, .value:
                    repeat {
                        var run = PlaceCursor.kinds(kinds, next)
                        if isObject, at == .key {
                            guard run & KindRun.threeBytes == KindRun.key, word &>> 1 < keysMost else { break quick }
                            word &+= 2
                            if run & KindRun.sixBytes == KindRun.stringMember {
                                next &+= 6
                                continue
                            }
                            next &+= 3
                            run &>>= 24
                        }
                        let byte = UInt8(truncatingIfNeeded: run)
                        if byte == UInt8(ascii: "\"") {
                            at = .value
                            guard run & KindRun.twoBytes == KindRun.string else { break quick }
                            next &+= 2
                        } else if byte | 0x20 == UInt8(ascii: "{") {
                            at = .value
                            guard frames.count &+ skips.count < limits.depth else { break quick }
                            if UInt8(truncatingIfNeeded: run &>> 8) == byte &+ 2 {
                                next &+= 2
                            } else {
                                next &+= 1
                                skips.base[skips.count &- 1] = word
                                word = byte == UInt8(ascii: "{") ? 1 : 0
                                skips.push(word)
                                at = word != 0 ? .key : .value
                                continue rounds
                            }
                        } else {
                            at = .value
                            guard sluice_json_scalar(start + Int(places[next]), byte) else { break quick }
                            next &+= 1
                        }
                        at = isObject ? .key : .value
                        if kinds[next] == UInt8(ascii: ",") {
                            next &+= 1
                            continue
                        }
                        // The next object of the same array takes the place of this one.
                        let tail = PlaceCursor.kinds(kinds, next)
                        guard tail & KindRun.fourBytes == KindRun.nextObject, isObject, next &+ 4 <= cursor.count,
                            skips.count > 1, skips.base[skips.count &- 2] & 1 == 0
                        else {
                            at = .afterValue
                            continue rounds
                        }
                        next &+= 3
                        word = 1
                    } while next <= lastRich
                case .afterValue:
                    let byte = kinds[next]
                    guard byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                        guard byte == UInt8(ascii: ",") else { break quick }
                        next &+= 1
                        at = isObject ? .key : .value
                        continue rounds
                    }
                    next &+= 1
                    skips.pop()
                    if skips.count == 0 {
                        cursor.next = next
                        return valueEnded(start + Int(places[next &- 1]) + 1)
                    }
                    word = skips.base[skips.count &- 1]
                case .firstKey: at = kinds[next] == UInt8(ascii: "}") ? .afterValue : .key
                case .firstElement: at = kinds[next] == UInt8(ascii: "]") ? .afterValue : .value
                default: break quick
                }
                continue rounds
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
