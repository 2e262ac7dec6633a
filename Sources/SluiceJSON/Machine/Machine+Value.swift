import CSIMD

/// Reads values that are extracted, byte by byte: their beginning, what follows them, and arrays.
extension Machine {
    /// Reads a scalar, or the opening bracket of a container.
    @inline(__always)
    mutating func value(_ p: inout BytePointer, _ end: BytePointer) -> Position {
        skipSpace(&p, end)
        if p == end { return .value }
        let node = tables.nodes + Int(current)
        if node.pointee.ops.count != 0 { emitter.beginValue(node, p, frames) }
        switch p.pointee {
        case UInt8(ascii: "\""): return string(&p, end, node)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return number(&p, end, node)
        case UInt8(ascii: "{"): return openObject(&p, node)
        case UInt8(ascii: "["): return openArray(&p, node)
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): return word(&p, end)
        default: return fail(.valueExpected, at: p)
        }
    }

    /// The value of the node `current` ends at `p`.
    @inline(__always)
    mutating func valueEnded(_ p: BytePointer) -> Position {
        let node = tables.nodes + Int(current)
        if node.pointee.ops.count != 0 {
            if node.pointee.converts { emitter.endConversion(node, p) }
            emitter.endValue(node, p, frames.top)
        }
        return frames.count == 0 ? .end : .afterValue
    }

    /// A comma, or the end of the innermost container.
    @inline(__always)
    mutating func afterValue(_ p: inout BytePointer, _ end: BytePointer) -> Position {
        skipSpace(&p, end)
        if p == end { return .afterValue }
        let frame = frames.top
        if frame.pointee.isObject {
            if p.pointee == UInt8(ascii: ",") {
                p += 1
                return .key
            }
            return p.pointee == UInt8(ascii: "}") ? closeObject(&p) : fail(.objectGoesOn, at: p)
        }
        if p.pointee == UInt8(ascii: ",") {
            let chosen = tables.arrays[Int(frame.pointee.table)].candidates
            if chosen.count != 0 { candidates.endElement(chosen, at: p, tables, into: &emitter, &checker, frames) }
            p += 1
            frame.pointee.count &+= 1
            enterElement(frame, p)
            return .value
        }
        return p.pointee == UInt8(ascii: "]") ? closeArray(&p) : fail(.arrayGoesOn, at: p)
    }

    /// The fault if neither a comma nor the container's end follows a value.
    var goesOnFault: SyntaxFault {
        if skipped.stack.count > 0 { return skipped.goesOnFault }
        if frames.count == 0 { return .trailing }
        return frames.top.pointee.isObject ? .objectGoesOn : .arrayGoesOn
    }

    /// A value's kind is refused, or means that a path leads nowhere.
    @inline(never)
    mutating func refuse(_ node: UnsafeMutablePointer<Node>, _ kind: KindSet, _ found: String, _ offset: Int) {
        emitter.markAbsent(checker.refuse(node, kind, found, offset, frames))
    }

    @inline(__always)
    private mutating func openObject(_ p: inout BytePointer, _ node: UnsafeMutablePointer<Node>) -> Position {
        var table = node.pointee.object
        if node.pointee.choice >= 0 {
            guard let chosen = choose(p, node) else { return .held }
            table = chosen
        }
        if frames.count >= limits.depth { return fail(.tooDeep, at: p) }
        if node.pointee.refused.contains(.object) { refuse(node, .object, "object", offset(of: p)) }
        if table < 0 { return beginSkip(&p, isObject: true) }
        frames.pushObject(
            table, seenWords: tables.objects[Int(table)].seenWords, predicted: keyCache.firstSlots[Int(table)],
            offset: offset(of: p))
        if tables.objects[Int(table)].composing != 0 {
            emitter.beginComposed(tables.objects[Int(table)].composing, p)
        }
        p += 1
        return .firstKey
    }

    /// Opens the object at `p` whose bytes have been held.
    mutating func openHeld(_ p: inout BytePointer) -> Position {
        openObject(&p, tables.nodes + Int(current))
    }

    @inline(__always)
    private mutating func openArray(_ p: inout BytePointer, _ node: UnsafeMutablePointer<Node>) -> Position {
        if frames.count >= limits.depth { return fail(.tooDeep, at: p) }
        if node.pointee.refused.contains(.array) { refuse(node, .array, "array", offset(of: p)) }
        let table = node.pointee.array
        if table < 0 { return beginSkip(&p, isObject: false) }
        frames.pushArray(table, offset: offset(of: p))
        if tables.arrays[Int(table)].rules.count != 0 { checker.beginArray(tables.arrays + Int(table), frames) }
        p += 1
        let collectors = tables.arrays[Int(table)].collectors
        if collectors.count != 0 { emitter.beginCollections(collectors, frames) }
        if tables.arrays[Int(table)].candidates.count != 0 { candidates.begin(tables.arrays[Int(table)].candidates) }
        return .firstElement
    }
}

// MARK: Arrays

extension Machine {
    @inline(__always)
    mutating func firstElement(_ p: inout BytePointer, _ end: BytePointer) -> Position {
        skipSpace(&p, end)
        if p == end { return .firstElement }
        if p.pointee == UInt8(ascii: "]") {
            frames.top.pointee.count = -1
            return closeArray(&p)
        }
        enterElement(frames.top, p)
        return .value
    }

    @inline(__always)
    private mutating func enterElement(_ frame: UnsafeMutablePointer<Frame>, _ p: BytePointer) {
        let array = tables.arrays + Int(frame.pointee.table)
        var node = array.pointee.element
        if array.pointee.indexed.count != 0 {
            for number in array.pointee.indexed.indices
            where tables.elements[number].index == Int(frame.pointee.count) {
                node = tables.elements[number].node
            }
        }
        if array.pointee.candidates.count != 0 {
            candidates.elementBegins(array.pointee.candidates, p, offset: offset(of: p))
        }
        frame.pointee.child = node
    }

    @inline(__always)
    private mutating func closeArray(_ p: inout BytePointer) -> Position {
        let frame = frames.top
        let array = tables.arrays + Int(frame.pointee.table)
        if array.pointee.candidates.count != 0 {
            candidates.endArray(array.pointee.candidates, at: p, tables, into: &emitter, &checker, frames)
        }
        p += 1
        if array.pointee.indexed.count != 0 {
            for number in array.pointee.endings.indices
            where tables.elementEndings[number].index > Int(frame.pointee.count) {
                elementMissing(tables.elementEndings[number])
            }
        }
        if array.pointee.collectors.count != 0 { emitter.endCollections(array.pointee.collectors) }
        if array.pointee.rules.count != 0 { checker.checkArray(array, frames) }
        frames.popArray()
        return valueEnded(p)
    }

    /// An array is too short to have an element that a path leads through.
    private mutating func elementMissing(_ ending: ElementEnding) {
        if ending.expected < 0 {
            emitter.markAbsent(1 << UInt64(ending.slice))
        } else {
            checker.refuseMissing(ending, frames)
        }
    }
}
