import CSIMD

/// Reads objects that are extracted, byte by byte: their keys, and at their end the keys that are missing.
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

    /// A whole key, quotes included, in the chunk or in the carry. The predicted key is compared first.
    mutating func endKey(_ start: BytePointer, _ count: Int, at p: BytePointer, isCarried: Bool) -> Position {
        reader.token.kind = .none
        let frame = frames.top
        let member: Int32
        if reader.token.hasEscapes {
            let text = reader.unescaped(start + 1, count - 2)
            member = tables.lookUp(text.baseAddress ?? start, text.count, in: frame.pointee.table)
        } else if let predicted = keyCache.takePredicted(start, count, in: frame) {
            member = predicted
        } else {
            member = tables.lookUp(start + 1, count - 2, in: frame.pointee.table)
            let isOther = member == tables.objects[Int(frame.pointee.table)].other
            keyCache.note(start, count, member: member, isDeclared: !isOther, in: frame)
        }
        if tables.members[Int(member)].bit < 0 { frame.pointee.keep(start, count) }
        return enterMember(member, from: isCarried ? p : start, to: p, isCarried: isCarried)
    }

    /// The key has been looked up: counts it, checks that it is no duplicate, and emits, renames or leaves it out.
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
            let seenWords = tables.objects[Int(frame.pointee.table)].seenWords
            if frames.isSeen(bit, frame, seenWords) {
                if !isOver { checker.refuseDuplicate(of: member.pointee.owners, offset: keyOffset, frames) }
                node = member.pointee.again
            }
            frames.markSeen(bit, frame, seenWords)
        }
        if isCarried || member.pointee.actions.count != 0 {
            let isRefused = emitter.emitKey(
                member, frame, from: start, to: end, carry: isCarried ? reader.carry : nil)
            if isRefused { checker.refuseKey(member, offset: keyOffset, frames) }
        }
        frame.pointee.child = node
        return .colon
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
        if object.pointee.composing != 0 { emitter.endComposed(object.pointee.composing, p) }
        frames.popObject(object.pointee.seenWords)
        return valueEnded(p)
    }

    /// Handles declared keys that are missing: reports required ones, inserts defaults, marks slices absent.
    @inline(never)
    private mutating func seeToEndings(
        _ p: BytePointer, _ frame: UnsafeMutablePointer<Frame>, _ object: UnsafeMutablePointer<ObjectTable>
    ) {
        for number in object.pointee.endings.indices
        where !frames.isSeen(tables.endings[number].bit, frame, object.pointee.seenWords) {
            let ending = tables.endings[number]
            switch ending.kind {
            case .absent: emitter.markAbsent(1 << UInt64(ending.slice))
            case .insert: emitter.insertMember(ending, p, frame)
            case .insertPart: emitter.insertPart(ending)
            case .required: checker.refuseMissing(ending, frames)
            }
        }
    }
}
