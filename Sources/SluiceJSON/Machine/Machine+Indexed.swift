import CSIMD

/// The quick way through what is wholly in the chunk: from place to place, not from byte to byte. Whatever is unusual
/// is left to the functions that go byte by byte.
extension Machine {
    /// Goes as far as the window's places lead.
    @inline(never)
    mutating func runIndexed(_ p: inout Place, _ end: Place, _ at: inout Position) {
        let window = min(end - p - PlaceCursor.spareBytes, PlaceCursor.windowBytes) & ~63
        let count = sluice_json_index(p, window, places, kinds)
        var cursor = PlaceCursor(
            start: p, windowEnd: p + window, places: places, kinds: kinds, count: count, reached: p)
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
        var at = position
        while cursor.isRich {
            quick: do {
                if at == .key {
                    at = members(&cursor)
                    guard cursor.isRich else { break quick }
                }
                if at == .key {
                    let kinds = PlaceCursor.kinds(cursor.kinds, cursor.next)
                    guard kinds & KindRun.threeBytes == KindRun.key else { break quick }
                    at = plainKey(cursor.place(0), cursor.place(1) + 1)
                    guard at == .colon else { break quick }
                    cursor.next &+= 3
                    at = .value
                }
                if at == .value { at = quickValue(&cursor) }
                guard at == .afterValue else {
                    guard at == .firstKey || at == .firstElement else { break quick }
                    at = quickFirst(&cursor, at)
                    continue
                }
                let byte = cursor.kinds[cursor.next]
                let frame = frames.top
                if byte == UInt8(ascii: ",") {
                    cursor.next &+= 1
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
                var p = cursor.place(0)
                cursor.next &+= 1
                at = frame.pointee.isObject ? closeObject(&p) : closeArray(&p)
                continue
            }
            if !cursor.isRich { break }
            at = unusual(&cursor, end, at)
            switch at {
            case .skipping, .end, .halted, .token:
                position = at
                return
            default: break
            }
        }
        position = at
    }
}

// MARK: Parts of a round

extension Machine {
    /// A value at the next place.
    /// - Returns: what comes next; `value` where it is unusual, and nothing has been done.
    @inline(__always)
    private mutating func quickValue(_ cursor: inout PlaceCursor) -> Position {
        let node = tables.nodes + Int(frames.top.pointee.child)
        let kinds = PlaceCursor.kinds(cursor.kinds, cursor.next)
        var p = cursor.place(0)
        switch UInt8(truncatingIfNeeded: kinds) {
        case UInt8(ascii: "\""):
            guard kinds & KindRun.twoBytes == KindRun.string else { return .value }
            let close = cursor.place(1)
            cursor.next &+= 2
            if node.pointee.ops.count != 0 { beginValue(node, p) }
            if node.pointee.stringCheck != .none {
                checkString(node, p, close + 1 - p, offset: offset(of: p), hasEscapes: false)
            }
            return node.pointee.ops.count == 0 ? .afterValue : valueEnded(close + 1)
        case UInt8(ascii: "{"):
            cursor.next &+= 1
            if node.pointee.ops.count != 0 { beginValue(node, p) }
            return openObject(&p, node)
        case UInt8(ascii: "["):
            cursor.next &+= 1
            if node.pointee.ops.count != 0 { beginValue(node, p) }
            return openArray(&p, node)
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
            let length = Int(sluice_json_word(p))
            let kind = p.pointee == UInt8(ascii: "n") ? KindSet.null : .bool
            guard length > 0, sluice_json_may_end(p[length]), !node.pointee.refused.contains(kind) else {
                return .value
            }
            cursor.next &+= 1
            if node.pointee.ops.count != 0 { beginValue(node, p) }
            return node.pointee.ops.count == 0 ? .afterValue : valueEnded(p + length)
        default:
            var isInteger = false
            guard let after = sluice_json_number(p, p.pointee, &isInteger) else { return .value }
            cursor.next &+= 1
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
    private mutating func quickFirst(_ cursor: inout PlaceCursor, _ at: Position) -> Position {
        let byte = cursor.kinds[cursor.next]
        var p = cursor.place(0)
        if at == .firstKey {
            if byte != UInt8(ascii: "}") { return .key }
            cursor.next &+= 1
            return closeObject(&p)
        }
        if byte != UInt8(ascii: "]") {
            enterElement(frames.top)
            return .value
        }
        cursor.next &+= 1
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
