import CSIMD

/// The places of a window of the chunk, as `sluice_json_index` lists them, and how far they have been gone through.
struct PlaceCursor {
    /// Bytes of a window: its places fit the first-level cache beside it.
    static let windowBytes = 4096
    /// Places that are looked at together; the last few of a window are left to the next one.
    static let lookAhead = 4

    /// The window.
    let start: UnsafePointer<UInt8>
    let windowEnd: UnsafePointer<UInt8>
    var next: UnsafePointer<UInt16>
    let stop: UnsafePointer<UInt16>
    /// End of the last token that was read byte by byte; it may be beyond the window.
    var reached: UnsafePointer<UInt8>

    /// Whether enough places are left to be gone on with.
    var isRich: Bool {
        @inline(__always) get { stop - next >= Self.lookAhead }
    }

    /// The place after `ahead` others.
    @inline(__always)
    func place(_ ahead: Int) -> UnsafePointer<UInt8> {
        start + Int(next[ahead])
    }

    /// A token has been read byte by byte, up to `p`.
    @inline(__always)
    mutating func skip(to p: UnsafePointer<UInt8>) {
        reached = p
        while next < stop, start + Int(next.pointee) < p { next += 1 }
    }
}

/// The quick way through what is wholly in the chunk: from place to place, not from byte to byte. Whatever is unusual
/// is left to the functions that go byte by byte, and every fault is theirs to find.
extension Machine {
    /// Goes as far as the window's places lead.
    @inline(never)
    mutating func runIndexed(_ p: inout Place, _ end: Place, _ at: inout Position) {
        let window = min(end - p, PlaceCursor.windowBytes) & ~63
        let count = sluice_json_index(p, window, places)
        var cursor = PlaceCursor(
            start: p, windowEnd: p + window, next: UnsafePointer(places), stop: UnsafePointer(places) + count,
            reached: p)
        while cursor.isRich {
            p = cursor.place(0)
            switch at {
            case .afterValue: at = indexedAfterValue(&p, &cursor)
            case .key, .firstKey: at = indexedKey(&p, end, &cursor, at)
            case .value: at = indexedValue(&p, end, &cursor)
            case .firstElement:
                cursor.next += 1
                at = firstElement(&p, end)
                if at == .value { cursor.next -= 1 }
            case .skipping: at = skipIndexed(&p, end, &cursor)
            case .colon:
                at = colon(&p, end)
                cursor.next += 1
            case .token, .end, .halted: return
            }
            if at == .token || at == .halted { return }
        }
        p = cursor.next < cursor.stop ? cursor.place(0) : max(cursor.windowEnd, cursor.reached)
    }

    @inline(__always)
    private mutating func indexedAfterValue(
        _ p: inout Place, _ cursor: inout PlaceCursor
    ) -> Position {
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

    /// A key and its colon.
    @inline(__always)
    private mutating func indexedKey(
        _ p: inout Place, _ end: Place, _ cursor: inout PlaceCursor, _ at: Position
    ) -> Position {
        if p.pointee != UInt8(ascii: "\"") {
            cursor.next += 1
            return at == .firstKey ? firstKey(&p, end) : fail(.keyExpected, at: p)
        }
        let close = cursor.place(1)
        if close.pointee != UInt8(ascii: "\"") || close - p - 1 > limits.stringBytes {
            let next = key(&p, end)
            cursor.skip(to: p)
            return next
        }
        let next = plainKey(p, close + 1)
        if next != .colon { return next }
        let colon = cursor.place(2)
        if colon.pointee != UInt8(ascii: ":") { return fail(.colonExpected, at: colon) }
        cursor.next += 3
        return .value
    }

    @inline(__always)
    private mutating func indexedValue(
        _ p: inout Place, _ end: Place, _ cursor: inout PlaceCursor
    ) -> Position {
        let node = tables.nodes + Int(current)
        if node.pointee.ops.count != 0 { beginValue(node, p) }
        let byte = p.pointee
        if byte == UInt8(ascii: "\"") {
            let close = cursor.place(1)
            if close.pointee == UInt8(ascii: "\""), close - p - 1 <= limits.stringBytes {
                cursor.next += 2
                if node.pointee.stringCheck != .none {
                    checkString(node, p, close + 1 - p, offset: offset(of: p), hasEscapes: false)
                }
                p = close + 1
                return valueEnded(p)
            }
            let next = string(&p, end, node)
            cursor.skip(to: p)
            return next
        }
        cursor.next += 1
        let next: Position
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): next = number(&p, end, node)
        case UInt8(ascii: "{"): return openObject(&p, node)
        case UInt8(ascii: "["): return openArray(&p, node)
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): next = word(&p, end)
        default: return fail(.valueExpected, at: p)
        }
        cursor.reached = p
        return next != .afterValue || p == end || isBoundary(p.pointee) ? next : afterValue(&p, end)
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
