import CSIMD

/// The fast path through tokens that are wholly in the chunk, by the structural index of one window after the other.
/// The kernel's walk takes plain tokens; the byte-by-byte functions take unusual ones, one at a time.
extension Machine {
    /// Indexes a window and runs over its tokens.
    @inline(never)
    mutating func runIndexed(_ p: inout BytePointer, _ end: inout BytePointer, _ at: inout Position) {
        guard let index = kernel.index else { preconditionFailure("a kernel without an index") }
        let window = self.index.fill(p, end, index)
        guard
            proof.prove(
                window: window.bytes, bytes: window.readable, window.blockBytes, self.index.nonASCII, &end)
        else { return }
        var cursor = TokenCursor(makeWalk(window, goesOn: window.bytes.upperBound < end), window.bytes)
        position = at
        while cursor.isRich {
            if !isEditedBySeveral {
                walk(&cursor, end)
                guard cursor.isRich, position.isBetweenTokens else { break }
            }
            // The byte-by-byte functions may read up to the chunk's end, but only the window has been proven.
            guard cursor.endsInside || proof.prove(to: &end) else { break }
            position = token(&cursor, end)
            if !position.isBetweenTokens { break }
        }
        at = position
        p = at == .token ? end : cursor.rest
    }

    /// Whether the walk cannot handle the next token: several slices edit the object, or the gap before the next key
    /// began in an earlier chunk.
    private var isEditedBySeveral: Bool {
        @inline(__always) get {
            if emitter.hasHeldGap { return true }
            guard position != .skipping, frames.count > 0, frames.top.pointee.isObject else { return false }
            let table = tables.objects + Int(frames.top.pointee.table)
            return table.pointee.leavingOut != 0 && !table.pointee.isPlain
        }
    }

    private mutating func makeWalk(_ window: WindowIndex.Window, goesOn: Bool) -> sluice_json_walk {
        sluice_json_walk(
            nodes: UnsafePointer(tables.walkNodes), objects: UnsafePointer(tables.walkObjects),
            arrays: UnsafePointer(tables.walkArrays), texts: UnsafePointer(tables.texts), depth_most: limits.depth,
            keys_most: limits.keys, slots: keyCache.base, first_slots: keyCache.firstSlots,
            index: UnsafePointer(keyCache.index), patterns: keyCache.patterns,
            choices: UnsafePointer(tables.walkChoices), ways: UnsafePointer(tables.walkWays), frames: frames.base,
            skips: skipped.stack.base, frame_count: 0, frame_capacity: 0, skip_count: 0, skip_capacity: 0, at: 0,
            skip_at: 0, edits: emitter.edits, edit_count: 0, running: 0, start: window.readable,
            offsets: UnsafePointer(index.offsets), kinds: UnsafePointer(index.kinds), count: window.tokenCount,
            next: 0, goes_on: goesOn, is_cut: false, offset: offset(of: window.bytes.lowerBound))
    }

    /// Runs the kernel's walk over plain tokens.
    @inline(__always)
    private mutating func walk(_ cursor: inout TokenCursor, _ end: BytePointer) {
        let before = cursor.next
        cursor.walk.frames = frames.base
        cursor.walk.frame_count = frames.count
        cursor.walk.frame_capacity = frames.capacity
        cursor.walk.skips = skipped.stack.base
        cursor.walk.skip_count = skipped.stack.count
        cursor.walk.skip_capacity = skipped.stack.capacity
        cursor.walk.at = Int32(position.rawValue)
        cursor.walk.skip_at = Int32(skipped.position.rawValue)
        cursor.walk.edit_count = 0
        cursor.walk.running = emitter.slices.running
        kernel.walk_tokens(&cursor.walk)
        frames.count = cursor.walk.frame_count
        skipped.stack.count = cursor.walk.skip_count
        position = Position(walked: cursor.walk.at)
        skipped.position = Position(walked: cursor.walk.skip_at)
        if cursor.walk.edit_count > 0 { emitter.splice(cursor, end, kernel) }
        if leavesOut {
            let mayHaveGap =
                frames.count > 0 && frames.top.pointee.isObject && frames.top.pointee.count > 0
                && (position == .key || position == .afterValue)
            emitter.findGap(
                cursor, mayHaveGap ? frames.top : nil, isAtKey: position == .key, taken: cursor.next - before)
        }
        if position == .skipping, skipped.stack.count == 0 { position = valueEnded(cursor.token(-1) + 1) }
    }

    /// Reads one token byte by byte.
    @inline(never)
    private mutating func token(_ cursor: inout TokenCursor, _ end: BytePointer) -> Position {
        var p = cursor.token(0)
        let isScalar = Self.beginsScalar(p.pointee)
        let next: Position
        switch position {
        case .value: next = value(&p, end)
        case .afterValue: next = afterValue(&p, end)
        case .key: next = key(&p, end)
        case .colon: next = colon(&p, end)
        case .firstKey: next = firstKey(&p, end)
        case .firstElement: next = firstElement(&p, end)
        case .skipping: next = skipToken(&p, end)
        case .token, .end, .held, .halted: return position
        }
        // The index lists only the first byte of a scalar: its end has to be checked here.
        if isScalar, next.isBetweenTokens, p > cursor.token(0), p < end, !sluice_json_may_end(p.pointee) {
            return fail(goesOnFault, at: p)
        }
        cursor.skip(to: p)
        if next == .colon, cursor.takeColon() { return .value }
        return next
    }

    private static func beginsScalar(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"),
            UInt8(ascii: ":"), UInt8(ascii: ","):
            false
        default: true
        }
    }
}
