import CSIMD

/// Reads a part of a document that nothing is extracted from, byte by byte: only grammar and limits are checked.
struct SkippedPart {
    var stack = SkipStack()
    /// What comes next inside it.
    var position = Position.firstElement

    /// The result of reading a token.
    enum Outcome {
        /// The part goes on.
        case goesOn
        /// The token was the last one of the part.
        case ended
        /// The chunk's end cuts a string.
        case cut
        /// The chunk's end cuts a number that begins at the pointer.
        case cutNumber(BytePointer)
        /// A word that has to be read letter by letter.
        case word
        case fault(SyntaxFault, BytePointer)
        /// A malformed number that begins at the pointer.
        case brokenNumber(BytePointer)
        case brokenString(TokenReader.StringScan)
    }

    /// Begins to skip the container at `p`.
    @inline(__always)
    mutating func begin(_ p: inout BytePointer, isObject: Bool) {
        p += 1
        stack.push(isObject ? 1 : 0)
        position = isObject ? .firstKey : .firstElement
    }

    /// The fault if neither a comma nor the container's end follows a value.
    var goesOnFault: SyntaxFault { stack.isObject ? .objectGoesOn : .arrayGoesOn }

    /// Reads the token at `p`.
    /// - Parameter depth: how many containers are open around the part.
    @inline(__always)
    mutating func token(
        _ p: inout BytePointer, _ end: BytePointer, _ reader: inout TokenReader, _ chunk: Chunk,
        _ limits: JSONLimits, depth: Int
    ) -> Outcome {
        switch position {
        case .afterValue:
            if p.pointee == UInt8(ascii: ",") {
                p += 1
                position = stack.isObject ? .key : .value
                return .goesOn
            }
            return p.pointee == stack.closing ? close(&p) : .fault(goesOnFault, p)
        case .firstKey where p.pointee == UInt8(ascii: "}"), .firstElement where p.pointee == UInt8(ascii: "]"):
            return close(&p)
        case .firstKey, .key: return key(&p, end, &reader, chunk, limits)
        case .colon:
            guard p.pointee == UInt8(ascii: ":") else { return .fault(.colonExpected, p) }
            p += 1
            position = .value
            return .goesOn
        default: return value(&p, end, &reader, chunk, limits, depth: depth)
        }
    }

    private mutating func key(
        _ p: inout BytePointer, _ end: BytePointer, _ reader: inout TokenReader, _ chunk: Chunk,
        _ limits: JSONLimits
    ) -> Outcome {
        guard p.pointee == UInt8(ascii: "\"") else { return .fault(.keyExpected, p) }
        stack.base[stack.count - 1] &+= 2
        if stack.base[stack.count - 1] >> 1 > limits.keys { return .fault(.tooManyKeys, p) }
        position = .colon
        return Self.string(&p, end, &reader, chunk)
    }

    /// A scalar, or the start of a container.
    @inline(__always)
    private mutating func value(
        _ p: inout BytePointer, _ end: BytePointer, _ reader: inout TokenReader, _ chunk: Chunk,
        _ limits: JSONLimits, depth: Int
    ) -> Outcome {
        switch p.pointee {
        case UInt8(ascii: "\""):
            position = .afterValue
            return Self.string(&p, end, &reader, chunk)
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            if depth &+ stack.count >= limits.depth { return .fault(.tooDeep, p) }
            begin(&p, isObject: p.pointee == UInt8(ascii: "{"))
            return .goesOn
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            position = .afterValue
            let start = p
            let number = sluice_json_number_at(p, end, false)
            p = number.end
            switch number.state {
            case SLUICE_JSON_NUMBER_ENDED:
                return p - start > limits.stringBytes ? .fault(.stringTooLong, start) : .goesOn
            case SLUICE_JSON_NUMBER_CUT: return .cutNumber(start)
            default: return .brokenNumber(start)
            }
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
            position = .afterValue
            let length = Machine.wordLength(p, end)
            if length == 0 { return .word }
            p += length
            return .goesOn
        default: return .fault(.valueExpected, p)
        }
    }

    @inline(__always)
    private static func string(
        _ p: inout BytePointer, _ end: BytePointer, _ reader: inout TokenReader, _ chunk: Chunk
    ) -> Outcome {
        if let quote = reader.plainQuote(p, end) {
            p = quote + 1
            return .goesOn
        }
        reader.token.begin(.string, at: p, offset: chunk.offset(of: p), isSkipped: true)
        p += 1
        switch reader.scanString(&p, end, chunk) {
        case .ended:
            reader.token.kind = .none
            return .goesOn
        case .cut: return .cut
        case let failure: return .brokenString(failure)
        }
    }

    /// Closes the innermost container.
    @inline(__always)
    private mutating func close(_ p: inout BytePointer) -> Outcome {
        p += 1
        stack.pop()
        position = .afterValue
        return stack.count == 0 ? .ended : .goesOn
    }
}
