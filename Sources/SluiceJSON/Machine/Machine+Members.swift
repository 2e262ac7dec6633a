import CSIMD

/// The innermost loop: members of one object whose keys were foreseen and whose values are scalars that need no more
/// than a look. Nothing in it is a fault; what is not plainly right is left, unread, to the other functions.
extension Machine {
    /// Goes through members from a key on.
    /// - Returns: `key`, `value` or `afterValue`, whatever comes next.
    @inline(never)
    mutating func members(_ cursor: inout PlaceCursor) -> Position {
        let start = cursor.start
        let stop = cursor.stop
        let slots = self.slots.base
        let nodes = tables.nodes
        let keysMost = limits.keys
        let frame = frames.top
        // In registers until the loop is left.
        var next = cursor.next
        var seen = frame.pointee.seen
        var count = Int(frame.pointee.count)
        var guess = frame.pointee.guess
        var last: Int32 = -1
        var opening = start
        var at = Position.key
        while stop - next >= PlaceCursor.lookAhead, guess >= 0 {
            let slot = slots + Int(guess)
            let key = start + Int(next[0])
            guard sluice_json_key_is(key, slot, slot.pointee.mask), start[Int(next[2])] == UInt8(ascii: ":"),
                slot.pointee.isQuick, seen & slot.pointee.seen == 0, count < keysMost
            else { break }
            opening = key
            last = guess
            guess = slot.pointee.next
            seen |= slot.pointee.seen
            count &+= 1
            next += 3
            at = .value
            guard let taken = quickScalar(start, next, nodes + Int(slot.pointee.node)) else { break }
            next += taken
            guard start[Int(next[0])] == UInt8(ascii: ",") else {
                at = .afterValue
                break
            }
            next += 1
            at = .key
        }
        cursor.next = next
        if last >= 0 {
            let slot = slots + Int(last)
            frame.pointee.seen = seen
            frame.pointee.count = Int32(truncatingIfNeeded: count)
            frame.pointee.slot = last
            frame.pointee.guess = guess
            frame.pointee.member = slot.pointee.member
            frame.pointee.child = slot.pointee.node
            frame.pointee.key = opening + 1
            frame.pointee.keyCount = slot.pointee.mask.bitCount &- 2
        }
        return at
    }

    /// How many places the scalar at `next` takes, where it is surely as its node wants it.
    @inline(__always)
    private mutating func quickScalar(
        _ start: Place, _ next: UnsafePointer<UInt16>, _ node: UnsafeMutablePointer<Node>
    ) -> Int? {
        let p = start + Int(next[0])
        let byte = p.pointee
        let quick = node.pointee.quick
        if byte == UInt8(ascii: "\"") {
            let close = start + Int(next[1])
            guard close.pointee == UInt8(ascii: "\"") else { return nil }
            if quick.contains(.string) { return 2 }
            return quick.contains(.closedSet) && isLiteral(node, p + 1, close - p &- 1) ? 2 : nil
        }
        if byte | 0x20 == UInt8(ascii: "{") {
            // `[]` and `{}` where nobody looks inside.
            guard quick.contains(.empty), start[Int(next[1])] == byte &+ 2, frames.count < limits.depth else {
                return nil
            }
            return 2
        }
        if byte < UInt8(ascii: "a") {
            var isInteger = false
            guard let after = sluice_json_number(p, &isInteger) else { return nil }
            if quick.contains(.number) { return 1 }
            return quick.contains(.integer) && isInteger && after - p <= 18 ? 1 : nil
        }
        let length = Int(sluice_json_word(p))
        guard length > 0, sluice_json_may_end(p[length]) else { return nil }
        return quick.contains(byte == UInt8(ascii: "n") ? .null : .bool) ? 1 : nil
    }

    /// Whether a text is in the closed set that alone is expected here. There are 32 readable bytes.
    @inline(__always)
    private mutating func isLiteral(_ node: UnsafeMutablePointer<Node>, _ text: Place, _ count: Int) -> Bool {
        let mask = UInt32.lowBits(count)
        for number in node.pointee.literals.indices {
            let literal = tables.literals[number]
            if Int(literal.count) == count,
                sluice_json_key_is(text, tables.text + Int(literal.start), mask)
            {
                return true
            }
        }
        return false
    }
}

extension UInt32 {
    /// That many of the lowest bits, up to 32.
    @inline(__always)
    static func lowBits(_ count: Int) -> UInt32 {
        UInt32(truncatingIfNeeded: (1 &<< UInt64(truncatingIfNeeded: count)) &- 1 as UInt64)
    }

    @inline(__always)
    fileprivate var bitCount: Int32 { Int32(truncatingIfNeeded: nonzeroBitCount) }
}
