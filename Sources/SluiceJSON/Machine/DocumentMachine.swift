import CSIMD

/// Feeds a document to the ``Machine``, chunk by chunk. A token that a chunk's end cuts is carried over. If a chunk
/// ends before it is known which alternative an object is, the bytes from that object on are held until it is known.
struct DocumentMachine: ~Copyable {
    var machine: Machine
    private var held = HeldBytes()

    init(_ plan: Plan, _ kernel: sluice_json_kernel) {
        machine = Machine(plan, kernel)
    }

    /// Prepares for a document. If the plan is the same as last time, the cache of keys and objects is kept.
    mutating func reset(_ plan: Plan, isSamePlan: Bool) {
        held.removeAll()
        machine.reset(plan, isSamePlan: isSamePlan)
    }

    deinit { held.deallocate() }

    /// Whether no byte has been fed.
    var isEmpty: Bool { machine.chunk.offset == 0 && held.bytes.count == 0 }

    mutating func feed(_ bytes: UnsafeRawBufferPointer) {
        machine.emitter.pieces.removeAll()
        held.forgetOld()
        guard machine.position != .halted, let base = bytes.baseAddress, bytes.count > 0 else { return }
        let start = base.assumingMemoryBound(to: UInt8.self)
        let allowed = min(bytes.count, machine.limits.documentBytes - machine.chunk.offset - held.bytes.count)
        if machine.position == .held { feedHeld(start, start + allowed) } else { runChunk(start, allowed) }
        if allowed == bytes.count { return }
        giveUpPeeking()
        if machine.position != .halted {
            machine.position = machine.fail(.documentTooLarge, offset: machine.limits.documentBytes)
        }
    }

    /// Takes bytes while earlier ones are held.
    @inline(never)
    private mutating func feedHeld(_ start: BytePointer, _ end: BytePointer) {
        var p = start
        while machine.position == .held, p < end {
            let known = machine.peek.advance(p, end, machine.tables, bytesMost: machine.limits.choiceBytes)
            held.bytes.append(p, (known ?? end) - p)
            p = known ?? end
            if known != nil { runHeld() }
        }
        if p < end, machine.position != .halted { runChunk(p, end - p) }
    }

    private mutating func runChunk(_ start: BytePointer, _ count: Int) {
        let end = start + count
        machine.chunk.start = start
        machine.chunkEnd = end
        machine.emitter.begin(start)
        if machine.candidates.areOpen { machine.candidates.resume(at: start) }
        // The held bytes begin with a token, so the UTF-8 proof starts afresh there.
        if machine.position == .held { machine.proof.reset() }
        machine.proof.begin(start)
        machine.run(from: start, to: end)
        if machine.position == .held {
            endChunk(machine.heldFrom)
            held.bytes.append(machine.heldFrom, end - machine.heldFrom)
            machine.chunk.offset += machine.heldFrom - start
            return
        }
        if machine.position != .halted, let illFormed = machine.proof.illFormed { refuseUTF8(at: illFormed, in: start) }
        if machine.position != .halted { endChunk(end) }
        machine.chunk.offset += count
    }

    /// Ends the document: runs over held bytes, ends a last number and reports a truncated document.
    mutating func finish() {
        giveUpPeeking()
        guard machine.position != .halted else { return }
        machine.chunk.start = BytePointer(machine.tables.text)
        machine.emitter.slices.resume(at: machine.chunk.start)
        if machine.position == .token, machine.reader.token.kind == .number {
            machine.position = machine.endNumber(machine.chunk.start)
        }
        guard machine.position != .halted else { return }
        if machine.position != .end {
            machine.position = machine.fail(
                machine.chunk.offset == 0 ? .empty : .truncated, offset: machine.chunk.offset)
            return
        }
        machine.emitter.slices.settleAbsence()
    }

    /// A chunk ends: decides which bytes slices may emit and which are carried over.
    private mutating func endChunk(_ end: BytePointer) {
        if machine.candidates.areOpen { machine.candidates.save(upTo: end) }
        let isCarried = machine.position == .token && machine.reader.token.isCarried
        machine.emitter.endChunk(
            isCarried ? machine.reader.token.start ?? machine.chunk.start : end, machine.frames.top)
        machine.reader.token.start = nil
        machine.frames.keepKeys()
    }

    /// The bytes from `index` on are not UTF-8. Outside the plain text of a string they are reported as a grammar
    /// fault.
    private mutating func refuseUTF8(at index: Int, in start: BytePointer) {
        let first = start + max(index, 0)
        let isInText =
            machine.position == .token && machine.reader.token.kind.isString && !machine.reader.token.isInEscape
        if !isInText, index >= 0 {
            machine.proof.concede(to: first + 1)
            machine.run(from: first, to: first + 1)
        }
        if machine.position != .halted {
            machine.position = machine.fail(.invalidUTF8, offset: machine.chunk.offset + index)
        }
    }

    /// Runs over the held bytes, now that the object's alternative is known.
    private mutating func runHeld() {
        let bytes = held.take()
        guard let base = bytes.base else { return }
        runChunk(BytePointer(base), bytes.count)
    }

    /// No more bytes will come that could tell the alternative.
    private mutating func giveUpPeeking() {
        while machine.position == .held {
            machine.peek.giveUp()
            runHeld()
        }
    }
}
