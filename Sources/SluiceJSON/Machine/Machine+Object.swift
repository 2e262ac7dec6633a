import CSIMD

/// Objects that are extracted, byte by byte: their keys, and what has to be seen to at their end.
extension Machine {
    @inline(__always)
    mutating func firstKey(_ p: inout BytePointer, _ end: BytePointer) -> Position {
        skipSpace(&p, end)
        if p == end { return .firstKey }
        return p.pointee == UInt8(ascii: "}") ? closeObject(&p) : key(&p, end)
    }

    @inline(__always)
    mutating func key(_ p: inout BytePointer, _ end: BytePointer) -> Position {
        skipSpace(&p, end)
        if p == end { return .key }
        return p.pointee == UInt8(ascii: "\"") ? scanKey(&p, end) : fail(.keyExpected, at: p)
    }

    @inline(never)
    private mutating func scanKey(_ p: inout BytePointer, _ end: BytePointer) -> Position {
        let start = p
        if let quote = reader.plainQuote(p, end) {
            p = quote + 1
            reader.token.hasEscapes = false
            return endKey(start, p - start, at: p, isCarried: false)
        }
        reader.token.begin(.key, at: p, offset: offset(of: p))
        reader.token.isCarried = true
        p += 1
        switch reader.scanString(&p, end, chunk) {
        case .cut:
            reader.startCarry(start, end)
            return .token
        case .ended: return endKey(start, p - start, at: p, isCarried: false)
        case let failure: return failString(failure, at: p)
        }
    }

    /// A whole key, quotes included, in the chunk or in the carry. The one that followed last time is compared first.
    mutating func endKey(_ start: BytePointer, _ count: Int, at p: BytePointer, isCarried: Bool) -> Position {
        reader.token.kind = .none
        let frame = frames.top
        var member: Int32
        if reader.token.hasEscapes {
            let text = reader.unescaped(start + 1, count - 2)
            member = lookUp(text.baseAddress ?? start, text.count, in: frame.pointee.table)
        } else if let predicted = keyCache.takePredicted(start, count, in: frame) {
            member = predicted
        } else {
            member = lookUp(start + 1, count - 2, in: frame.pointee.table)
            let isDeclared = tables.members[Int(member)].bit >= 0
            keyCache.note(start, count, member: member, isDeclared: isDeclared, in: frame)
        }
        keepUndeclared(member, frame, start, count)
        return enterMember(member, from: isCarried ? p : start, to: p, isCarried: isCarried)
    }

    /// The text of an undeclared key is kept for faults.
    private mutating func keepUndeclared(
        _ member: Int32, _ frame: UnsafeMutablePointer<Frame>, _ start: BytePointer, _ count: Int
    ) {
        guard tables.members[Int(member)].bit < 0 else { return }
        frame.pointee.key = start + 1
        frame.pointee.key_count = Int32(JSONText.prefix(start + 1, count - 2, FrameStack.keyBytes))
    }

    private func lookUp(_ text: BytePointer, _ count: Int, in table: Int32) -> Int32 {
        let object = tables.objects + Int(table)
        guard object.pointee.members.count > 0 else { return object.pointee.other }
        let mask = object.pointee.hashMask
        var slot = KeyHash.of(text, count) & mask
        while true {
            let member = tables.hashSlots[Int(object.pointee.hashStart) &+ Int(slot)]
            if member < 0 { return object.pointee.other }
            let key = tables.members[Int(member)].key
            if Int(key.count) == count &+ 2, sluice_json_same(text, tables.text + Int(key.start) + 1, count) {
                return member
            }
            slot = (slot &+ 1) & mask
        }
    }

    /// The key is known: counts it, checks that it stands once, and does what slices want done with it.
    @inline(never)
    private mutating func enterMember(
        _ number: Int32, from start: BytePointer, to end: BytePointer, isCarried: Bool
    ) -> Position {
        let frame = frames.top
        let member = tables.members + Int(number)
        frame.pointee.member = number
        frame.pointee.count &+= 1
        let keyOffset = isCarried ? reader.token.offset : offset(of: start)
        if Int(frame.pointee.count) > limits.keys { return fail(.tooManyKeys, offset: keyOffset) }
        var node = member.pointee.node
        let bit = member.pointee.bit
        if bit >= 0 {
            if isSeen(bit, frame) {
                if !isOver { checker.refuseDuplicate(offset: keyOffset, slices: emitter.slices.count, frames) }
                node = Node.unwanted
            }
            markSeen(bit, frame)
        }
        if isCarried || member.pointee.actions.count != 0 {
            let isRefused = emitter.emitKey(
                member, frame, from: start, to: end, carry: isCarried ? reader.carry : nil)
            if isRefused { checker.refuseKey(member, offset: keyOffset, frames) }
        }
        frame.pointee.child = node
        return .colon
    }

    private func isSeen(_ bit: Int32, _ frame: UnsafeMutablePointer<Frame>) -> Bool {
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

    @inline(__always)
    mutating func colon(_ p: inout BytePointer, _ end: BytePointer) -> Position {
        skipSpace(&p, end)
        if p == end { return .colon }
        if p.pointee != UInt8(ascii: ":") { return fail(.colonExpected, at: p) }
        p += 1
        return .value
    }

    @inline(__always)
    mutating func closeObject(_ p: inout BytePointer) -> Position {
        let frame = frames.top
        let object = tables.objects + Int(frame.pointee.table)
        if object.pointee.leavingOut != 0 { emitter.closeGap(p, frame, object.pointee.leavingOut) }
        if object.pointee.endingBits & ~frame.pointee.seen != 0 || object.pointee.seenWords > 1 {
            seeToEndings(p, frame, object)
        }
        p += 1
        frames.popObject(object.pointee.seenWords)
        return valueEnded(p)
    }

    /// Looks at the declared keys that have to be there, or that something stands in for.
    @inline(never)
    private mutating func seeToEndings(
        _ p: BytePointer, _ frame: UnsafeMutablePointer<Frame>, _ object: UnsafeMutablePointer<ObjectTable>
    ) {
        for number in object.pointee.endings.indices where !isSeen(tables.endings[number].bit, frame) {
            let ending = tables.endings[number]
            switch ending.kind {
            case .absent: emitter.markAbsent(1 << UInt64(ending.slice))
            case .insert: emitter.insertMember(ending, p, frame)
            case .required: checker.refuseMissing(ending, frames)
            }
        }
    }
}
