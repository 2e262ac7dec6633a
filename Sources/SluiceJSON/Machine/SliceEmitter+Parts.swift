import CSIMD

/// Emits objects that are composed from parts of the document, and arrays that are collected.
extension SliceEmitter {
    /// An object that some slices compose begins at `p`.
    @inline(never)
    mutating func beginComposed(_ composing: UInt64, _ p: BytePointer) {
        var rest = composing
        while rest != 0 {
            let slice = rest.trailingZeroBitCount
            slices.stop(slice, at: p, into: &pieces)
            emit(1 << UInt64(slice), PlanText.openObject)
            slices.base[slice].hasMembers = false
            if slice == leadSlice {
                emit(slice, copying: lead)
                slices.base[slice].hasMembers = true
                leadSlice = -1
            }
            rest &= rest &- 1
        }
    }

    /// A composed object has ended before `p`.
    @inline(never)
    mutating func endComposed(_ composing: UInt64, _ p: BytePointer) {
        var rest = composing
        while rest != 0 {
            let slice = rest.trailingZeroBitCount
            emit(1 << UInt64(slice), PlanText.closeObject)
            // A composed object around it has a member now.
            slices.base[slice].hasMembers = true
            slices.start(slice, at: p)
            rest &= rest &- 1
        }
    }

    /// The value of a part comes next, in the innermost object that the slice composes.
    mutating func beginPart(_ slice: Int, _ part: Int32, _ frames: FrameStack) {
        frames.markPart(part, of: slice, tables)
        beginMember(slice)
        emit(1 << UInt64(slice), tables.parts[Int(part)].text)
    }

    /// A part is missing: emits its default.
    mutating func insertPart(_ ending: ObjectEnding) {
        beginMember(Int(ending.slice))
        emit(1 << UInt64(ending.slice), ending.text)
    }

    private mutating func beginMember(_ slice: Int) {
        if slices.base[slice].hasMembers { emit(1 << UInt64(slice), PlanText.comma) }
        slices.base[slice].hasMembers = true
    }

    /// An element of a collected array comes next.
    mutating func beginElement(_ slice: Int) {
        if slices.base[slice].hasElements { emit(1 << UInt64(slice), PlanText.comma) }
        slices.base[slice].hasElements = true
    }

    @inline(never)
    mutating func beginCollections(_ collectors: TableRange, _ frames: FrameStack) {
        for number in collectors.indices {
            let collector = tables.collectors[number]
            let slice = Int(collector.slice)
            if collector.part >= 0 {
                beginPart(slice, collector.part, frames)
            } else {
                slices.base[slice].state = .open
            }
            slices.base[slice].hasElements = false
            emit(1 << UInt64(slice), PlanText.open)
        }
    }

    @inline(never)
    mutating func endCollections(_ collectors: TableRange) {
        for number in collectors.indices {
            let collector = tables.collectors[number]
            let slice = Int(collector.slice)
            if collector.part < 0 { slices.base[slice].state = .complete }
            // A collected array around it has an element now.
            slices.base[slice].hasElements = true
            emit(1 << UInt64(slice), PlanText.close)
        }
    }

    /// Emits the value that was extracted from a chosen element.
    /// - Parameter json: the value; if the candidate is collected, elements with commas between them.
    mutating func emit(_ json: ArraySlice<UInt8>, for candidate: CandidateTable, _ frames: FrameStack) {
        let slice = Int(candidate.slice)
        if candidate.isCollected {
            if json.isEmpty { return }
            beginElement(slice)
        } else if candidate.part >= 0 {
            beginPart(slice, candidate.part, frames)
        }
        emit(slice, copying: Array(json))
        if !candidate.isCollected, candidate.part < 0 { slices.base[slice].state = .complete }
    }
}

extension FrameStack {
    /// Marks a part of the innermost object that the slice composes: it is there, or has a fault of its own, and is not
    /// missing.
    func markPart(_ part: Int32, of slice: Int, _ tables: PlanTables) {
        let bit: UInt64 = 1 << UInt64(slice)
        var depth = count - 1
        while depth > 0, !isComposing(base + depth, bit, tables) { depth -= 1 }
        let frame = base + depth
        markSeen(tables.parts[Int(part)].bit, frame, tables.objects[Int(frame.pointee.table)].seenWords)
    }

    private func isComposing(_ frame: UnsafeMutablePointer<Frame>, _ bit: UInt64, _ tables: PlanTables) -> Bool {
        frame.pointee.isObject && tables.objects[Int(frame.pointee.table)].composing & bit != 0
    }
}
