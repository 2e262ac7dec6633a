import CSIMD

/// Reads strings, numbers and words byte by byte, across chunks: one token at a time, with the bytes that are carried
/// over.
struct TokenReader {
    /// The result of scanning a string.
    enum StringScan {
        /// Past the closing quote.
        case ended
        /// At the chunk's end; `token` keeps the state.
        case cut
        /// The token is longer than strings may be.
        case tooLong
        /// The byte at hand is a fault.
        case broken(SyntaxFault)
    }

    var token = Token()
    /// Bytes of a cut token; two buffers, because pieces may still point to the last one when the end of the same chunk
    /// cuts another.
    private(set) var carry = ByteBuffer()
    private var spareCarry = ByteBuffer()
    /// The unescaped text of a key or a scalar.
    private(set) var scratch = ByteBuffer()
    /// The most bytes that a string, number or key may have.
    private var bytesMost: Int

    init(_ limits: JSONLimits) {
        bytesMost = limits.stringBytes
    }

    mutating func reset(_ limits: JSONLimits) {
        bytesMost = limits.stringBytes
        token = Token()
        carry.removeAll()
    }

    func deallocate() {
        carry.deallocate()
        spareCarry.deallocate()
        scratch.deallocate()
    }

    // MARK: What is carried

    /// A token begins at `start` and does not end in this chunk.
    mutating func startCarry(_ start: BytePointer, _ end: BytePointer) {
        swap(&carry, &spareCarry)
        carry.removeAll()
        carry.append(start, end - start)
    }

    /// Adds bytes to the carried token.
    /// - Returns: whether the token is within the limit for numbers.
    mutating func appendCarry(_ start: BytePointer, _ end: BytePointer) -> Bool {
        carry.append(start, end - start)
        return carry.count <= bytesMost
    }

    // MARK: Strings

    /// The closing quote of the string at `p`; nil if the string has escapes, is cut, malformed or too long.
    @inline(__always)
    func plainQuote(_ p: BytePointer, _ end: BytePointer) -> BytePointer? {
        let quote = sluice_json_plain(p + 1, end)
        return quote < end && quote.pointee == UInt8(ascii: "\"") && quote - p &- 1 <= bytesMost ? quote : nil
    }

    /// Continues the string in `token`, from `p` to its closing quote.
    mutating func scanString(_ p: inout BytePointer, _ end: BytePointer, _ chunk: Chunk) -> StringScan {
        while p < end {
            if !token.isInEscape {
                p = sluice_json_plain(p, end)
                if p == end { break }
                let byte = p.pointee
                if byte == UInt8(ascii: "\"") {
                    if isTooLong(p, chunk) { return .tooLong }
                    p += 1
                    return .ended
                }
                if byte != UInt8(ascii: "\\") { return broken(.controlCharacter, at: p, chunk) }
                token.beginEscape()
            } else if let fault = token.takeEscape(p.pointee) {
                return broken(fault, at: p, chunk)
            }
            p += 1
        }
        return isTooLong(p, chunk) ? .tooLong : .cut
    }

    /// If a string is also too long, that is its fault: so the result does not depend on where chunks end.
    private func broken(_ fault: SyntaxFault, at p: BytePointer, _ chunk: Chunk) -> StringScan {
        isTooLong(p, chunk) ? .tooLong : .broken(fault)
    }

    /// Whether the string's content up to `p` exceeds the limit.
    private func isTooLong(_ p: BytePointer, _ chunk: Chunk) -> Bool {
        chunk.offset(of: p) - token.offset - 1 > bytesMost
    }

    /// The text without its escapes, which have been checked; valid until the next call.
    mutating func unescaped(_ text: BytePointer, _ count: Int) -> UnsafeBufferPointer<UInt8> {
        scratch.removeAll()
        JSONText.unescape(UnsafeBufferPointer(start: text, count: count)) { scratch.append($0, $1) }
        return UnsafeBufferPointer(start: scratch.base.map { BytePointer($0) }, count: scratch.count)
    }

    // MARK: Words

    /// Continues a word, letter by letter.
    /// - Returns: whether the word has ended; nil if the byte at `p` is not its next letter.
    mutating func matchWord(_ p: inout BytePointer, _ end: BytePointer) -> Bool? {
        let text = token.word.text
        while token.matched < text.utf8CodeUnitCount {
            if p == end { return false }
            if p.pointee != text.utf8Start[token.matched] { return nil }
            p += 1
            token.matched += 1
        }
        token.kind = .none
        return true
    }
}
