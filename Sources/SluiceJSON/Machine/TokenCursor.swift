import CSIMD

/// The structural index of a window of the chunk, and how many of its tokens have been read.
struct TokenCursor {
    static let windowBytes = Int(SLUICE_JSON_WINDOW)
    /// Bytes that are readable behind a window.
    static let spareBytes = 128
    /// The least number of bytes left in a chunk for which an index is made; if fewer than ``tailBytes`` are left, they
    /// are copied first.
    static let leastBytes = 48
    /// Enough for the bytes that earlier windows leave, and for most objects that the last of these windows cuts.
    static let tailBytes = 256 + spareBytes
    /// Room for the copy, and for the readable bytes behind it.
    static let copyBytes = (tailBytes + 63) / 64 * 64 + spareBytes

    /// The walk's arguments: the tokens, and the number of the next one. Its bytes may be a copy of the window.
    var walk: sluice_json_walk
    /// The window in the chunk.
    let start: BytePointer
    let windowEnd: BytePointer
    /// End of the last token that was read byte by byte, which may be behind the window.
    private var reached: BytePointer

    init(_ walk: sluice_json_walk, _ window: Range<BytePointer>) {
        self.walk = walk
        start = window.lowerBound
        windowEnd = window.upperBound
        reached = window.lowerBound
    }

    /// Number of the next token.
    var next: Int {
        @inline(__always) get { walk.next }
    }

    /// Whether enough tokens are left to read the next one in this window, and the walk has not asked for a window that
    /// begins at it.
    var isRich: Bool {
        @inline(__always) get { walk.count &- walk.next >= SLUICE_JSON_LOOK_AHEAD && !walk.is_cut }
    }

    /// Whether the next token, which others follow, ends within the window.
    var endsInside: Bool {
        guard walk.kinds[walk.next] == UInt8(ascii: "\"") else { return true }
        var end = walk.next + 1
        while end < walk.count, walk.kinds[end] == UInt8(ascii: "\\") { end += 1 }
        return end < walk.count
    }

    /// Where the byte-by-byte functions, or the next window, have to continue.
    var rest: BytePointer {
        walk.next < walk.count ? token(0) : max(windowEnd, reached)
    }

    /// Start of the token that is `ahead` tokens after the next one.
    @inline(__always)
    func token(_ ahead: Int) -> BytePointer {
        start + Int(walk.offsets[walk.next &+ ahead])
    }

    /// A token has been read byte by byte, up to `p`: passes over the tokens before `p`.
    @inline(__always)
    mutating func skip(to p: BytePointer) {
        reached = p
        while walk.next < walk.count, token(0) < p { walk.next += 1 }
    }

    /// Takes the next token if it is a colon; returns whether it was.
    @inline(__always)
    mutating func takeColon() -> Bool {
        guard walk.next < walk.count, walk.kinds[walk.next] == UInt8(ascii: ":") else { return false }
        walk.next &+= 1
        return true
    }

    /// End of the value whose last token is `ahead` tokens after the next one.
    func valueEnd(_ ahead: Int) -> BytePointer {
        var end = token(ahead)
        switch walk.kinds[walk.next + ahead] {
        case UInt8(ascii: "\""), UInt8(ascii: "}"), UInt8(ascii: "]"): return end + 1
        default:
            while !sluice_json_may_end(end.pointee) { end += 1 }
            return end
        }
    }
}
