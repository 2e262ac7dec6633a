import CSIMD

/// Carries out the edits that the walk over a window has noted.
extension SliceEmitter {
    /// Carries out all edits, in order.
    /// - Parameter end: the chunk's end, or one before.
    @inline(never)
    mutating func splice(_ cursor: TokenCursor, _ end: BytePointer, _ kernel: sluice_json_kernel) {
        let room = pieces.room(for: Self.spliceRoom)
        var splicer = sluice_json_splicer(
            start: cursor.start, offsets: cursor.walk.offsets, end: end, names: UnsafePointer(tables.names + 1),
            text: BytePointer(tables.text), patterns: UnsafePointer(cursor.walk.patterns), edits: UnsafePointer(edits),
            edit_count: cursor.walk.edit_count, next: 0, object: 0, inner: 0, run: nil, out: room.start,
            out_end: room.end)
        while splicer.next < splicer.edit_count {
            let slice = Int(sluice_json_next_edit(&splicer).slice)
            let room = pieces.room(for: Self.spliceRoom)
            (splicer.out, splicer.out_end) = (room.start, UnsafePointer(room.end))
            splicer.run = slices.base[slice].runStart
            let isAnyDone = kernel.splice(&splicer)
            pieces.took(slice, upTo: splicer.out)
            slices.set(slice, at: splicer.run)
            if !isAnyDone { edit(&splicer) }
        }
    }

    /// The least room for output before bytes are copied: enough for an object of some size.
    private static let spliceRoom = Int(SLUICE_JSON_COPIED) * 8

    /// Carries out the next edit, whatever its size.
    private mutating func edit(_ splicer: inout sluice_json_splicer) {
        let edit = sluice_json_next_edit(&splicer)
        let slice = Int(edit.slice)
        if let from = sluice_json_boundary_at(&splicer, edit.from) { slices.stop(slice, at: from, into: &pieces) }
        let name = splicer.names[Int(edit.renamed)]
        pieces.append(slice, tables.text + Int(name.start), Int(name.count))
        if let to = sluice_json_boundary_at(&splicer, edit.to) { slices.start(slice, at: to) }
        sluice_json_edit_done(&splicer)
    }

    /// After a walk, sets the state of an object that keys are left out of, as if its keys had been emitted one by one:
    /// where the gap before the next key begins, and that slices which have emitted a member run from there.
    /// - Parameters:
    ///   - frame: the innermost frame if the walk has stopped in an object that has had a key, before a key or after a
    ///     value; else nil.
    ///   - isAtKey: whether the walk has stopped before a key.
    ///   - taken: how many tokens the walk has taken.
    @inline(never)
    mutating func findGap(
        _ cursor: TokenCursor, _ frame: UnsafeMutablePointer<Frame>?, isAtKey: Bool, taken: Int
    ) {
        guard let frame, case let leavingOut = tables.objects[Int(frame.pointee.table)].leavingOut, leavingOut != 0
        else {
            gapStart = nil
            return
        }
        // Before a key there is a comma.
        let last = isAtKey ? -2 : -1
        if taken > -1 - last { gapStart = cursor.valueEnd(last) }
        guard let gapStart else { return }
        var stopped = leavingOut & frame.pointee.emitted & ~slices.running
        while stopped != 0 {
            slices.start(stopped.trailingZeroBitCount, at: gapStart)
            stopped &= stopped &- 1
        }
    }
}
