import CSIMD

/// The places of a window of the chunk, as the index lists them, and how far they have been gone through.
struct PlaceCursor {
    static let windowBytes = Int(SLUICE_JSON_WINDOW)
    static let lineBytes = 64
    /// Bytes that are readable behind a window.
    static let spareBytes = 128
    /// Bytes that have to be left of a chunk, at least; with fewer than ``tailBytes`` they are copied first.
    static let leastBytes = 48
    /// The windows before leave so much, and most objects that the last of them has cut.
    static let tailBytes = 256 + spareBytes
    /// Room for the copy, and for what is readable behind it.
    static let copyBytes = (tailBytes + 63) / 64 * 64 + spareBytes

    /// What the walk over plain places sees: the places, and the number of the next one. Its bytes may be a copy.
    var walk: sluice_json_walk
    /// The window in the chunk.
    let start: UnsafePointer<UInt8>
    let windowEnd: UnsafePointer<UInt8>
    /// End of the last token that was read byte by byte; it may be beyond the window.
    var reached: UnsafePointer<UInt8>

    /// Number of the next place.
    var next: Int {
        @inline(__always) get { walk.next }
        @inline(__always) set { walk.next = newValue }
    }

    /// Whether enough places are left to look at one, and the next window is not to begin at it.
    var isRich: Bool {
        @inline(__always) get { walk.count &- walk.next >= SLUICE_JSON_LOOK_AHEAD && !walk.is_cut }
    }

    /// Whether the next token, which others follow, is seen to end within the window.
    var endsInside: Bool {
        guard kind == UInt8(ascii: "\"") else { return true }
        var end = walk.next + 1
        while end < walk.count, walk.kinds[end] == UInt8(ascii: "\\") { end += 1 }
        return end < walk.count
    }

    /// Where the byte-by-byte functions, or the next window, have to go on.
    var rest: UnsafePointer<UInt8> {
        walk.next < walk.count ? place(0) : max(windowEnd, reached)
    }

    /// The place after `ahead` others.
    @inline(__always)
    func place(_ ahead: Int) -> UnsafePointer<UInt8> {
        start + Int(walk.places[walk.next &+ ahead])
    }

    /// A token has been read byte by byte, up to `p`: leaves out the places before.
    @inline(__always)
    mutating func skip(to p: UnsafePointer<UInt8>) {
        reached = p
        while walk.next < walk.count, place(0) < p { walk.next += 1 }
    }

    /// What stands at the next place.
    var kind: UInt8 {
        @inline(__always) get { walk.kinds[walk.next] }
    }

    /// What stands at the next eight places, the first in the lowest byte.
    var kinds: UInt64 {
        @inline(__always) get {
            UInt64(littleEndian: UnsafeRawPointer(walk.kinds + walk.next).loadUnaligned(as: UInt64.self))
        }
    }
}

/// Kinds of several places in a row, as ``PlaceCursor/kinds`` gives them.
enum KindRun {
    static let twoBytes: UInt64 = 0xFFFF
    static let threeBytes: UInt64 = 0xFF_FFFF
    /// `""`: a string without escapes.
    static let string: UInt64 = 0x2222
    /// `"":`
    static let key: UInt64 = 0x3A_2222
}
