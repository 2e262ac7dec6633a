#if canImport(Glibc)
    import Glibc
#else
    import Musl
#endif

/// How far each slice has got, and where its current run of bytes begins.
struct SliceTable {
    struct Slice {
        var state = SliceState.pending
        var hasElements = false
        var isFailed = false
        /// Where the bytes begin that have not been emitted; of a running slice only.
        var runStart: UnsafePointer<UInt8>?
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

    /// A new chunk begins, or the bytes before `place` have been emitted in another way.
    mutating func resume(at place: UnsafePointer<UInt8>) {
        var rest = running
        while rest != 0 {
            base[rest.trailingZeroBitCount].runStart = place
            rest &= rest &- 1
        }
    }

    /// Emits the runs of those of `slices` that are running, up to `place`.
    mutating func flush(all slices: UInt64, to place: UnsafePointer<UInt8>, into pieces: inout PieceList) {
        var rest = running & slices
        while rest != 0 {
            flush(rest.trailingZeroBitCount, to: place, into: &pieces)
            rest &= rest &- 1
        }
    }

    mutating func flush(_ slice: Int, to place: UnsafePointer<UInt8>, into pieces: inout PieceList) {
        guard let start = base[slice].runStart, place > start else { return }
        pieces.append(slice, start, place - start)
        base[slice].runStart = place
    }

    /// The slice's bytes pass from here.
    mutating func start(_ slice: Int, at place: UnsafePointer<UInt8>) {
        running |= 1 << UInt64(slice)
        base[slice].runStart = place
    }

    /// The slice's bytes have passed up to here.
    mutating func stop(_ slice: Int, at place: UnsafePointer<UInt8>, into pieces: inout PieceList) {
        guard isRunning(slice) else { return }
        flush(slice, to: place, into: &pieces)
        running &= ~(1 << UInt64(slice))
        base[slice].runStart = nil
    }

    /// The slice's bytes pass from here, or not where this is nil; those before have been emitted.
    @inline(__always)
    mutating func set(_ slice: Int, at place: UnsafePointer<UInt8>?) {
        let bit: UInt64 = 1 << UInt64(slice)
        running = place == nil ? running & ~bit : running | bit
        base[slice].runStart = place
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
