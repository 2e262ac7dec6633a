import Glibc

/// The state of each slice, and where its current run of bytes begins.
struct SliceTable {
    struct Slice {
        var state = SliceState.pending
        var hasElements = false
        /// Whether the object that is being composed has a member.
        var hasMembers = false
        var isFailed = false
        /// Start of the bytes that have not been emitted yet; only set for a running slice.
        var runStart: BytePointer?
    }

    private(set) var base: UnsafeMutablePointer<Slice>
    private(set) var count = 0
    private var capacity = 8
    /// Slices to which the bytes being read belong.
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

    /// The slice runs from `position` on.
    mutating func start(_ slice: Int, at position: BytePointer) {
        running |= 1 << UInt64(slice)
        base[slice].runStart = position
    }

    /// The slice stops at `position`: emits its bytes up to there.
    mutating func stop(_ slice: Int, at position: BytePointer, into pieces: inout PieceList) {
        guard isRunning(slice) else { return }
        flush(slice, to: position, into: &pieces)
        running &= ~(1 << UInt64(slice))
        base[slice].runStart = nil
    }

    /// The slice runs from `position` on, or is stopped if that is nil; the bytes before have been emitted.
    @inline(__always)
    mutating func set(_ slice: Int, at position: BytePointer?) {
        let bit: UInt64 = 1 << UInt64(slice)
        running = position == nil ? running & ~bit : running | bit
        base[slice].runStart = position
    }

    func isRunning(_ slice: Int) -> Bool {
        running & 1 << UInt64(slice) != 0
    }

    /// Whether every slice is complete or absent.
    var areSettled: Bool {
        for slice in 0..<count where base[slice].state == .pending || base[slice].state == .open { return false }
        return true
    }

    /// The document has ended: slices that are pending become absent.
    mutating func settleAbsence() {
        for slice in 0..<count where base[slice].state == .pending { base[slice].state = .absent }
    }

    func deallocate() {
        free(base)
    }
}
