#if canImport(Glibc)
    import Glibc
#else
    import Musl
#endif
import CSIMD
import SluiceContract

/// The push engine's insides: one pass over chunks of a document, driven by a plan.
///
/// Parts of the document that a plan looks at go through frames, one per open container (`Machine+Value`,
/// `Machine+Object`, `Machine+Array`); parts that it does not look at go through the skip loop (`Machine+Skip`), which
/// keeps one word per open container. A token that the end of a chunk cuts is finished by `Machine+Token`.
///
/// All of it is plain memory behind one pointer: the loop touches no reference count and no exclusivity check.
struct Machine: ~Copyable {
    /// What comes next in the document; the first ones are those of `sluice_json_position`.
    enum Position: UInt8 {
        case value, firstElement, firstKey, key, colon, afterValue
        /// Inside a part that nobody looks at.
        case skipping
        /// Inside a token that a chunk's end has cut.
        case token
        /// After the document: only whitespace may follow.
        case end
        /// A syntax fault has ended the run.
        case halted
    }

    // The plan.
    var tables: PlanTables
    var root: Int32
    var limits: JSONLimits
    var endsEarly: Bool
    var leavesOut: Bool

    // Where the machine stands.
    var position = Position.value
    /// Bytes of the document before this chunk.
    var chunkOffset = 0
    var chunkStart: UnsafePointer<UInt8>
    var utf8 = UTF8Check()
    /// The chunk's bytes before it are known to be UTF-8, so far.
    var provenEnd: UnsafePointer<UInt8>
    /// Where in the chunk the first ill-formed sequence begins; negative where that is in an earlier one.
    var illFormed: Int?
    var token = Token()
    var frames: FrameStack
    var skips: SkipStack
    /// What comes next inside the skipped part.
    var skipPosition = Position.firstElement

    // What comes out.
    var slices: SliceTable
    var pieces: PieceList
    /// Bytes of a cut token and of a held gap; two of each, because pieces may still point to the last one when the end
    /// of the same chunk cuts another.
    var carry = ByteBuffer()
    var spareCarry = ByteBuffer()
    var hold = ByteBuffer()
    var spareHold = ByteBuffer()
    /// The functions for the set of vector instructions that this machine has.
    let kernel: sluice_json_kernel
    /// What the index finds in a window.
    let places: UnsafeMutablePointer<UInt16>
    let kinds: UnsafeMutablePointer<UInt8>
    let wide: UnsafeMutablePointer<Bool>
    /// Copy of a chunk's last bytes.
    let tail: UnsafeMutablePointer<UInt8>
    /// What the walk has noted for slices to do.
    let edits: UnsafeMutablePointer<sluice_json_edit>
    /// Unescaped text of a key or a scalar.
    var scratch = ByteBuffer()
    /// End of the last value in an object that slices leave keys out of, until the next key is known.
    var gapStart: UnsafePointer<UInt8>?
    var slots: KeySlots

    var verdicts = Verdicts()

    init(_ plan: Plan, _ kernel: sluice_json_kernel) {
        self.kernel = kernel
        tables = plan.tables
        root = plan.root
        limits = plan.limits
        endsEarly = plan.endsEarly
        leavesOut = plan.leavesOut
        chunkStart = UnsafePointer(plan.tables.text)
        provenEnd = chunkStart
        frames = FrameStack()
        skips = SkipStack()
        slices = SliceTable()
        pieces = PieceList()
        slots = KeySlots(plan)
        // Begin at lines of the cache, because they are written a line at a time.
        places = UnsafeMutableRawPointer.allocate(
            byteCount: 2 * (PlaceCursor.windowBytes + 64), alignment: PlaceCursor.lineBytes
        ).assumingMemoryBound(to: UInt16.self)
        kinds = UnsafeMutableRawPointer.allocate(
            byteCount: PlaceCursor.windowBytes + 64, alignment: PlaceCursor.lineBytes
        ).assumingMemoryBound(to: UInt8.self)
        wide = .allocate(capacity: PlaceCursor.windowBytes / 64 + 8)
        tail = .allocate(capacity: PlaceCursor.copyBytes)
        edits = .allocate(capacity: SLUICE_JSON_EDITS)
        slices.reset(plan.extractions.count)
        verdicts.adopt(plan)
    }

    /// Makes ready for a document. With the plan of last time, what has been learnt of its keys is kept.
    mutating func reset(_ plan: Plan, isSamePlan: Bool) {
        if !isSamePlan {
            tables = plan.tables
            root = plan.root
            limits = plan.limits
            endsEarly = plan.endsEarly
            leavesOut = plan.leavesOut
            slots.adopt(plan)
            verdicts.adopt(plan)
        }
        position = .value
        chunkOffset = 0
        utf8 = UTF8Check()
        token = Token()
        frames.removeAll()
        skips.removeAll()
        slices.reset(plan.extractions.count)
        pieces.removeAll()
        pieces.trim()
        carry.removeAll()
        hold.removeAll()
        gapStart = nil
        verdicts.removeAll()
    }

    deinit {
        frames.deallocate()
        skips.deallocate()
        slices.deallocate()
        pieces.deallocate()
        carry.deallocate()
        spareCarry.deallocate()
        hold.deallocate()
        spareHold.deallocate()
        scratch.deallocate()
        slots.deallocate()
        places.deallocate()
        kinds.deallocate()
        wide.deallocate()
        tail.deallocate()
        edits.deallocate()
    }

    /// Node of the value that comes next or has just ended.
    var current: Int32 {
        @inline(__always) get { frames.count == 0 ? root : frames.top.pointee.child }
    }

    /// Offset in the document of a place in this chunk.
    @inline(__always)
    mutating func offset(of place: UnsafePointer<UInt8>) -> Int {
        chunkOffset &+ (place - chunkStart)
    }
}

// MARK: Chunks

extension Machine {
    mutating func feed(_ chunk: UnsafeRawBufferPointer) {
        pieces.removeAll()
        guard position != .halted, let base = chunk.baseAddress, chunk.count > 0 else { return }
        let start = base.assumingMemoryBound(to: UInt8.self)
        let allowed = min(chunk.count, limits.documentBytes - chunkOffset)
        chunkStart = start
        slices.resume(at: start)
        if gapStart != nil { gapStart = start }
        provenEnd = start
        illFormed = nil
        run(from: start, to: start + allowed)
        if position != .halted, let illFormed { refuseUTF8(at: illFormed, in: start) }
        if position != .halted, allowed < chunk.count {
            position = fail(.documentTooLarge, offset: limits.documentBytes)
        }
        settle(end: start + allowed)
        chunkOffset += chunk.count
    }

    /// Runs over what is left when the document has ended.
    mutating func finish() {
        guard position != .halted else { return }
        chunkStart = UnsafePointer(tables.text)
        slices.resume(at: chunkStart)
        if position == .token, token.kind == .number { position = endNumber(chunkStart) }
        guard position != .halted else { return }
        if position != .end {
            position = fail(chunkOffset == 0 ? .empty : .truncated, offset: chunkOffset)
            return
        }
        slices.settleAbsence()
    }

    /// Everything between two chunks' ends is decided here: what a slice may show and what is carried over.
    private mutating func settle(end: UnsafePointer<UInt8>) {
        guard position != .halted else { return }
        var shown = end
        if position == .token, token.isCarried { shown = token.start ?? chunkStart }
        if let gapStart {
            hold.append(gapStart, shown - gapStart)
            let table = tables.objects[Int(frames.top.pointee.table)]
            slices.flush(all: table.leavingOut, to: gapStart, into: &pieces)
            slices.flush(all: ~table.leavingOut, to: shown, into: &pieces)
        } else {
            slices.flush(all: ~0, to: shown, into: &pieces)
        }
        token.start = nil
        frames.keepKeys()
    }

    /// The bytes from `index` on are not UTF-8. Outside the plain text of a string the grammar refuses them first.
    private mutating func refuseUTF8(at index: Int, in start: UnsafePointer<UInt8>) {
        let place = start + max(index, 0)
        let isInText = position == .token && token.kind.isString && token.escape == .none
        if !isInText, index >= 0 {
            provenEnd = place + 1
            run(from: place, to: provenEnd)
        }
        if position != .halted { position = fail(.invalidUTF8, offset: chunkOffset + index) }
    }
}

// MARK: The loop

extension Machine {
    /// Runs until the chunk's end, an ill-formed sequence or a syntax fault.
    private mutating func run(from start: UnsafePointer<UInt8>, to chunkEnd: UnsafePointer<UInt8>) {
        var p = start
        var end = chunkEnd
        var at = position
        // The last bytes are gone through once from place to place, then byte by byte.
        var mayIndex = kernel.index != nil && limits.stringBytes >= PlaceCursor.windowBytes
        while p < end {
            if mayIndex, end - p >= PlaceCursor.leastBytes, frames.count | skips.count != 0, at.isIndexed {
                let before = p
                mayIndex = end - p >= PlaceCursor.tailBytes
                runIndexed(&p, &end, &at)
                // Where a window has too few places, one token is read byte by byte.
                if p > before || p >= end { continue }
            }
            let isProven = at == .token ? proveToken(p, &end) : proveNext(p, at, &end)
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
            case .halted:
                position = at
                return
            }
        }
        position = at
    }

    /// Proves that the bytes up to `end` are UTF-8. Bytes are looked at only once they are proven, so that the first
    /// fault of a document is found first.
    /// - Returns: false where they are not; then `end` is where they are no more.
    @inline(__always)
    mutating func prove(to end: inout UnsafePointer<UInt8>) -> Bool {
        if provenEnd >= end { return true }
        return proveSlowly(to: &end)
    }

    @inline(never)
    private mutating func proveSlowly(to end: inout UnsafePointer<UInt8>) -> Bool {
        let from = provenEnd
        provenEnd = end
        guard let index = utf8.advance(from, end - from, kernel) else { return true }
        let place = from - chunkStart + index
        illFormed = place
        end = chunkStart + max(place, 0)
        provenEnd = end
        return false
    }

    /// Bytes of a chunk that are proven at once, and how far the end of a cut token is looked for before that.
    private static var nearBytes: Int { 1024 }

    /// The same for a cut token: where it ends soon, the rest of the chunk is left for later.
    private mutating func proveToken(_ p: UnsafePointer<UInt8>, _ end: inout UnsafePointer<UInt8>) -> Bool {
        guard end - p > Self.nearBytes else { return prove(to: &end) }
        if !token.kind.isString {
            let mark = UnsafePointer(sluice_json_scalar_run(p, p + PlaceCursor.spareBytes))
            return mark < p + PlaceCursor.spareBytes ? prove(only: mark + 1, &end) : prove(to: &end)
        }
        guard token.escape == .none else { return prove(to: &end) }
        var near = p + Self.nearBytes
        guard prove(to: &near) else {
            end = near
            return false
        }
        let quote = UnsafePointer(sluice_json_plain(p, near))
        return quote < near && quote.pointee == UInt8(ascii: "\"") ? true : prove(to: &end)
    }

    /// The same between tokens: before a bracket that opens, nothing else is looked at.
    private mutating func proveNext(
        _ p: UnsafePointer<UInt8>, _ at: Position, _ end: inout UnsafePointer<UInt8>
    ) -> Bool {
        guard at == .value, end - p > Self.nearBytes else { return prove(to: &end) }
        let next = UnsafePointer(sluice_json_space(p, end))
        guard next < end, next.pointee == UInt8(ascii: "{") || next.pointee == UInt8(ascii: "[") else {
            return prove(to: &end)
        }
        return prove(only: next + 1, &end)
    }

    /// - Parameter end: where the bytes that may be looked at end, if they are not UTF-8 up to `near`.
    mutating func prove(only near: UnsafePointer<UInt8>, _ end: inout UnsafePointer<UInt8>) -> Bool {
        var proven = near
        if prove(to: &proven) { return true }
        end = proven
        return false
    }

    private mutating func afterDocument(
        _ p: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
    ) -> Position {
        skipSpace(&p, end)
        if p == end { return .end }
        return fail(.trailing, at: p)
    }
}
