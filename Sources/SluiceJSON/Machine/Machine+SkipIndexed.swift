import CSIMD

/// What a round of the skip loop needs, in registers: the cursor's next place, the stack's innermost word, and what
/// comes next.
private struct SkipRound {
    var next: Int
    var word: UInt32
    var at: Machine.Position

    var isObject: Bool { word & 1 != 0 }
}

/// How a round has ended.
private enum SkipOutcome {
    case goesOn
    /// At something unusual.
    case stuck
    /// The outermost skipped container has ended.
    case done
}

/// The skip loop from place to place.
extension Machine {
    @inline(never)
    mutating func skipIndexed(_ cursor: inout PlaceCursor, _ end: Place) -> Position {
        let lastRich = cursor.count &- PlaceCursor.lookAhead
        var round = SkipRound(next: cursor.next, word: skips.base[skips.count &- 1], at: skipPosition)
        while round.next <= lastRich {
            let outcome: SkipOutcome
            switch round.at {
            case .key, .value: outcome = skipMembers(cursor, &round, lastRich)
            case .afterValue: outcome = skipEnding(cursor, &round)
            case .firstKey, .firstElement:
                let isEmpty = cursor.kinds[round.next] == (round.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
                round.at = isEmpty ? .afterValue : round.isObject ? .key : .value
                outcome = .goesOn
            default: outcome = .stuck
            }
            if outcome == .goesOn { continue }
            // Only here are the cursor and the stack brought up to date.
            cursor.next = round.next
            if outcome == .done { return valueEnded(cursor.place(-1) + 1) }
            skips.base[skips.count &- 1] = round.word
            skipPosition = round.at
            let result = skipUnusual(&cursor, end)
            if result != .skipping { return result }
            round = SkipRound(next: cursor.next, word: skips.base[skips.count &- 1], at: skipPosition)
        }
        cursor.next = round.next
        skips.base[skips.count &- 1] = round.word
        skipPosition = round.at
        return .skipping
    }

    /// Members or elements, while they are plain and followed by others.
    @inline(__always)
    private mutating func skipMembers(
        _ cursor: PlaceCursor, _ round: inout SkipRound, _ lastRich: Int
    ) -> SkipOutcome {
        let kinds = cursor.kinds
        let isObject = round.isObject
        let keysMost = UInt32(clamping: limits.keys)
        repeat {
            var run = PlaceCursor.kinds(kinds, round.next)
            if isObject, round.at == .key {
                guard run & KindRun.threeBytes == KindRun.key, round.word &>> 1 < keysMost else { return .stuck }
                round.word &+= 2
                if run & KindRun.sixBytes == KindRun.stringMember {
                    round.next &+= 6
                    continue
                }
                round.next &+= 3
                run &>>= 24
            }
            round.at = .value
            let byte = UInt8(truncatingIfNeeded: run)
            if byte == UInt8(ascii: "\"") {
                let taken = run & KindRun.twoBytes == KindRun.string ? 2 : cursor.escapedString(at: round.next)
                guard taken > 0 else { return .stuck }
                round.next &+= taken
            } else if byte | 0x20 == UInt8(ascii: "{") {
                guard frames.count &+ skips.count < limits.depth else { return .stuck }
                guard UInt8(truncatingIfNeeded: run &>> 8) == byte &+ 2 else {
                    skipInto(&round, isObject: byte == UInt8(ascii: "{"))
                    return .goesOn
                }
                round.next &+= 2
            } else {
                guard sluice_json_scalar(cursor.start + Int(cursor.places[round.next]), byte) else { return .stuck }
                round.next &+= 1
            }
            round.at = isObject ? .key : .value
            if kinds[round.next] == UInt8(ascii: ",") {
                round.next &+= 1
                continue
            }
            // The next object of the same array takes the place of this one.
            let tail = PlaceCursor.kinds(kinds, round.next)
            guard tail & KindRun.fourBytes == KindRun.nextObject, isObject, round.next &+ 4 <= cursor.count,
                skips.count > 1, skips.base[skips.count &- 2] & 1 == 0
            else {
                round.at = .afterValue
                return .goesOn
            }
            round.next &+= 3
            round.word = 1
        } while round.next <= lastRich
        return .goesOn
    }

    @inline(__always)
    private mutating func skipInto(_ round: inout SkipRound, isObject: Bool) {
        skips.base[skips.count &- 1] = round.word
        round.word = isObject ? 1 : 0
        skips.push(round.word)
        round.next &+= 1
        round.at = isObject ? .key : .value
    }

    /// A comma, or the end of the innermost container.
    @inline(__always)
    private mutating func skipEnding(_ cursor: PlaceCursor, _ round: inout SkipRound) -> SkipOutcome {
        let byte = cursor.kinds[round.next]
        if byte == UInt8(ascii: ",") {
            round.next &+= 1
            round.at = round.isObject ? .key : .value
            return .goesOn
        }
        guard byte == (round.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { return .stuck }
        round.next &+= 1
        skips.pop()
        if skips.count == 0 { return .done }
        round.word = skips.base[skips.count &- 1]
        return .goesOn
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
