import CSIMD

/// The quick way through what is wholly in the chunk: from place to place, not from byte to byte. Whatever is unusual
/// is left to the functions that go byte by byte.
extension Machine {
    /// Goes as far as the window's places lead.
    @inline(never)
    mutating func runIndexed(_ p: inout Place, _ end: Place, _ at: inout Position) {
        let window = min(end - p, PlaceCursor.windowBytes) & ~63
        let count = sluice_json_index(p, window, places)
        var cursor = PlaceCursor(
            start: p, windowEnd: p + window, next: UnsafePointer(places), stop: UnsafePointer(places) + count,
            reached: p)
        var state = at
        while cursor.isRich {
            switch state {
            case .key:
                state = indexedKey(&cursor, end)
                if state != .value { continue }
                fallthrough
            case .value: state = indexedValue(&cursor, end)
            case .afterValue: state = indexedAfterValue(&cursor)
            case .firstKey: state = indexedFirstKey(&cursor)
            case .firstElement: state = indexedFirstElement(&cursor)
            case .colon: state = indexedColon(&cursor)
            case .skipping: state = skipIndexed(&cursor, end)
            case .token:
                at = state
                p = end
                return
            case .end, .halted:
                at = state
                p = cursor.place(0)
                return
            }
        }
        at = state
        p = state == .token ? end : cursor.rest
    }

    @inline(__always)
    private mutating func indexedAfterValue(_ cursor: inout PlaceCursor) -> Position {
        var p = cursor.place(0)
        let frame = frames.top
        let byte = p.pointee
        cursor.next += 1
        if byte == UInt8(ascii: ",") {
            if frame.pointee.isObject { return .key }
            frame.pointee.count &+= 1
            enterElement(frame)
            return .value
        }
        if frame.pointee.isObject {
            return byte == UInt8(ascii: "}") ? closeObject(&p) : fail(.objectGoesOn, at: p)
        }
        return byte == UInt8(ascii: "]") ? closeArray(&p) : fail(.arrayGoesOn, at: p)
    }

    @inline(__always)
    private mutating func indexedFirstKey(_ cursor: inout PlaceCursor) -> Position {
        var p = cursor.place(0)
        if p.pointee != UInt8(ascii: "}") { return .key }
        cursor.next += 1
        return closeObject(&p)
    }

    @inline(__always)
    private mutating func indexedFirstElement(_ cursor: inout PlaceCursor) -> Position {
        var p = cursor.place(0)
        if p.pointee != UInt8(ascii: "]") {
            enterElement(frames.top)
            return .value
        }
        cursor.next += 1
        frames.top.pointee.count = -1
        return closeArray(&p)
    }

    @inline(__always)
    private mutating func indexedColon(_ cursor: inout PlaceCursor) -> Position {
        let p = cursor.place(0)
        if p.pointee != UInt8(ascii: ":") { return fail(.colonExpected, at: p) }
        cursor.next += 1
        return .value
    }

    /// A key and its colon.
    @inline(__always)
    private mutating func indexedKey(_ cursor: inout PlaceCursor, _ end: Place) -> Position {
        let p = cursor.place(0)
        let close = cursor.place(1)
        let isPlain =
            p.pointee == UInt8(ascii: "\"") && close.pointee == UInt8(ascii: "\"")
            && close - p - 1 <= limits.stringBytes
        guard isPlain else { return oddKey(&cursor, end) }
        let next = plainKey(p, close + 1)
        if next != .colon { return next }
        let colon = cursor.place(2)
        if colon.pointee != UInt8(ascii: ":") { return fail(.colonExpected, at: colon) }
        cursor.next += 3
        return .value
    }

    @inline(never)
    private mutating func oddKey(_ cursor: inout PlaceCursor, _ end: Place) -> Position {
        var p = cursor.place(0)
        let next = key(&p, end)
        cursor.skip(to: p)
        return next
    }

    @inline(__always)
    private mutating func indexedValue(_ cursor: inout PlaceCursor, _ end: Place) -> Position {
        let node = tables.nodes + Int(current)
        var p = cursor.place(0)
        if node.pointee.ops.count != 0 { beginValue(node, p) }
        switch p.pointee {
        case UInt8(ascii: "\""):
            let close = cursor.place(1)
            guard close.pointee == UInt8(ascii: "\""), close - p - 1 <= limits.stringBytes else {
                return oddString(&cursor, end)
            }
            cursor.next += 2
            if node.pointee.stringCheck != .none {
                checkString(node, p, close + 1 - p, offset: offset(of: p), hasEscapes: false)
            }
            return valueEnded(close + 1)
        case UInt8(ascii: "{"):
            cursor.next += 1
            return openObject(&p, node)
        case UInt8(ascii: "["):
            cursor.next += 1
            return openArray(&p, node)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            let next = number(&p, end, node)
            return scalarEnded(&cursor, p, end, next)
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
            let next = word(&p, end)
            return scalarEnded(&cursor, p, end, next)
        default: return fail(.valueExpected, at: p)
        }
    }

    @inline(never)
    private mutating func oddString(_ cursor: inout PlaceCursor, _ end: Place) -> Position {
        var p = cursor.place(0)
        let next = string(&p, end, tables.nodes + Int(current))
        cursor.skip(to: p)
        return next
    }

    /// A number or a word has ended before `p`: what follows is not in the list unless it may.
    @inline(__always)
    private mutating func scalarEnded(
        _ cursor: inout PlaceCursor, _ p: Place, _ end: Place, _ next: Position
    ) -> Position {
        cursor.next += 1
        cursor.reached = p
        if next != .afterValue || p == end || isBoundary(p.pointee) { return next }
        return fail(frames.top.pointee.isObject ? .objectGoesOn : .arrayGoesOn, at: p)
    }

    /// Whether a scalar may end before this byte.
    @inline(__always)
    func isBoundary(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), 0x20, 0x0A, 0x0D, 0x09: true
        default: false
        }
    }
}
