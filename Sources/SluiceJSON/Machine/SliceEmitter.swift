import CSIMD

/// Emits the slices' bytes: runs of the document, with keys renamed or left out and members inserted.
///
/// The walk notes its edits, which are carried out after it (`SliceEmitter+Edits.swift`). Edits of objects that several
/// slices edit, of keys with escapes, and of keys that a chunk's end cuts are made at once, key by key.
struct SliceEmitter {
    var slices = SliceTable()
    var pieces = PieceList()
    private(set) var tables: PlanTables
    /// Bytes of a gap that a chunk's end has cut; two buffers, because pieces may still point to the last one when the
    /// end of the same chunk cuts another.
    private var hold = ByteBuffer()
    private var spareHold = ByteBuffer()
    /// End of the last value in an object that slices leave keys out of, until the next key is known.
    var gapStart: BytePointer?
    /// Members to emit before all others of a composed object, and the slice that is this object.
    var lead: [UInt8] = []
    var leadSlice = -1
    /// The edits that the walk has noted.
    let edits: UnsafeMutablePointer<sluice_json_edit>

    init(_ plan: Plan) {
        tables = plan.tables
        edits = .allocate(capacity: SLUICE_JSON_EDITS)
        slices.reset(plan.extractions.count)
    }

    mutating func reset(_ plan: Plan) {
        tables = plan.tables
        slices.reset(plan.extractions.count)
        pieces.removeAll()
        pieces.trim()
        hold.removeAll()
        gapStart = nil
        if !lead.isEmpty { (lead, leadSlice) = ([], -1) }
    }

    func deallocate() {
        slices.deallocate()
        pieces.deallocate()
        hold.deallocate()
        spareHold.deallocate()
        edits.deallocate()
    }

    /// Whether the gap before the next key began in an earlier chunk.
    var hasHeldGap: Bool { hold.count > 0 }

    // MARK: Chunks

    mutating func begin(_ chunk: BytePointer) {
        slices.resume(at: chunk)
        if gapStart != nil { gapStart = chunk }
    }

    /// A chunk ends, of which the bytes up to `end` may be emitted.
    mutating func endChunk(_ end: BytePointer, _ frame: UnsafeMutablePointer<Frame>) {
        guard let gapStart else { return slices.flush(all: ~0, to: end, into: &pieces) }
        hold.append(gapStart, end - gapStart)
        let table = tables.objects[Int(frame.pointee.table)]
        slices.flush(all: table.leavingOut, to: gapStart, into: &pieces)
        slices.flush(all: ~table.leavingOut, to: end, into: &pieces)
    }

    // MARK: Bytes

    mutating func emit(_ slices: UInt64, _ bytes: BytePointer, _ count: Int) {
        var rest = slices
        while rest != 0 {
            pieces.append(rest.trailingZeroBitCount, bytes, count)
            rest &= rest &- 1
        }
    }

    mutating func emit(_ slices: UInt64, _ range: TextRange) {
        emit(slices, tables.text + Int(range.start), Int(range.count))
    }

    /// Emits a carried token, which ended before `p`.
    mutating func emit(carry: ByteBuffer, upTo p: BytePointer) {
        guard let base = carry.base else { return }
        emit(slices.running, base, carry.count)
        slices.resume(at: p)
    }
}

// MARK: Values

extension SliceEmitter {
    /// A value with slice operations begins at `p`.
    @inline(never)
    mutating func beginValue(_ node: UnsafeMutablePointer<Node>, _ p: BytePointer, _ frames: FrameStack) {
        for number in node.pointee.ops.indices {
            let op = tables.valueOps[number]
            let slice = Int(op.slice)
            switch op.kind {
            case .capture:
                slices.base[slice].state = .open
                slices.start(slice, at: p)
            case .part:
                beginPart(slice, op.part, frames)
                slices.start(slice, at: p)
            case .collectUnlessNull where p.pointee == UInt8(ascii: "n"): break
            case .collect, .collectUnlessNull:
                beginElement(slice)
                slices.start(slice, at: p)
            case .convert where Self.mayConvert(p.pointee): slices.stop(slice, at: p, into: &pieces)
            case .keep, .leaveOut, .convert: break
            }
        }
    }

    /// Whether a string or a number begins with the byte.
    private static func mayConvert(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "-")
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// A value that may have been converted has ended at `p`: slices that stopped for it run on from there.
    mutating func endConversion(_ node: UnsafeMutablePointer<Node>, _ p: BytePointer) {
        for number in node.pointee.ops.indices where tables.valueOps[number].kind == .convert {
            let slice = Int(tables.valueOps[number].slice)
            if !slices.isRunning(slice) { slices.start(slice, at: p) }
        }
    }

    /// Emits a copy of bytes that do not outlive this call.
    mutating func emit(_ slice: Int, copying bytes: [UInt8]) {
        let room = pieces.room(for: bytes.count)
        for (index, byte) in bytes.enumerated() { room.start[index] = byte }
        pieces.took(slice, upTo: room.start + bytes.count)
    }

    /// A value with slice operations has ended at `p`.
    /// - Parameter frame: the frame of the container around the value, if any.
    @inline(never)
    mutating func endValue(
        _ node: UnsafeMutablePointer<Node>, _ p: BytePointer, _ frame: UnsafeMutablePointer<Frame>
    ) {
        for number in node.pointee.ops.indices {
            let op = tables.valueOps[number]
            let slice = Int(op.slice)
            switch op.kind {
            case .capture:
                slices.stop(slice, at: p, into: &pieces)
                slices.base[slice].state = .complete
            case .collect, .collectUnlessNull, .part: slices.stop(slice, at: p, into: &pieces)
            case .convert: break
            case .keep: gapStart = p
            case .leaveOut:
                gapStart = p
                if frame.pointee.emitted & 1 << UInt64(slice) != 0 { slices.start(slice, at: p) }
            }
        }
    }

    /// The path of these slices leads nowhere: they become absent. A slice that collects (`*`) is open already, and
    /// stays so.
    mutating func markAbsent(_ absent: UInt64) {
        if absent == 0 { return }
        for slice in 0..<slices.count
        where absent & 1 << UInt64(slice) != 0 && slices.base[slice].state == .pending {
            slices.base[slice].state = .absent
        }
    }
}

// MARK: Keys

extension SliceEmitter {
    /// Carries out the slices' actions for a key from `start` to `end`, or for a carried key that ends at `end`.
    ///
    /// A slice that leaves a member out leaves out one comma with it: the one before, or, while nothing of the object
    /// has been emitted, the one after. Which it is becomes known at the next key; hence the gap.
    /// - Returns: whether a slice refuses the key.
    @inline(never)
    mutating func emitKey(
        _ member: UnsafeMutablePointer<Member>, _ frame: UnsafeMutablePointer<Frame>, from start: BytePointer,
        to end: BytePointer, carry: ByteBuffer?
    ) -> Bool {
        if carry != nil { slices.resume(at: end) }
        let leavingOut = tables.objects[Int(frame.pointee.table)].leavingOut
        var renamed: UInt64 = 0
        var isRefused = false
        for number in member.pointee.actions.indices {
            let action = tables.actions[number]
            let slice = Int(action.slice)
            let bit: UInt64 = 1 << UInt64(slice)
            if action.kind.isRefusal {
                isRefused = true
                continue
            }
            let isEmitted = frame.pointee.emitted & bit != 0
            if action.kind == .leaveOut {
                slices.stop(slice, at: isEmitted && carry == nil ? gapStart ?? start : start, into: &pieces)
                continue
            }
            if leavingOut & bit != 0 {
                if isEmitted {
                    emitHold(bit)
                } else if !slices.isRunning(slice) {
                    slices.start(slice, at: start)
                }
                frame.pointee.emitted |= bit
            }
            if action.kind == .rename {
                slices.flush(slice, to: start, into: &pieces)
                emit(bit, action.text)
                slices.start(slice, at: end)
                renamed |= bit
            }
        }
        if let carry, let base = carry.base { emit(slices.running & ~renamed, base, carry.count) }
        endGap()
        return isRefused
    }

    /// The object ends at `p`: slices that run emit the held part of the gap before it, the others run from `p` on.
    @inline(never)
    mutating func closeGap(_ p: BytePointer, _ frame: UnsafeMutablePointer<Frame>, _ leavingOut: UInt64) {
        for slice in 0..<slices.count where leavingOut & 1 << UInt64(slice) != 0 {
            let bit: UInt64 = 1 << UInt64(slice)
            if !slices.isRunning(slice) {
                slices.start(slice, at: p)
            } else if frame.pointee.emitted & bit != 0 {
                emitHold(bit)
            }
        }
        endGap()
    }

    /// Puts a member in before the `}` at `p` (``ObjectEnding/Kind/insert``).
    mutating func insertMember(_ ending: ObjectEnding, _ p: BytePointer, _ frame: UnsafeMutablePointer<Frame>) {
        let slice = Int(ending.slice)
        let bit: UInt64 = 1 << UInt64(slice)
        let leavesOut = tables.objects[Int(frame.pointee.table)].leavingOut & bit != 0
        slices.flush(slice, to: p, into: &pieces)
        if frame.pointee.emitted & bit != 0 || (!leavesOut && frame.pointee.count > 0) { emit(bit, PlanText.comma) }
        emit(bit, ending.text)
        frame.pointee.emitted |= bit
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
