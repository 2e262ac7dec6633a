import Glibc

/// How far each slice has got, and where its current run of bytes begins.
struct SliceTable {
    struct Slice {
        var state = SliceState.pending
        var hasElements = false
        /// Whether the object that is being put together has a member.
        var hasMembers = false
        var isFailed = false
        /// Where the bytes begin that have not been emitted; of a running slice only.
        var runStart: BytePointer?
    }

    private(set) var base: UnsafeMutablePointer<Slice>
    private(set) var count = 0
    private var capacity = 8
    /// Slices whose bytes are passing now.
    var running: UInt64 = 0

    init() {
        base = reallocated(nil, capacity)
    }

    mutating func reset(_ slices: Int) {
        if slices > capacity {
            capacity = slices
            base = reallocated(base, capacity)
        }
        base.initialize(repeating: Slice(), count: slices)
        count = slices
        running = 0
    }

    /// A new chunk begins, or the bytes before `position` have been emitted in another way.
    mutating func resume(at position: BytePointer) {
        var rest = running
        while rest != 0 {
            base[rest.trailingZeroBitCount].runStart = position
            rest &= rest &- 1
        }
    }

    /// Emits the runs of those of `slices` that are running, up to `position`.
    mutating func flush(all slices: UInt64, to position: BytePointer, into pieces: inout PieceList) {
        var rest = running & slices
        while rest != 0 {
            flush(rest.trailingZeroBitCount, to: position, into: &pieces)
            rest &= rest &- 1
        }
    }

    mutating func flush(_ slice: Int, to position: BytePointer, into pieces: inout PieceList) {
        guard let start = base[slice].runStart, position > start else { return }
        pieces.append(slice, start, position - start)
        base[slice].runStart = position
    }

    /// The slice's bytes pass from here.
    mutating func start(_ slice: Int, at position: BytePointer) {
        running |= 1 << UInt64(slice)
        base[slice].runStart = position
    }

    /// The slice's bytes have passed up to here.
    mutating func stop(_ slice: Int, at position: BytePointer, into pieces: inout PieceList) {
        guard isRunning(slice) else { return }
        flush(slice, to: position, into: &pieces)
        running &= ~(1 << UInt64(slice))
        base[slice].runStart = nil
    }

    /// The slice's bytes pass from here, or not where this is nil; those before have been emitted.
    @inline(__always)
    mutating func set(_ slice: Int, at position: BytePointer?) {
        let bit: UInt64 = 1 << UInt64(slice)
        running = position == nil ? running & ~bit : running | bit
        base[slice].runStart = position
    }

    func isRunning(_ slice: Int) -> Bool {
        running & 1 << UInt64(slice) != 0
    }

    /// Whether every slice is whole or proven absent.
    var areSettled: Bool {
        for slice in 0..<count where base[slice].state == .pending || base[slice].state == .open { return false }
        return true
    }

    /// The document has ended: what has not been seen will not be.
    mutating func settleAbsence() {
        for slice in 0..<count where base[slice].state == .pending { base[slice].state = .absent }
    }

    func deallocate() {
        free(base)
    }
}
