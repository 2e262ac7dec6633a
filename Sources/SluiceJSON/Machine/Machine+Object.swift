import CSIMD

extension Machine {
    @inline(__always)
    mutating func firstKey(_ p: inout Place, _ end: Place) -> Position {
        skipSpace(&p, end)
        if p == end { return .firstKey }
        if p.pointee == UInt8(ascii: "}") { return closeObject(&p) }
        return key(&p, end)
    }

    /// A key, byte by byte.
    @inline(__always)
    mutating func key(_ p: inout Place, _ end: Place) -> Position {
        skipSpace(&p, end)
        if p == end { return .key }
        guard p.pointee == UInt8(ascii: "\"") else { return fail(.keyExpected, at: p) }
        return scanKey(&p, end)
    }

    /// A key without escapes that stands from `start` to `end`: the one that stood here last time is compared first.
    /// There are 32 readable bytes.
    @inline(never)
    mutating func plainKey(_ start: Place, _ end: Place) -> Position {
        let frame = frames.top
        let guess = frame.pointee.guess
        let count = end - start
        let slot = slots.base + Int(guess)
        if KeySlots.holds(slot, start, count) {
            frame.pointee.slot = guess
            frame.pointee.guess = slot.pointee.next
            noteUndeclared(slot.pointee.member, frame, start, count)
            return enterMember(slot.pointee.member, from: start, to: end, isCarried: false)
        }
        token.hasEscapes = false
        return endKey(start, count, at: end, isCarried: false)
    }

    /// The text of an undeclared key is kept for verdicts.
    private mutating func noteUndeclared(
        _ member: Int32, _ frame: UnsafeMutablePointer<Frame>, _ start: Place, _ count: Int
    ) {
        guard tables.members[Int(member)].bit < 0 else { return }
        frame.pointee.key = start + 1
        frame.pointee.key_count = Int32(JSONText.prefix(start + 1, count - 2, FrameStack.keyBytes))
    }

    @inline(never)
    private mutating func scanKey(_ p: inout Place, _ end: Place) -> Position {
        let start = p
        token.begin(.key, at: p, offset: offset(of: p))
        token.isCarried = true
        p += 1
        switch scanString(&p, end) {
        case .starved:
            startCarry(start, end)
            return .token
        case .failed: return .halted
        case .ended: return endKey(start, p - start, at: p, isCarried: false)
        }
    }

    /// A whole key, quotes included, in the chunk or in the carry.
    mutating func endKey(_ start: Place, _ count: Int, at p: Place, isCarried: Bool) -> Position {
        var text = start + 1
        var length = count - 2
        if token.hasEscapes {
            unescape(text, length)
            text = scratch.base.map { UnsafePointer($0) } ?? text
            length = scratch.count
        }
        let frame = frames.top
        let member = lookUp(text, length, in: frame.pointee.table)
        noteUndeclared(member, frame, start, count)
        if !token.hasEscapes {
            slots.note(start, count, member: member, isDeclared: tables.members[Int(member)].bit >= 0, in: frame)
        }
        token.kind = .none
        return enterMember(member, from: isCarried ? p : start, to: p, isCarried: isCarried)
    }

    private mutating func lookUp(_ text: Place, _ count: Int, in table: Int32) -> Int32 {
        let object = tables.objects + Int(table)
        guard object.pointee.members.count > 0 else { return object.pointee.other }
        let mask = object.pointee.hashMask
        var slot = KeyHash.of(text, count) & mask
        while true {
            let member = tables.hashSlots[Int(object.pointee.hashStart) &+ Int(slot)]
            if member < 0 { return object.pointee.other }
            let key = tables.members[Int(member)].key
            if Int(key.count) == count &+ 2,
                sluice_json_same(text, tables.text + Int(key.start) + 1, count)
            {
                return member
            }
            slot = (slot &+ 1) & mask
        }
    }

    /// The key is known: counts it, checks that it stands once, and does what slices want done with it.
    @inline(never)
    private mutating func enterMember(
        _ number: Int32, from start: Place, to end: Place, isCarried: Bool
    ) -> Position {
        let frame = frames.top
        let member = tables.members + Int(number)
        frame.pointee.member = number
        frame.pointee.count &+= 1
        if Int(frame.pointee.count) > limits.keys { return fail(.tooManyKeys, offset: keyOffset(start, isCarried)) }
        var node = member.pointee.node
        let bit = member.pointee.bit
        if bit >= 0 {
            if isSeen(bit, frame) {
                blameDuplicate(offset: keyOffset(start, isCarried))
                node = Node.unwanted
            }
            markSeen(bit, frame)
        }
        if isCarried || member.pointee.actions.count != 0 {
            emitKey(member, from: start, to: end, isCarried: isCarried)
        }
        frame.pointee.child = node
        return .colon
    }

    private mutating func isSeen(_ bit: Int32, _ frame: UnsafeMutablePointer<Frame>) -> Bool {
        let mask: UInt64 = 1 &<< UInt64(truncatingIfNeeded: bit & 63)
        if tables.objects[Int(frame.pointee.table)].seenWords <= 1 { return frame.pointee.seen & mask != 0 }
        return frames.seen[Int(frame.pointee.seen_words &+ bit &>> 6)] & mask != 0
    }

    private mutating func markSeen(_ bit: Int32, _ frame: UnsafeMutablePointer<Frame>) {
        let mask: UInt64 = 1 &<< UInt64(truncatingIfNeeded: bit & 63)
        if tables.objects[Int(frame.pointee.table)].seenWords <= 1 {
            frame.pointee.seen |= mask
        } else {
            frames.seen[Int(frame.pointee.seen_words &+ bit &>> 6)] |= mask
        }
    }

    private mutating func keyOffset(_ start: Place, _ isCarried: Bool) -> Int {
        isCarried ? token.offset : offset(of: start)
    }

    @inline(__always)
    mutating func colon(_ p: inout Place, _ end: Place) -> Position {
        skipSpace(&p, end)
        if p == end { return .colon }
        if p.pointee != UInt8(ascii: ":") { return fail(.colonExpected, at: p) }
        p += 1
        return .value
    }

    @inline(__always)
    mutating func closeObject(_ p: inout Place) -> Position {
        let frame = frames.top
        let object = tables.objects + Int(frame.pointee.table)
        if object.pointee.leavingOut != 0 { closeGap(p, object.pointee.leavingOut) }
        if object.pointee.endingBits & ~frame.pointee.seen != 0 || object.pointee.seenWords > 1 {
            seeToEndings(p, frame, object)
        }
        p += 1
        frames.popObject(object.pointee.seenWords)
        return containerEnded(p)
    }

    /// Looks at the declared keys that have to be there, or that something stands in for.
    @inline(never)
    private mutating func seeToEndings(
        _ p: Place, _ frame: UnsafeMutablePointer<Frame>, _ object: UnsafeMutablePointer<ObjectTable>
    ) {
        for number in object.pointee.endings.indices where !isSeen(tables.endings[number].bit, frame) {
            keyMissing(tables.endings[number], p)
        }
    }

    @inline(never)
    private mutating func keyMissing(_ ending: ObjectEnding, _ p: Place) {
        switch ending.kind {
        case .absent: markAbsent(1 << UInt64(ending.slice))
        case .insert: insertMember(ending, p)
        case .required: blameMissing(ending)
        }
    }
}
