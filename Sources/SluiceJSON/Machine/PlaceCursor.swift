import CSIMD

/// The places of a window of the chunk, as `sluice_json_index` lists them, and how far they have been gone through.
struct PlaceCursor {
    /// Bytes of a window: its places fit the first-level cache beside it.
    static let windowBytes = 4096
    /// Bytes that are readable behind a window.
    static let spareBytes = 96
    /// Bytes that have to be left of a chunk, at least.
    static var leastBytes: Int {
        @inline(__always) get { sluice_json_index_is_fast() ? 64 + spareBytes : .max }
    }
    /// Places that one round may use: a key takes two and its colon one, a string two, a comma one. The last few of a
    /// window are left to the next one.
    static let lookAhead = 8

    /// The window.
    let start: UnsafePointer<UInt8>
    let windowEnd: UnsafePointer<UInt8>
    var next: UnsafePointer<UInt16>
    let stop: UnsafePointer<UInt16>
    /// End of the last token that was read byte by byte; it may be beyond the window.
    var reached: UnsafePointer<UInt8>

    /// Whether enough places are left for a round.
    var isRich: Bool {
        @inline(__always) get { stop - next >= Self.lookAhead }
    }

    /// Where the byte-by-byte functions, or the next window, have to go on.
    var rest: UnsafePointer<UInt8> {
        next < stop ? place(0) : max(windowEnd, reached)
    }

    /// The place after `ahead` others.
    @inline(__always)
    func place(_ ahead: Int) -> UnsafePointer<UInt8> {
        start + Int(next[ahead])
    }

    @inline(__always)
    func byte(_ ahead: Int) -> UInt8 {
        start[Int(next[ahead])]
    }

    /// A token has been read byte by byte, up to `p`: leaves out the places before.
    @inline(__always)
    mutating func skip(to p: UnsafePointer<UInt8>) {
        reached = p
        while next < stop, start + Int(next.pointee) < p { next += 1 }
    }
}
