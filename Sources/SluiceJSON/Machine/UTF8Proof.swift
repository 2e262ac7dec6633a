import CSIMD

/// How much of a chunk is known to be UTF-8. Bytes are looked at only once they are proven, so that the first fault of
/// a document is found first.
struct UTF8Proof {
    /// Bytes of a chunk that are proven at once, and how far the end of a cut token is looked for before that.
    private static var nearBytes: Int { 1024 }

    private var check = UTF8Check()
    private let kernel: sluice_json_kernel
    private var chunkStart: BytePointer
    /// The chunk's bytes before it are known to be UTF-8.
    private(set) var end: BytePointer
    /// Where in the chunk the first ill-formed sequence begins; negative where that is in an earlier one.
    private(set) var illFormed: Int?

    init(_ kernel: sluice_json_kernel, _ start: BytePointer) {
        self.kernel = kernel
        chunkStart = start
        end = start
    }

    /// Another document begins.
    mutating func reset() {
        check = UTF8Check()
    }

    mutating func begin(_ start: BytePointer) {
        chunkStart = start
        end = start
        illFormed = nil
    }

    /// The next bytes are looked at up to `end`, although they are ill-formed.
    mutating func concede(to end: BytePointer) {
        self.end = end
    }

    /// - Returns: false where the bytes up to `end` are not UTF-8; then `end` is where they are no more.
    @inline(__always)
    mutating func prove(to end: inout BytePointer) -> Bool {
        if self.end >= end { return true }
        return proveSlowly(to: &end)
    }

    @inline(never)
    private mutating func proveSlowly(to end: inout BytePointer) -> Bool {
        let from = self.end
        self.end = end
        guard let index = check.advance(from, end - from, kernel) else { return true }
        let first = from - chunkStart + index
        illFormed = first
        end = chunkStart + max(first, 0)
        self.end = end
        return false
    }

    /// - Parameter end: where the bytes that may be looked at end, if they are not UTF-8 up to `near`.
    mutating func prove(only near: BytePointer, _ end: inout BytePointer) -> Bool {
        var proven = near
        if prove(to: &proven) { return true }
        end = proven
        return false
    }

    /// Proves a window from the index's own look at it.
    /// - Parameters:
    ///   - window: begins where a token does, and so where a sequence does.
    ///   - bytes: the window's, maybe a copy, up to a multiple of 64.
    mutating func prove(
        window: Range<BytePointer>, bytes: BytePointer, _ blockBytes: Int, _ nonASCII: UnsafePointer<Bool>,
        _ end: inout BytePointer
    ) -> Bool {
        if self.end >= window.upperBound { return true }
        check = UTF8Check()
        let proven = min(Int(kernel.utf8_blocks(bytes, blockBytes, nonASCII)), window.upperBound - window.lowerBound)
        self.end = window.lowerBound + proven
        return prove(only: window.upperBound, &end)
    }

    /// The same for a cut token: where it ends soon, the rest of the chunk is left for later.
    mutating func prove(_ token: Token, _ p: BytePointer, _ end: inout BytePointer) -> Bool {
        guard end - p > Self.nearBytes else { return prove(to: &end) }
        if !token.kind.isString {
            let limit = p + TokenCursor.spareBytes
            let after = BytePointer(sluice_json_scalar_run(p, limit))
            return after < limit ? prove(only: after + 1, &end) : prove(to: &end)
        }
        guard !token.isInEscape else { return prove(to: &end) }
        var near = p + Self.nearBytes
        guard prove(to: &near) else {
            end = near
            return false
        }
        let quote = BytePointer(sluice_json_plain(p, near))
        return quote < near && quote.pointee == UInt8(ascii: "\"") ? true : prove(to: &end)
    }

    /// The same before a value: before a bracket that opens, nothing else is looked at.
    mutating func proveValue(_ p: BytePointer, _ end: inout BytePointer) -> Bool {
        guard end - p > Self.nearBytes else { return prove(to: &end) }
        let next = BytePointer(sluice_json_space(p, end))
        guard next < end, next.pointee == UInt8(ascii: "{") || next.pointee == UInt8(ascii: "[") else {
            return prove(to: &end)
        }
        return prove(only: next + 1, &end)
    }
}
