import CSIMD

extension Machine {
    /// How far a scan of a string has come.
    enum StringScan {
        /// Past the closing quote.
        case ended
        /// At the chunk's end; `token` knows the rest.
        case starved
        case failed
    }

    /// A string that stands as a value.
    @inline(__always)
    mutating func string(_ p: inout Place, _ end: Place, _ node: UnsafeMutablePointer<Node>) -> Position {
        let start = p
        let quote = sluice_json_plain(p + 1, end)
        if quote < end, quote.pointee == UInt8(ascii: "\""), quote - start &- 1 <= limits.stringBytes {
            p = quote + 1
            if node.pointee.stringCheck != .none {
                checkString(node, start, p - start, offset: offset(of: start), hasEscapes: false)
            }
            return valueEnded(p)
        }
        return longString(&p, end, node)
    }

    /// A string with escapes, or one that the chunk's end cuts.
    @inline(never)
    private mutating func longString(
        _ p: inout Place, _ end: Place, _ node: UnsafeMutablePointer<Node>
    ) -> Position {
        let start = p
        let isChecked = node.pointee.stringCheck != .none
        token.begin(.string, at: p, offset: offset(of: p))
        token.isCarried = isChecked
        p += 1
        switch scanString(&p, end) {
        case .starved:
            if isChecked { startCarry(start, end) }
            return .token
        case .failed: return .halted
        case .ended:
            token.kind = .none
            if isChecked {
                checkString(node, start, p - start, offset: token.offset, hasEscapes: token.hasEscapes)
            }
            return valueEnded(p)
        }
    }

    /// Goes on with the string that `token` tells of, from `p` to its closing quote.
    mutating func scanString(_ p: inout Place, _ end: Place) -> StringScan {
        while p < end {
            if token.escape == .none {
                p = sluice_json_plain(p, end)
                if p == end { break }
                let byte = p.pointee
                if byte == UInt8(ascii: "\"") {
                    if isTooLong(p) { break }
                    p += 1
                    return .ended
                }
                if byte != UInt8(ascii: "\\") { return failString(.controlCharacter, at: p) }
                token.escape = .begun
                token.hasEscapes = true
                p += 1
            } else {
                if let fault = token.advanceEscape(p.pointee) { return failString(fault, at: p) }
                p += 1
            }
        }
        if isTooLong(p) {
            _ = fail(.stringTooLong, offset: token.offset)
            return .failed
        }
        return .starved
    }

    /// Whether the string's inside up to `p` is beyond the limit.
    private mutating func isTooLong(_ p: Place) -> Bool {
        offset(of: p) - token.offset - 1 > limits.stringBytes
    }

    private mutating func failString(_ fault: SyntaxFault, at p: Place) -> StringScan {
        // A string that is too long is that first, wherever chunks end.
        if isTooLong(p) {
            _ = fail(.stringTooLong, offset: token.offset)
        } else {
            _ = fail(fault, at: p)
        }
        return .failed
    }

    /// Puts the text without its escapes into `scratch`; they have been checked.
    mutating func unescape(_ text: Place, _ count: Int) {
        scratch.removeAll()
        JSONText.unescape(UnsafeBufferPointer(start: text, count: count)) { scratch.append($0, $1) }
    }
}

extension Token {
    /// Takes one byte of an escape.
    mutating func advanceEscape(_ byte: UInt8) -> SyntaxFault? {
        switch escape {
        case .none: return nil
        case .begun: return beginEscape(byte)
        case .digit1, .digit2, .digit3, .digit4:
            guard let digit = JSONText.hexadecimalDigit(byte) else { return .escape }
            unit = unit << 4 | UInt16(digit)
            guard escape == .digit4 else {
                escape = escape == .digit1 ? .digit2 : escape == .digit2 ? .digit3 : .digit4
                return nil
            }
            return endUnit()
        case .low:
            escape = .lowBegun
            return byte == UInt8(ascii: "\\") ? nil : .loneSurrogate
        case .lowBegun:
            escape = .digit1
            unit = 0
            return byte == UInt8(ascii: "u") ? nil : .loneSurrogate
        }
    }

    private mutating func beginEscape(_ byte: UInt8) -> SyntaxFault? {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            escape = .none
            return nil
        case UInt8(ascii: "u"):
            escape = .digit1
            unit = 0
            return nil
        default: return .escape
        }
    }

    /// Four digits are read: surrogates have to come in pairs (RFC 8259 §8.2 leaves it open; here they must).
    private mutating func endUnit() -> SyntaxFault? {
        let isHigh = unit & 0xFC00 == 0xD800
        let isLow = unit & 0xFC00 == 0xDC00
        if isAfterHigh != isLow { return .loneSurrogate }
        isAfterHigh = isHigh
        escape = isHigh ? .low : .none
        return nil
    }
}
