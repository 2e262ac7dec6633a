import CSIMD

/// One round of the walk from place to place: a key, a value, or what follows it.
extension Machine {
    /// - Returns: what comes next; nil where the token is unusual, and nothing has been done.
    @inline(never)
    mutating func round(_ cursor: inout PlaceCursor) -> Position? {
        switch position {
        case .key:
            guard cursor.kinds & KindRun.threeBytes == KindRun.key else { break }
            let next = plainKey(cursor.place(0), cursor.place(1) + 1)
            guard next == .colon else { return next }
            cursor.next &+= 3
            return .value
        case .value:
            let next = quickValue(&cursor)
            if next != .value { return next }
        case .afterValue:
            let frame = frames.top
            if cursor.kind == UInt8(ascii: ",") {
                cursor.next &+= 1
                if frame.pointee.isObject { return .key }
                frame.pointee.count &+= 1
                enterElement(frame)
                return .value
            }
            guard cursor.kind == (frame.pointee.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { break }
            var p = cursor.place(0)
            cursor.next &+= 1
            return frame.pointee.isObject ? closeObject(&p) : closeArray(&p)
        case .firstKey, .firstElement: return quickFirst(&cursor, position)
        case .colon, .skipping, .token, .end, .halted: break
        }
        return nil
    }
}

// MARK: Parts of a round

extension Machine {
    /// A value at the next place.
    /// - Returns: what comes next; `value` where it is unusual, and nothing has been done.
    @inline(__always)
    private mutating func quickValue(_ cursor: inout PlaceCursor) -> Position {
        let node = tables.nodes + Int(frames.top.pointee.child)
        let kinds = cursor.kinds
        var p = cursor.place(0)
        switch UInt8(truncatingIfNeeded: kinds) {
        case UInt8(ascii: "\""):
            guard kinds & KindRun.twoBytes == KindRun.string else { return .value }
            let close = cursor.place(1)
            cursor.next &+= 2
            if node.pointee.ops.count != 0 { beginValue(node, p) }
            if node.pointee.stringCheck != .none {
                checkString(node, p, close + 1 - p, offset: offset(of: p), hasEscapes: false)
            }
            return node.pointee.ops.count == 0 ? .afterValue : valueEnded(close + 1)
        case UInt8(ascii: "{"):
            cursor.next &+= 1
            if node.pointee.ops.count != 0 { beginValue(node, p) }
            return openObject(&p, node)
        case UInt8(ascii: "["):
            cursor.next &+= 1
            if node.pointee.ops.count != 0 { beginValue(node, p) }
            return openArray(&p, node)
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
            let length = Int(sluice_json_word(p))
            let kind = p.pointee == UInt8(ascii: "n") ? KindSet.null : .bool
            guard length > 0, sluice_json_may_end(p[length]), !node.pointee.refused.contains(kind) else {
                return .value
            }
            cursor.next &+= 1
            if node.pointee.ops.count != 0 { beginValue(node, p) }
            return node.pointee.ops.count == 0 ? .afterValue : valueEnded(p + length)
        default:
            var isInteger = false
            guard let after = sluice_json_number(p, p.pointee, &isInteger) else { return .value }
            cursor.next &+= 1
            if node.pointee.ops.count != 0 { beginValue(node, p) }
            if node.pointee.numberCheck != .none {
                let isProven = node.pointee.numberCheck == .integer && isInteger && after - p <= 18
                if !isProven { checkNumber(node, p, after - p, offset: offset(of: p)) }
            }
            return node.pointee.ops.count == 0 ? .afterValue : valueEnded(after)
        }
    }

    /// After the start of a container: its end, or its first member.
    @inline(__always)
    private mutating func quickFirst(_ cursor: inout PlaceCursor, _ at: Position) -> Position {
        let byte = cursor.kind
        var p = cursor.place(0)
        if at == .firstKey {
            if byte != UInt8(ascii: "}") { return .key }
            cursor.next &+= 1
            return closeObject(&p)
        }
        if byte != UInt8(ascii: "]") {
            enterElement(frames.top)
            return .value
        }
        cursor.next &+= 1
        frames.top.pointee.count = -1
        return closeArray(&p)
    }

    /// One token byte by byte.
    @inline(never)
    mutating func unusual(_ cursor: inout PlaceCursor, _ end: Place) -> Position {
        var p = cursor.place(0)
        switch position {
        case .key:
            let next = key(&p, end)
            cursor.skip(to: p)
            return next
        case .colon:
            if p.pointee != UInt8(ascii: ":") { return fail(.colonExpected, at: p) }
            cursor.next += 1
            return .value
        case .value:
            let isString = p.pointee == UInt8(ascii: "\"")
            let next = value(&p, end)
            cursor.skip(to: p)
            if isString || next != .afterValue || p == end || Scalars.mayEnd(before: p.pointee) { return next }
            return fail(frames.top.pointee.isObject ? .objectGoesOn : .arrayGoesOn, at: p)
        case .afterValue: return fail(frames.top.pointee.isObject ? .objectGoesOn : .arrayGoesOn, at: p)
        case .firstKey, .firstElement, .skipping, .token, .end, .halted: return position
        }
    }
}
