import CSIMD

/// The quick way through what is wholly in the chunk: from place to place, not from byte to byte. Whatever is unusual
/// is left to the functions that go byte by byte.
extension Machine {
    /// Goes as far as the window's places lead.
    @inline(never)
    mutating func runIndexed(_ p: inout Place, _ end: Place, _ at: inout Position) {
        let window = min(end - p - PlaceCursor.spareBytes, PlaceCursor.windowBytes) & ~63
        let count = sluice_json_index(p, window, places)
        var cursor = PlaceCursor(
            start: p, windowEnd: p + window, next: UnsafePointer(places), stop: UnsafePointer(places) + count,
            reached: p)
        position = at
        while cursor.isRich {
            if position != .skipping { rounds(&cursor, end) }
            if position != .skipping { break }
            if cursor.isRich { position = skipIndexed(&cursor, end) }
        }
        at = position
        p = at == .token ? end : cursor.rest
    }

    /// Rounds of key, value and comma, until the window is used up or something else takes over.
    @inline(never)
    private mutating func rounds(_ cursor: inout PlaceCursor, _ end: Place) {
        // The cursor is brought up to date only around calls that move it.
        let start = cursor.start
        let stop = cursor.stop
        let stringMost = limits.stringBytes
        var next = cursor.next
        var at = position
        while stop - next >= PlaceCursor.lookAhead {
            quick: do {
                if at == .key {
                    cursor.next = next
                    at = members(&cursor)
                    next = cursor.next
                    guard stop - next >= PlaceCursor.lookAhead else { continue }
                }
                if at == .key {
                    let opening = start + Int(next[0])
                    let close = start + Int(next[1])
                    guard opening.pointee == UInt8(ascii: "\""), close.pointee == UInt8(ascii: "\""),
                        start[Int(next[2])] == UInt8(ascii: ":"), close - opening &- 1 <= stringMost
                    else { break quick }
                    at = plainKey(opening, close + 1)
                    guard at == .colon else { break quick }
                    next += 3
                    at = .value
                }
                if at == .value {
                    at = quickValue(start, &next, end, stringMost)
                }
                guard at == .afterValue else {
                    guard at == .firstKey || at == .firstElement else { break quick }
                    at = quickFirst(start, &next, at)
                    continue
                }
                let byte = start[Int(next[0])]
                let frame = frames.top
                if byte == UInt8(ascii: ",") {
                    next += 1
                    if frame.pointee.isObject {
                        at = .key
                    } else {
                        frame.pointee.count &+= 1
                        enterElement(frame)
                        at = .value
                    }
                    continue
                }
                guard byte == (frame.pointee.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { break quick }
                var p = start + Int(next[0])
                next += 1
                at = frame.pointee.isObject ? closeObject(&p) : closeArray(&p)
                continue
            }
            cursor.next = next
            at = unusual(&cursor, end, at)
            next = cursor.next
            switch at {
            case .skipping, .end, .halted, .token:
                position = at
                return
            default: break
            }
        }
        cursor.next = next
        position = at
    }
}

// MARK: Parts of a round

extension Machine {
    /// A value at the next place.
    /// - Returns: what comes next; `value` where it is unusual, and nothing has been done.
    @inline(__always)
    private mutating func quickValue(
        _ start: Place, _ next: inout UnsafePointer<UInt16>, _ end: Place, _ stringMost: Int
    ) -> Position {
        let node = tables.nodes + Int(frames.top.pointee.child)
        var p = start + Int(next[0])
        switch p.pointee {
        case UInt8(ascii: "\""):
            let close = start + Int(next[1])
            guard close.pointee == UInt8(ascii: "\""), close - p &- 1 <= stringMost else { return .value }
            next += 2
            if node.pointee.ops.count != 0 { beginValue(node, p) }
            if node.pointee.stringCheck != .none {
                checkString(node, p, close + 1 - p, offset: offset(of: p), hasEscapes: false)
            }
            return node.pointee.ops.count == 0 ? .afterValue : valueEnded(close + 1)
        case UInt8(ascii: "{"):
            next += 1
            if node.pointee.ops.count != 0 { beginValue(node, p) }
            return openObject(&p, node)
        case UInt8(ascii: "["):
            next += 1
            if node.pointee.ops.count != 0 { beginValue(node, p) }
            return openArray(&p, node)
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
            let length = Scalars.wordLength(p, end)
            let kind = p.pointee == UInt8(ascii: "n") ? KindSet.null : .bool
            guard length > 0, p + length < end, Scalars.mayEnd(before: p[length]),
                !node.pointee.refused.contains(kind)
            else { return .value }
            next += 1
            if node.pointee.ops.count != 0 { beginValue(node, p) }
            return node.pointee.ops.count == 0 ? .afterValue : valueEnded(p + length)
        default:
            var isInteger = false
            guard let after = sluice_json_number(p, &isInteger), after - p <= stringMost else { return .value }
            next += 1
            if node.pointee.ops.count != 0 { beginValue(node, p) }
            if node.pointee.numberCheck != .none {
                let isProven = node.pointee.numberCheck == .integer && isInteger && after - p <= 18
                if !isProven { checkNumber(node, p, after - p, offset: offset(of: p)) }
            }
            return node.pointee.ops.count == 0 ? .afterValue : valueEnded(after)
        }
    }

    /// After the start of a container: its end, or its first member.
    @inline(__always)
    private mutating func quickFirst(
        _ start: Place, _ next: inout UnsafePointer<UInt16>, _ at: Position
    ) -> Position {
        var p = start + Int(next[0])
        if at == .firstKey {
            if p.pointee != UInt8(ascii: "}") { return .key }
            next += 1
            return closeObject(&p)
        }
        if p.pointee != UInt8(ascii: "]") {
            enterElement(frames.top)
            return .value
        }
        next += 1
        frames.top.pointee.count = -1
        return closeArray(&p)
    }

    /// One token byte by byte.
    @inline(never)
    private mutating func unusual(_ cursor: inout PlaceCursor, _ end: Place, _ at: Position) -> Position {
        var p = cursor.place(0)
        switch at {
        case .key:
            let next = key(&p, end)
            cursor.skip(to: p)
            return next
        case .colon:
            if p.pointee != UInt8(ascii: ":") { return fail(.colonExpected, at: p) }
            cursor.next += 1
            return .value
        case .value:
            let isString = p.pointee == UInt8(ascii: "\"")
            let next = value(&p, end)
            cursor.skip(to: p)
            if isString || next != .afterValue || p == end || Scalars.mayEnd(before: p.pointee) { return next }
            return fail(frames.top.pointee.isObject ? .objectGoesOn : .arrayGoesOn, at: p)
        case .afterValue: return fail(frames.top.pointee.isObject ? .objectGoesOn : .arrayGoesOn, at: p)
        case .firstKey, .firstElement, .skipping, .token, .end, .halted: return at
        }
    }
}
