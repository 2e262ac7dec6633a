import CSIMD

/// The quick way through what is wholly in the chunk: from place to place, not from byte to byte. What is plain is
/// gone through by the kernel's walk; what is not is left to one round, and what is unusual to the functions that go
/// byte by byte.
extension Machine {
    /// Goes as far as the window's places lead.
    @inline(never)
    mutating func runIndexed(_ p: inout Place, _ end: inout Place, _ at: inout Position) {
        guard let index = kernel.index else { preconditionFailure("a kernel without an index") }
        let isTail = end - p < PlaceCursor.tailBytes
        let window = isTail ? end - p : min(end - p - PlaceCursor.spareBytes, PlaceCursor.windowBytes) & ~63
        let bytes = isTail ? copyTail(p, end) : p
        let blockBytes = (window + 63) & ~63
        let count = index(bytes, blockBytes, places, kinds, wide)
        let windowEnd = p + window
        if provenEnd < windowEnd {
            // A token begins here, and so does a sequence.
            utf8 = UTF8Check()
            provenEnd = p + min(Int(kernel.utf8_blocks(bytes, blockBytes, wide)), window)
            guard prove(only: windowEnd, &end) else { return }
        }
        var cursor = PlaceCursor(
            walk: makeWalk(over: bytes, count, offset(of: p), goesOn: windowEnd < end), start: p,
            windowEnd: windowEnd, reached: p)
        position = at
        while cursor.isRich {
            if !isCrowded {
                walk(&cursor, end)
                guard cursor.isRich, position.isIndexed else { break }
            }
            // A round reads on behind keys and values: of a tail, what is readable there is only in the copy.
            let mayRound = position != .skipping && !(isTail && (position == .key || position == .value))
            if mayRound, let next = round(&cursor) {
                position = next
            } else {
                // What goes byte by byte may go to the chunk's end; the window has been proven.
                guard cursor.endsInside || prove(to: &end) else { break }
                position = position == .skipping ? skipUnusual(&cursor, end) : unusual(&cursor, end)
            }
            if !position.isIndexed { break }
        }
        at = position
        p = at == .token ? end : cursor.rest
    }

    /// Whether nothing is plain where the next token is: several slices have to do with the object's keys, or the gap
    /// before the next key began in an earlier chunk.
    private var isCrowded: Bool {
        @inline(__always) get {
            if hold.count > 0 { return true }
            guard position != .skipping, frames.count > 0, frames.top.pointee.isObject else { return false }
            let table = tables.objects + Int(frames.top.pointee.table)
            return table.pointee.leavingOut != 0 && !table.pointee.isPlain
        }
    }

    /// The last bytes of a chunk with readable ones behind them: whitespace.
    private mutating func copyTail(_ start: Place, _ end: Place) -> Place {
        tail.update(from: start, count: end - start)
        (tail + (end - start)).update(repeating: UInt8(ascii: " "), count: PlaceCursor.copyBytes - (end - start))
        return Place(tail)
    }

    private mutating func makeWalk(
        over start: Place, _ count: Int, _ offset: Int, goesOn: Bool
    ) -> sluice_json_walk {
        sluice_json_walk(
            nodes: UnsafePointer(tables.quickNodes), objects: UnsafePointer(tables.quickObjects),
            arrays: UnsafePointer(tables.quickArrays), texts: UnsafePointer(tables.texts), depth_most: limits.depth,
            keys_most: limits.keys, slots: slots.base, firsts: slots.firsts, index: UnsafePointer(slots.index),
            patterns: slots.patterns, frames: frames.base, skips: skips.base, frame_count: 0, frame_capacity: 0,
            skip_count: 0, skip_capacity: 0, at: 0, skip_at: 0, edits: edits, edit_count: 0, running: 0, start: start,
            places: UnsafePointer(places), kinds: UnsafePointer(kinds), count: count, next: 0, goes_on: goesOn,
            is_cut: false, offset: offset)
    }

    /// Goes on over what is plain.
    @inline(__always)
    private mutating func walk(_ cursor: inout PlaceCursor, _ end: Place) {
        let before = cursor.next
        cursor.walk.frames = frames.base
        cursor.walk.frame_count = frames.count
        cursor.walk.frame_capacity = frames.capacity
        cursor.walk.skips = skips.base
        cursor.walk.skip_count = skips.count
        cursor.walk.skip_capacity = skips.capacity
        cursor.walk.at = Int32(position.rawValue)
        cursor.walk.skip_at = Int32(skipPosition.rawValue)
        cursor.walk.edit_count = 0
        cursor.walk.running = slices.running
        kernel.go(&cursor.walk)
        frames.count = cursor.walk.frame_count
        skips.count = cursor.walk.skip_count
        position = Position(walked: cursor.walk.at)
        skipPosition = Position(walked: cursor.walk.skip_at)
        if cursor.walk.edit_count > 0 { splice(cursor, end) }
        if leavesOut { findGap(cursor, since: before) }
        if position == .skipping, skips.count == 0 { position = valueEnded(cursor.place(-1) + 1) }
    }

    /// One token of the part that nobody looks at, byte by byte.
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

extension Machine.Position {
    /// Whether the next token begins here, outside of any other.
    var isIndexed: Bool {
        switch self {
        case .value, .firstElement, .firstKey, .key, .colon, .afterValue, .skipping: true
        case .token, .end, .halted: false
        }
    }

    /// What `sluice_json_position` calls by this number.
    fileprivate init(walked number: Int32) {
        switch number {
        case Int32(SLUICE_JSON_AT_VALUE.rawValue): self = .value
        case Int32(SLUICE_JSON_AT_FIRST_ELEMENT.rawValue): self = .firstElement
        case Int32(SLUICE_JSON_AT_FIRST_KEY.rawValue): self = .firstKey
        case Int32(SLUICE_JSON_AT_KEY.rawValue): self = .key
        case Int32(SLUICE_JSON_AT_COLON.rawValue): self = .colon
        case Int32(SLUICE_JSON_AT_AFTER_VALUE.rawValue): self = .afterValue
        default: self = .skipping
        }
    }
}
