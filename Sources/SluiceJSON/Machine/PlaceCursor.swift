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
    /// The places, seen from `start`, and the bytes that stand there.
    let places: UnsafePointer<UInt16>
    let kinds: UnsafePointer<UInt8>
    let count: Int
    /// Number of the next place.
    var next = 0
    /// End of the last token that was read byte by byte; it may be beyond the window.
    var reached: UnsafePointer<UInt8>

    /// Whether enough places are left for a round.
    var isRich: Bool {
        @inline(__always) get { count &- next >= Self.lookAhead }
    }

    /// Where the byte-by-byte functions, or the next window, have to go on.
    var rest: UnsafePointer<UInt8> {
        next < count ? place(0) : max(windowEnd, reached)
    }

    /// The place after `ahead` others.
    @inline(__always)
    func place(_ ahead: Int) -> UnsafePointer<UInt8> {
        start + Int(places[next &+ ahead])
    }

    /// A token has been read byte by byte, up to `p`: leaves out the places before.
    @inline(__always)
    mutating func skip(to p: UnsafePointer<UInt8>) {
        reached = p
        while next < count, place(0) < p { next += 1 }
    }

    /// How many places the string at a place takes that has escapes, none of them `\\u`; 0 where it is unusual.
    @inline(never)
    func escapedString(at number: Int) -> Int {
        sluice_json_escaped(start, places + number, kinds + number, count - number)
    }

    /// Eight kinds from place number `next`, the first in the lowest byte.
    @inline(__always)
    static func kinds(_ kinds: UnsafePointer<UInt8>, _ next: Int) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(kinds + next).loadUnaligned(as: UInt64.self))
    }
}

/// Kinds of several places in a row, as ``PlaceCursor/kinds(_:_:)`` gives them.
enum KindRun {
    static let twoBytes: UInt64 = 0xFFFF
    static let threeBytes: UInt64 = 0xFF_FFFF
    static let sixBytes: UInt64 = 0xFFFF_FFFF_FFFF
    /// `""`: a string without escapes.
    static let string: UInt64 = 0x2222
    /// `"":`
    static let key: UInt64 = 0x3A_2222
    /// `"":"",`
    static let stringMember: UInt64 = 0x2C22_223A_2222
    /// `},{"`: an array's next object.
    static let nextObject: UInt64 = 0x227B_2C7D
    static let fourBytes: UInt64 = 0xFFFF_FFFF
}
