import CSIMD

/// What the walk over plain places has noted for slices to do.
extension Machine {
    /// Does all of it, in order.
    /// - Parameter end: the chunk's end, or one before.
    @inline(never)
    mutating func splice(_ cursor: PlaceCursor, _ end: Place) {
        let count = Int(cursor.walk.edit_count)
        var next = 0
        while next < count {
            let slice = Int(edits[next].slice)
            let room = pieces.room(for: Int(SLUICE_JSON_SHORT) * 4)
            var splicer = sluice_json_splicer(
                start: cursor.start, places: UnsafePointer(places), end: end, names: UnsafePointer(tables.names),
                text: UnsafePointer(tables.text), run: slices.base[slice].runStart, out: room.start, out_end: room.end)
            let done = sluice_json_splice(&splicer, edits + next, count - next)
            pieces.took(slice, upTo: splicer.out)
            slices.set(slice, at: splicer.run)
            if done == 0 { edit(edits[next], splicer) }
            next += max(done, 1)
        }
    }

    /// One edit, whatever its size.
    private mutating func edit(_ edit: sluice_json_edit, _ splicer: sluice_json_splicer) {
        var splicer = splicer
        let slice = Int(edit.slice)
        if edit.from != SLUICE_JSON_OPEN.rawValue {
            slices.stop(slice, at: sluice_json_marked(&splicer, edit.from), into: &pieces)
        }
        if edit.renamed >= 0 {
            let name = tables.names[Int(edit.renamed)]
            pieces.append(slice, tables.text + Int(name.start), Int(name.count))
        }
        if edit.to != SLUICE_JSON_OPEN.rawValue { slices.start(slice, at: sluice_json_marked(&splicer, edit.to)) }
    }

    /// Makes an object that keys are left out of look to others as if they had come here themselves: the gap before the
    /// next key is known, and a slice that has shown a member of it passes there.
    @inline(never)
    mutating func findGap(_ cursor: PlaceCursor, since before: Int) {
        let frame = frames.top
        let taken = cursor.next - before
        guard frames.count > 0, frame.pointee.isObject, frame.pointee.count > 0,
            position == .key || position == .afterValue
        else {
            gapStart = nil
            return
        }
        let leavingOut = tables.objects[Int(frame.pointee.table)].leavingOut
        guard leavingOut != 0 else {
            gapStart = nil
            return
        }
        // Before a key there is a comma.
        let last = position == .key ? -2 : -1
        if taken > -1 - last { gapStart = valueEnd(cursor, last) }
        guard let gapStart else { return }
        var stopped = leavingOut & frame.pointee.shown & ~slices.running
        while stopped != 0 {
            slices.start(stopped.trailingZeroBitCount, at: gapStart)
            stopped &= stopped &- 1
        }
    }

    /// End of the value of which this place is the last one.
    private func valueEnd(_ cursor: PlaceCursor, _ ahead: Int) -> Place {
        var end = cursor.place(ahead)
        switch cursor.walk.kinds[cursor.next + ahead] {
        case UInt8(ascii: "\""), UInt8(ascii: "}"), UInt8(ascii: "]"): return end + 1
        default:
            while !Scalars.mayEnd(before: end.pointee) { end += 1 }
            return end
        }
    }
}
