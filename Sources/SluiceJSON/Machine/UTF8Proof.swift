import CSIMD

/// Proves that a chunk is UTF-8. Bytes are parsed only once they are proven, so that the first fault of a document is
/// found first.
struct UTF8Proof {
    /// A chunk's remainder of up to this many bytes is proven at once; in a longer one, the end of a cut string is
    /// first looked for within this distance.
    private static var nearBytes: Int { 1024 }

    private var check = UTF8Check()
    private let kernel: sluice_json_kernel
    private var chunkStart: BytePointer
    /// The chunk's bytes before `end` are known to be UTF-8.
    private(set) var end: BytePointer
    /// Where in the chunk the first ill-formed sequence begins; negative if that is in an earlier chunk.
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

    /// Lets the machine parse the bytes up to `end`, although they are ill-formed.
    mutating func concede(to end: BytePointer) {
        self.end = end
    }

    /// - Returns: false if the bytes up to `end` are not UTF-8; `end` is then where the ill-formed sequence begins.
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

    /// - Parameter end: set to where the ill-formed sequence begins, if the bytes up to `near` are not UTF-8.
    mutating func prove(only near: BytePointer, _ end: inout BytePointer) -> Bool {
        var proven = near
        if prove(to: &proven) { return true }
        end = proven
        return false
    }

    /// Proves a window, using what its index says about blocks that are not ASCII.
    /// - Parameters:
    ///   - window: begins at a token, and so at the start of a sequence.
    ///   - bytes: the window's bytes, maybe a copy, readable up to a multiple of 64.
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

    /// Proves the bytes for a cut token: if the token ends soon, the rest of the chunk is left for later.
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

    /// Proves the bytes for a value: if it opens with a bracket, only the bytes up to the bracket.
    mutating func proveValue(_ p: BytePointer, _ end: inout BytePointer) -> Bool {
        guard end - p > Self.nearBytes else { return prove(to: &end) }
        let next = BytePointer(sluice_json_space(p, end))
        guard next < end, next.pointee == UInt8(ascii: "{") || next.pointee == UInt8(ascii: "[") else {
            return prove(to: &end)
        }
        return prove(only: next + 1, &end)
    }
}
