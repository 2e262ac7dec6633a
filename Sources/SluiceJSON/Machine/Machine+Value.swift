import CSIMD

extension Machine {
    typealias Place = UnsafePointer<UInt8>

    @inline(__always)
    mutating func skipSpace(_ p: inout Place, _ end: Place) {
        guard p < end, p.pointee <= 0x20 else { return }
        p = sluice_json_space(p, end)
    }

    /// A value that the plan looks at, or the whole of one that it does not.
    @inline(__always)
    mutating func value(_ p: inout Place, _ end: Place) -> Position {
        skipSpace(&p, end)
        if p == end { return .value }
        let node = tables.nodes + Int(current)
        if node.pointee.ops.count != 0 { beginValue(node, p) }
        switch p.pointee {
        case UInt8(ascii: "\""): return string(&p, end, node)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return number(&p, end, node)
        case UInt8(ascii: "{"): return openObject(&p, node)
        case UInt8(ascii: "["): return openArray(&p, node)
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): return word(&p, end)
        default: return fail(.valueExpected, at: p)
        }
    }

    /// The value that `current` stands for ends at `p`.
    @inline(__always)
    mutating func valueEnded(_ p: Place) -> Position {
        let node = tables.nodes + Int(current)
        if node.pointee.ops.count != 0 { endValue(node, p) }
        if frames.count == 0 { return .end }
        return .afterValue
    }

    /// A comma, or the end of the innermost container.
    @inline(__always)
    mutating func afterValue(_ p: inout Place, _ end: Place) -> Position {
        skipSpace(&p, end)
        if p == end { return .afterValue }
        let frame = frames.top
        if frame.pointee.isObject {
            if p.pointee == UInt8(ascii: ",") {
                p += 1
                return .key
            }
            if p.pointee == UInt8(ascii: "}") { return closeObject(&p) }
            return fail(.objectGoesOn, at: p)
        }
        if p.pointee == UInt8(ascii: ",") {
            p += 1
            frame.pointee.count &+= 1
            enterElement(frame)
            return .value
        }
        if p.pointee == UInt8(ascii: "]") { return closeArray(&p) }
        return fail(.arrayGoesOn, at: p)
    }

    @inline(__always)
    mutating func openObject(_ p: inout Place, _ node: UnsafeMutablePointer<Node>) -> Position {
        if frames.count >= limits.depth { return fail(.tooDeep, at: p) }
        if node.pointee.refused.contains(.object) { blame(node, .object, "object", offset(of: p)) }
        let table = node.pointee.object
        if table < 0 {
            p += 1
            return beginSkip(isObject: true)
        }
        frames.pushObject(
            table, seenWords: tables.objects[Int(table)].seenWords, guess: slots.firsts[Int(table)],
            offset: offset(of: p))
        p += 1
        return .firstKey
    }

    @inline(__always)
    mutating func openArray(_ p: inout Place, _ node: UnsafeMutablePointer<Node>) -> Position {
        if frames.count >= limits.depth { return fail(.tooDeep, at: p) }
        if node.pointee.refused.contains(.array) { blame(node, .array, "array", offset(of: p)) }
        let table = node.pointee.array
        if table < 0 {
            p += 1
            return beginSkip(isObject: false)
        }
        frames.pushArray(table, offset: offset(of: p))
        p += 1
        if tables.arrays[Int(table)].collected != 0 { beginCollection(tables.arrays[Int(table)].collected) }
        return .firstElement
    }
}

// MARK: Arrays

extension Machine {
    @inline(__always)
    mutating func firstElement(_ p: inout Place, _ end: Place) -> Position {
        skipSpace(&p, end)
        if p == end { return .firstElement }
        if p.pointee == UInt8(ascii: "]") {
            frames.top.pointee.count = -1
            return closeArray(&p)
        }
        enterElement(frames.top)
        return .value
    }

    @inline(__always)
    mutating func enterElement(_ frame: UnsafeMutablePointer<Frame>) {
        let array = tables.arrays + Int(frame.pointee.table)
        var node = array.pointee.element
        if array.pointee.indexed.count != 0 {
            for number in array.pointee.indexed.indices
            where tables.elements[number].index == Int(frame.pointee.count) {
                node = tables.elements[number].node
            }
        }
        frame.pointee.child = node
    }

    @inline(__always)
    mutating func closeArray(_ p: inout Place) -> Position {
        p += 1
        let frame = frames.top
        let array = tables.arrays + Int(frame.pointee.table)
        if array.pointee.indexed.count != 0 {
            for number in array.pointee.endings.indices
            where tables.elementEndings[number].index > Int(frame.pointee.count) {
                elementMissing(tables.elementEndings[number])
            }
        }
        if array.pointee.collected != 0 { endCollection(array.pointee.collected) }
        frames.popArray()
        return containerEnded(p)
    }

    /// The innermost container has been taken off; its own value ends at `p`.
    @inline(__always)
    mutating func containerEnded(_ p: Place) -> Position {
        return valueEnded(p)
    }
}
