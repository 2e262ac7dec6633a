extension Machine {
    /// A number that stands as a value.
    @inline(__always)
    mutating func number(_ p: inout Place, _ end: Place, _ node: UnsafeMutablePointer<Node>) -> Position {
        let start = p
        switch NumberScan.scan(&p, end) {
        case .ended:
            if p - start > limits.stringBytes { return fail(.stringTooLong, at: start) }
            if node.pointee.numberCheck != .none {
                checkNumber(node, start, p - start, offset: offset(of: start))
            }
            // What looks like more of it is a fault before it is proven, and could be none afterwards.
            if endsEarly, !Scalars.mayEnd(before: p.pointee) { return fail(goesOnFault(isSkipped: false), at: p) }
            return valueEnded(p)
        case .starved: return cutNumber(&p, start, end, isSkipped: false)
        case .failed: return failNumber(at: p, start: start)
        }
    }

    /// A number may go on in the next chunk: it is carried, whatever it is.
    @inline(never)
    mutating func cutNumber(_ p: inout Place, _ start: Place, _ end: Place, isSkipped: Bool) -> Position {
        p = end
        token.begin(.number, at: start, offset: offset(of: start), isSkipped: isSkipped)
        // In a skipped part nothing waits for the number, so that its bytes need not wait either.
        token.isCarried = !isSkipped
        if end - start > limits.stringBytes { return fail(.stringTooLong, offset: token.offset) }
        startCarry(start, end)
        return .token
    }

    @inline(never)
    mutating func failNumber(at p: Place, start: Place) -> Position {
        if p - start > limits.stringBytes { return fail(.stringTooLong, at: start) }
        return fail(.digitExpected, at: p)
    }

    /// Goes on with a cut number.
    mutating func resumeNumber(_ p: inout Place, _ end: Place) -> Position {
        let start = p
        while p < end, NumberScan.mayGoOn(with: p.pointee) { p += 1 }
        carry.append(start, p - start)
        if carry.count > limits.stringBytes { return fail(.stringTooLong, offset: token.offset) }
        return p == end ? .token : endNumber(p)
    }

    /// The carried number is whole; it ended before `p`.
    mutating func endNumber(_ p: Place) -> Position {
        guard let base = carry.base else { return .halted }
        let text = UnsafePointer(base)
        var q = text
        let scan = NumberScan.scan(&q, text + carry.count, isWhole: true)
        let length = q - text
        if case .failed = scan {
            let byte = length < carry.count ? q.pointee : (p == UnsafePointer(tables.text) ? nil : p.pointee)
            return fail(byte == nil ? .truncated : .digitExpected, offset: token.offset + length, byte: byte)
        }
        let wasSkipped = token.isSkipped
        let start = token.offset
        token.kind = .none
        if !wasSkipped {
            let node = tables.nodes + Int(current)
            if node.pointee.numberCheck != .none {
                checkNumber(node, text, length, offset: start)
            }
            if endsEarly, length < carry.count {
                return fail(goesOnFault(isSkipped: false), offset: start + length, byte: q.pointee)
            }
            emitCarry(p)
        }
        let next = wasSkipped ? Position.skipping : valueEnded(p)
        if length < carry.count {
            // What follows looked like more of the number but is none: `1.2.3`, `01`, `1-2`.
            return fail(goesOnFault(isSkipped: wasSkipped), offset: start + length, byte: q.pointee)
        }
        return next
    }

    private mutating func goesOnFault(isSkipped: Bool) -> SyntaxFault {
        if isSkipped { return skips.isObject ? .objectGoesOn : .arrayGoesOn }
        if frames.count == 0 { return .trailing }
        return frames.top.pointee.isObject ? .objectGoesOn : .arrayGoesOn
    }
}

/// The grammar of numbers (RFC 8259 §6).
enum NumberScan {
    case ended
    /// At the end of the bytes; the number may go on.
    case starved
    /// At a byte that should have been a digit.
    case failed

    /// - Parameter isWhole: nothing follows `end`.
    @inline(__always)
    static func scan(
        _ p: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, isWhole: Bool = false
    ) -> NumberScan {
        if p.pointee == UInt8(ascii: "-") { p += 1 }
        if p == end { return isWhole ? .failed : .starved }
        if p.pointee == UInt8(ascii: "0") {
            p += 1
        } else if !digits(&p, end) {
            return .failed
        }
        if p == end { return isWhole ? .ended : .starved }
        if p.pointee > UInt8(ascii: "e") || p.pointee < UInt8(ascii: ".") { return .ended }
        if p.pointee == UInt8(ascii: ".") {
            p += 1
            if p == end { return isWhole ? .failed : .starved }
            if !digits(&p, end) { return .failed }
            if p == end { return isWhole ? .ended : .starved }
        }
        if p.pointee | 0x20 != UInt8(ascii: "e") { return .ended }
        p += 1
        if p == end { return isWhole ? .failed : .starved }
        if p.pointee == UInt8(ascii: "+") || p.pointee == UInt8(ascii: "-") { p += 1 }
        if p == end { return isWhole ? .failed : .starved }
        if !digits(&p, end) { return .failed }
        if p == end { return isWhole ? .ended : .starved }
        return .ended
    }

    /// At least one digit.
    @inline(__always)
    private static func digits(_ p: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Bool {
        guard isDigit(p.pointee) else { return false }
        repeat { p += 1 } while p < end && isDigit(p.pointee)
        return true
    }

    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10
    }

    /// Whether a byte may stand inside a number.
    static func mayGoOn(with byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }
}
