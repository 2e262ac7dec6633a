import CSIMD

/// The innermost loop: members of one object whose keys were foreseen and whose values are scalars that need no more
/// than a look. Nothing in it is a fault; what is not plainly right is left, unread, to the other functions.
extension Machine {
    /// Goes through members from a key on.
    /// - Returns: `key`, `value` or `afterValue`, whatever comes next.
    @inline(never)
    mutating func members(_ cursor: inout PlaceCursor) -> Position {
        let start = cursor.start
        let places = cursor.places
        let kinds = cursor.kinds
        let lastRich = cursor.count &- PlaceCursor.lookAhead
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
        let object = tables.objects + Int(frame.pointee.table)
        let endingBits = object.pointee.endingBits
        let firstGuess = self.slots.firsts[Int(frame.pointee.table)]
        let repeats = isRepeated(frame, object)
        while next <= lastRich, guess >= 0 {
            let slot = slots + Int(guess)
            let key = start + Int(places[next])
            let run = PlaceCursor.kinds(kinds, next)
            guard sluice_json_key_is(key, slot, slot.pointee.mask), run & KindRun.threeBytes == KindRun.key,
                slot.pointee.isQuick, seen & slot.pointee.seen == 0, count < keysMost
            else { break }
            opening = key
            last = guess
            guess = slot.pointee.next
            seen |= slot.pointee.seen
            count &+= 1
            let node = nodes + Int(slot.pointee.node)
            if run & KindRun.sixBytes == KindRun.stringMember, node.pointee.quick.contains(.string) {
                next &+= 6
                continue
            }
            next &+= 3
            at = .value
            var taken = quickScalar(start, places + next, run &>> 24, node)
            if taken == 0 { taken = escapedScalar(cursor, next, node) }
            guard taken > 0 else { break }
            next &+= taken
            at = .key
            if kinds[next] == UInt8(ascii: ",") {
                next &+= 1
                continue
            }
            // An object of the same kind may follow in the same array: then the frame is made new.
            let tail = PlaceCursor.kinds(kinds, next)
            guard tail & KindRun.fourBytes == KindRun.nextObject, repeats, endingBits & ~seen == 0,
                next &+ 4 <= cursor.count
            else {
                at = .afterValue
                break
            }
            (frame - 1).pointee.count &+= 1
            frame.pointee.renew(offset: offset(of: start + Int(places[next &+ 2])))
            next &+= 3
            (seen, count, last, guess) = (0, 0, -1, firstGuess)
        }
        cursor.next = next
        frame.pointee.seen = seen
        frame.pointee.count = Int32(truncatingIfNeeded: count)
        frame.pointee.guess = guess
        if last >= 0 { frame.pointee.stand(at: last, slots[Int(last)], opening) }
        return at
    }

    /// Whether the innermost object is an element of an array whose elements are all alike, and nothing has to be done
    /// between two of them.
    @inline(__always)
    private mutating func isRepeated(
        _ frame: UnsafeMutablePointer<Frame>, _ object: UnsafeMutablePointer<ObjectTable>
    ) -> Bool {
        guard frames.count > 1, object.pointee.isPlain, !(frame - 1).pointee.isObject else { return false }
        let array = tables.arrays + Int((frame - 1).pointee.table)
        let node = tables.nodes + Int(array.pointee.element)
        return array.pointee.indexed.count == 0 && node.pointee.ops.count == 0
            && !node.pointee.refused.contains(.object)
    }

    /// The same for a string with escapes.
    @inline(never)
    private mutating func escapedScalar(
        _ cursor: PlaceCursor, _ next: Int, _ node: UnsafeMutablePointer<Node>
    ) -> Int {
        let isString = cursor.kinds[next] == UInt8(ascii: "\"") && node.pointee.quick.contains(.string)
        return isString ? cursor.escapedString(at: next) : 0
    }

    /// How many places the scalar at the first of `places` takes, where it is surely as its node wants it; else 0.
    /// - Parameter run: kinds from the scalar's place on.
    @inline(__always)
    private mutating func quickScalar(
        _ start: Place, _ places: UnsafePointer<UInt16>, _ run: UInt64, _ node: UnsafeMutablePointer<Node>
    ) -> Int {
        let byte = UInt8(truncatingIfNeeded: run)
        let quick = node.pointee.quick
        let p = start + Int(places[0])
        if byte == UInt8(ascii: "\"") {
            guard run & KindRun.twoBytes == KindRun.string else { return 0 }
            if quick.contains(.string) { return 2 }
            return quick.contains(.closedSet) && isLiteral(node, p + 1, start + Int(places[1]) - p &- 1) ? 2 : 0
        }
        if byte | 0x20 == UInt8(ascii: "{") {
            // `[]` and `{}` where nobody looks inside.
            let isEmpty = UInt8(truncatingIfNeeded: run &>> 8) == byte &+ 2
            return isEmpty && quick.contains(.empty) && frames.count < limits.depth ? 2 : 0
        }
        if byte < UInt8(ascii: "a") {
            var isInteger = false
            guard let after = sluice_json_number(p, byte, &isInteger) else { return 0 }
            if quick.contains(.number) { return 1 }
            return quick.contains(.integer) && isInteger && after - p <= 18 ? 1 : 0
        }
        let length = Int(sluice_json_word(p))
        guard length > 0, sluice_json_may_end(p[length]) else { return 0 }
        return quick.contains(byte == UInt8(ascii: "n") ? .null : .bool) ? 1 : 0
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

extension Frame {
    /// Another object of the same kind begins.
    @inline(__always)
    fileprivate mutating func renew(offset: Int) {
        self.offset = offset
        slot = -1
        member = -1
    }

    /// The key of this slot is being read; it begins at `opening`.
    @inline(__always)
    fileprivate mutating func stand(at number: Int32, _ slot: KeySlot, _ opening: UnsafePointer<UInt8>) {
        self.slot = number
        member = slot.member
        child = slot.node
        key = opening + 1
        keyCount = slot.mask.bitCount &- 2
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
