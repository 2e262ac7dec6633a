import CSIMD
import SluiceContract

/// The push engine's insides: one pass over the bytes of a document, driven by a plan. ``DocumentMachine`` hands it
/// chunks.
///
/// The machine implements the grammar: what may come next, in parts that are extracted (one frame for each open
/// container) and in parts that are skipped (one word for each). The kernel's walk takes most tokens (`Machine+Walk`);
/// the rest is read byte by byte (`Machine+Value`, `Machine+Scalar`, `Machine+Object`, `Machine+Skip`). The machine's
/// parts read tokens across chunks, prove UTF-8, emit the slices' bytes, and report faults.
///
/// The machine is plain memory behind one pointer: the loop does no reference counting and no exclusivity checks.
struct Machine: ~Copyable {
    // The plan.
    var tables: PlanTables
    private var root: Int32
    var limits: JSONLimits
    var endsEarly: Bool
    var leavesOut: Bool

    // Where the machine stands.
    var position = Position.value
    var chunk: Chunk
    var chunkEnd: BytePointer
    /// Start of the object that is held at this chunk's end.
    var heldFrom: BytePointer
    var peek = ObjectPeek()
    var frames = FrameStack()
    var skipped = SkippedPart()

    // Its parts.
    var reader: TokenReader
    var proof: UTF8Proof
    var emitter: SliceEmitter
    var checker: TypeChecker
    var keyCache: KeyCache
    /// Array elements that may be chosen.
    var candidates: CandidateStore
    let index = WindowIndex()
    /// The functions for the set of vector instructions that this machine has.
    let kernel: sluice_json_kernel

    init(_ plan: Plan, _ kernel: sluice_json_kernel) {
        self.kernel = kernel
        tables = plan.tables
        root = plan.root
        limits = plan.limits
        endsEarly = plan.endsEarly
        leavesOut = plan.leavesOut
        chunk = Chunk(start: BytePointer(plan.tables.text))
        chunkEnd = chunk.start
        heldFrom = chunk.start
        reader = TokenReader(plan.limits)
        proof = UTF8Proof(kernel, BytePointer(plan.tables.text))
        emitter = SliceEmitter(plan)
        checker = TypeChecker(plan)
        keyCache = KeyCache(plan)
        candidates = CandidateStore(plan, kernel)
    }

    mutating func reset(_ plan: Plan, isSamePlan: Bool) {
        if !isSamePlan {
            tables = plan.tables
            root = plan.root
            limits = plan.limits
            endsEarly = plan.endsEarly
            leavesOut = plan.leavesOut
            keyCache.adopt(plan)
            checker.adopt(plan)
            candidates.adopt(plan)
        }
        position = .value
        chunk.offset = 0
        peek.end()
        proof.reset()
        frames.removeAll()
        skipped.stack.removeAll()
        reader.reset(plan.limits)
        emitter.reset(plan)
        checker.reset()
        candidates.reset()
    }

    deinit {
        frames.deallocate()
        skipped.stack.deallocate()
        reader.deallocate()
        emitter.deallocate()
        keyCache.deallocate()
        index.deallocate()
        candidates.deallocate()
    }

    /// The node of the value that comes next or has just ended.
    var current: Int32 {
        @inline(__always) get { frames.count == 0 ? root : frames.top.pointee.child }
    }

    /// Offset in the document of a byte of this chunk.
    @inline(__always)
    mutating func offset(of byte: BytePointer) -> Int {
        chunk.offset(of: byte)
    }
}

// MARK: The loop

extension Machine {
    /// Runs until the chunk's end, an ill-formed sequence or a syntax fault.
    mutating func run(from start: BytePointer, to chunkEnd: BytePointer) {
        var p = start
        var end = chunkEnd
        var at = position
        if at == .held { at = openHeld(&p) }
        // The last bytes of a chunk are indexed once, then read byte by byte.
        var mayIndex = kernel.index != nil && limits.stringBytes >= TokenCursor.windowBytes
        while p < end {
            if mayIndex, end - p >= TokenCursor.leastBytes, frames.count | skipped.stack.count != 0, at.isBetweenTokens
            {
                let before = p
                mayIndex = end - p >= TokenCursor.tailBytes
                runIndexed(&p, &end, &at)
                // If the window has too few tokens, the next token is read byte by byte.
                if p > before || p >= end { continue }
            }
            let isProven =
                switch at {
                case .token: proof.prove(reader.token, p, &end)
                case .value: proof.proveValue(p, &end)
                default: proof.prove(to: &end)
                }
            if !isProven { continue }
            switch at {
            case .value: at = value(&p, end)
            case .afterValue: at = afterValue(&p, end)
            case .key: at = key(&p, end)
            case .colon: at = colon(&p, end)
            case .firstKey: at = firstKey(&p, end)
            case .firstElement: at = firstElement(&p, end)
            case .skipping: at = skip(&p, end)
            case .token: at = resumeToken(&p, end)
            case .end: at = afterDocument(&p, end)
            case .held, .halted:
                position = at
                return
            }
        }
        position = at
    }

    private mutating func afterDocument(_ p: inout BytePointer, _ end: BytePointer) -> Position {
        skipSpace(&p, end)
        if p == end { return .end }
        return fail(.trailing, at: p)
    }

    @inline(__always)
    mutating func skipSpace(_ p: inout BytePointer, _ end: BytePointer) {
        guard p < end, p.pointee <= 0x20 else { return }
        p = sluice_json_space(p, end)
    }
}

// MARK: Faults

extension Machine {
    @inline(never)
    mutating func fail(_ fault: SyntaxFault, at p: BytePointer) -> Position {
        let isByteOrderMark = fault == .valueExpected && p.pointee == 0xEF && offset(of: p) == 0
        return fail(isByteOrderMark ? .byteOrderMark : fault, offset: offset(of: p), byte: p.pointee)
    }

    @inline(never)
    mutating func fail(_ fault: SyntaxFault, offset: Int, byte: UInt8? = nil) -> Position {
        position = .halted
        if isOver { return .halted }
        let isBetween = skipped.stack.count == 0 && (fault.standsBetweenMembers || reader.token.kind == .key)
        checker.faults.addSyntax(
            checker.path(frames, through: isBetween ? frames.count - 1 : frames.count), fault.expected(limits),
            fault.found(byte), offset, beyond: fault.limit)
        return .halted
    }

    /// Whether faults no longer count, because all slices are settled.
    var isOver: Bool { endsEarly && checker.faults.failed == 0 && emitter.slices.areSettled }
}
