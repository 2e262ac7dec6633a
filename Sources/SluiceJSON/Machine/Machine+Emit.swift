import CSIMD

extension Machine {
    /// Text of the plan goes out.
    mutating func literal(_ range: TextRange) -> (UnsafePointer<UInt8>, Int) {
        (UnsafePointer(tables.text + Int(range.start)), Int(range.count))
    }

    mutating func emit(_ slices: UInt64, _ bytes: Place, _ count: Int) {
        var rest = slices
        while rest != 0 {
            pieces.append(rest.trailingZeroBitCount, bytes, count)
            rest &= rest &- 1
        }
    }

    mutating func emit(_ slices: UInt64, _ range: TextRange) {
        let (bytes, count) = literal(range)
        emit(slices, bytes, count)
    }

    /// A value that slices have to do with begins at `p`.
    @inline(never)
    mutating func beginValue(_ node: UnsafeMutablePointer<Node>, _ p: Place) {
        for number in node.pointee.ops.indices {
            let op = tables.valueOps[number]
            let slice = Int(op.slice)
            switch op.kind {
            case .capture:
                slices.base[slice].state = .open
                slices.start(slice, at: p)
            case .collectUnlessNull where p.pointee == UInt8(ascii: "n"): break
            case .collect, .collectUnlessNull:
                if slices.base[slice].hasElements { emit(1 << UInt64(slice), PlanText.comma) }
                slices.base[slice].hasElements = true
                slices.start(slice, at: p)
            case .keep, .leaveOut: break
            }
        }
    }

    /// A value that slices have to do with has ended at `p`.
    @inline(never)
    mutating func endValue(_ node: UnsafeMutablePointer<Node>, _ p: Place) {
        for number in node.pointee.ops.indices {
            let op = tables.valueOps[number]
            let slice = Int(op.slice)
            switch op.kind {
            case .capture:
                slices.stop(slice, at: p, into: &pieces)
                slices.base[slice].state = .complete
            case .collect, .collectUnlessNull: slices.stop(slice, at: p, into: &pieces)
            case .keep: gapStart = p
            case .leaveOut:
                gapStart = p
                if frames.top.pointee.shown & 1 << UInt64(slice) != 0 { slices.start(slice, at: p) }
            }
        }
    }

    mutating func beginCollection(_ collected: UInt64) {
        for slice in 0..<slices.count where collected & 1 << UInt64(slice) != 0 {
            slices.base[slice].state = .open
        }
        emit(collected, PlanText.open)
    }

    mutating func endCollection(_ collected: UInt64) {
        for slice in 0..<slices.count where collected & 1 << UInt64(slice) != 0 {
            slices.base[slice].state = .complete
        }
        emit(collected, PlanText.close)
    }

    /// The path of these slices leads nowhere; under a `*` that is no matter, where the path says so.
    mutating func markAbsent(_ absent: UInt64) {
        for slice in 0..<slices.count
        where absent & 1 << UInt64(slice) != 0 && slices.base[slice].state == .pending {
            slices.base[slice].state = .absent
        }
    }
}

// MARK: Keys

extension Machine {
    /// Does what slices want done with a key that stands from `start` to `end`, or in the carry and ends at `end`.
    ///
    /// A slice that leaves a member out leaves out one comma with it: the one before, or, while nothing of the object
    /// has been shown, the one after. Which it is becomes known at the next key; hence the gap.
    @inline(never)
    mutating func emitKey(
        _ member: UnsafeMutablePointer<Member>, from start: Place, to end: Place, isCarried: Bool
    ) {
        if isCarried { slices.resume(at: end) }
        let frame = frames.top
        let leavingOut = tables.objects[Int(frame.pointee.table)].leavingOut
        var renamed: UInt64 = 0
        for number in member.pointee.actions.indices {
            let action = tables.actions[number]
            let slice = Int(action.slice)
            let bit: UInt64 = 1 << UInt64(slice)
            if action.kind == .reject {
                blameUnknown(slice, start, end, isCarried: isCarried)
                continue
            }
            if action.kind == .collide {
                blameCollision(slice, start, isCarried)
                continue
            }
            let isShown = frame.pointee.shown & bit != 0
            if action.kind == .leaveOut {
                slices.stop(slice, at: isShown && !isCarried ? gapStart ?? start : start, into: &pieces)
                continue
            }
            if leavingOut & bit != 0 {
                if isShown {
                    emitHold(bit)
                } else if !slices.isRunning(slice) {
                    slices.start(slice, at: start)
                }
                frame.pointee.shown |= bit
            }
            if action.kind == .rename {
                slices.flush(slice, to: start, into: &pieces)
                emit(bit, action.text)
                slices.start(slice, at: end)
                renamed |= bit
            }
        }
        if isCarried, let base = carry.base { emit(slices.running & ~renamed, base, carry.count) }
        endGap()
    }

    /// The object ends at `p`: what stands between its last value and there is shown again.
    @inline(never)
    mutating func closeGap(_ p: Place, _ leavingOut: UInt64) {
        let frame = frames.top
        for slice in 0..<slices.count where leavingOut & 1 << UInt64(slice) != 0 {
            let bit: UInt64 = 1 << UInt64(slice)
            if !slices.isRunning(slice) {
                slices.start(slice, at: p)
            } else if frame.pointee.shown & bit != 0 {
                emitHold(bit)
            }
        }
        endGap()
    }

    /// Puts a member in before the `}` at `p` (``ObjectEnding/Kind/insert``).
    mutating func insertMember(_ ending: ObjectEnding, _ p: Place) {
        let frame = frames.top
        let slice = Int(ending.slice)
        let bit: UInt64 = 1 << UInt64(slice)
        let leavesOut = tables.objects[Int(frame.pointee.table)].leavingOut & bit != 0
        slices.flush(slice, to: p, into: &pieces)
        if frame.pointee.shown & bit != 0 || (!leavesOut && frame.pointee.count > 0) { emit(bit, PlanText.comma) }
        emit(bit, ending.text)
        frame.pointee.shown |= bit
        slices.start(slice, at: p)
    }

    private mutating func emitHold(_ bit: UInt64) {
        guard hold.count > 0, let base = hold.base else { return }
        emit(bit, base, hold.count)
    }

    private mutating func endGap() {
        gapStart = nil
        if hold.count > 0 {
            swap(&hold, &spareHold)
            hold.removeAll()
        }
    }
}
