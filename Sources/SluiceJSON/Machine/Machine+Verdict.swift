import CSIMD
import SluiceContract

/// Everything here is off the fast path: something is wrong.
extension Machine {
    @inline(never)
    mutating func fail(_ fault: SyntaxFault, at p: Place) -> Position {
        let isMark = fault == .valueExpected && p.pointee == 0xEF && offset(of: p) == 0
        return fail(isMark ? .byteOrderMark : fault, offset: offset(of: p), byte: p.pointee)
    }

    @inline(never)
    mutating func fail(_ fault: SyntaxFault, offset: Int, byte: UInt8? = nil) -> Position {
        if isOver {
            position = .halted
            return .halted
        }
        let isBetween = skips.count == 0 && (fault.standsBetweenMembers || token.kind == .key)
        verdicts.addSyntax(
            path(through: isBetween ? frames.count - 1 : frames.count), fault.expected(limits), fault.found(byte),
            offset)
        position = .halted
        return .halted
    }

    /// Whether nothing that comes now is a fault.
    private var isOver: Bool { endsEarly && verdicts.failed == 0 && slices.areSettled }

    /// A value's kind is refused, or means that a path leads nowhere.
    @inline(never)
    mutating func blame(_ node: UnsafeMutablePointer<Node>, _ kind: KindSet, _ found: String, _ offset: Int) {
        for number in node.pointee.blames.indices where tables.blames[number].kind == kind {
            let blame = tables.blames[number]
            if blame.expected < 0 {
                markAbsent(1 << UInt64(blame.slice))
            } else {
                report(Int(blame.slice), blame.expected, found, offset, depth: frames.count)
            }
        }
    }

    mutating func blameDuplicate(offset: Int) {
        if isOver { return }
        let name = path(through: frames.count)
        for slice in 0..<slices.count { verdicts.add(slice, name, "the key once", "the key again", offset) }
    }

    mutating func blameUnknown(_ slice: Int, _ start: Place, _ end: Place, isCarried: Bool) {
        let place = isCarried ? token.offset : offset(of: start)
        verdicts.add(slice, path(through: frames.count), "only declared keys", "an undeclared key", place)
    }

    /// An undeclared key would reach the client by the name that a declared one is given, unchecked.
    mutating func blameCollision(_ slice: Int, _ start: Place, _ isCarried: Bool) {
        let place = isCarried ? token.offset : offset(of: start)
        verdicts.add(
            slice, path(through: frames.count), "no key by the name of a renamed one", "an undeclared key", place)
    }

    mutating func blameMissing(_ ending: ObjectEnding) {
        report(
            Int(ending.slice), ending.expected, "an object without it", frames.top.pointee.offset,
            depth: frames.count - 1)
    }

    /// An array has ended before an element that a path leads through.
    mutating func elementMissing(_ ending: ElementEnding) {
        if ending.expected < 0 { return markAbsent(1 << UInt64(ending.slice)) }
        report(
            Int(ending.slice), ending.expected, "an array without it", frames.top.pointee.offset,
            depth: frames.count - 1)
    }

    private mutating func report(
        _ slice: Int, _ expected: Int32, _ found: String, _ offset: Int, depth: Int, hint: String? = nil
    ) {
        if verdicts.isFull { return verdicts.markFailed(slice) }
        verdicts.add(slice, path(through: depth), verdicts.expectations[Int(expected)], found, offset, hint: hint)
    }
}

// MARK: Checks of scalars

extension Machine {
    /// - Parameters:
    ///   - start: the string as written, with its quotes.
    @inline(never)
    mutating func checkString(
        _ node: UnsafeMutablePointer<Node>, _ start: Place, _ count: Int, offset: Int, hasEscapes: Bool
    ) {
        var text = UnsafeBufferPointer(start: start + 1, count: count - 2)
        if hasEscapes {
            unescape(start + 1, count - 2)
            text = UnsafeBufferPointer(start: scratch.base.map { UnsafePointer($0) }, count: scratch.count)
        }
        if node.pointee.refused.contains(.string) {
            blame(node, .string, found("string", start, count), offset)
        }
        for number in node.pointee.strings.indices where !accepts(tables.rules[number], text) {
            let rule = tables.rules[number]
            let grammars = rule.alternatives.indices.lazy.map { [tables] in tables.alternatives[$0].grammar }
            report(
                Int(rule.slice), rule.expected, found("string", start, count), offset, depth: frames.count,
                hint: grammars.compactMap { $0.hint(for: text) }.first)
        }
    }

    @inline(never)
    mutating func checkNumber(_ node: UnsafeMutablePointer<Node>, _ start: Place, _ count: Int, offset: Int) {
        if node.pointee.refused.contains(.number) {
            blame(node, .number, found("number", start, count), offset)
        }
        let text = UnsafeBufferPointer(start: start, count: count)
        for number in node.pointee.numbers.indices where !accepts(tables.rules[number], text) {
            let rule = tables.rules[number]
            report(Int(rule.slice), rule.expected, found("number", start, count), offset, depth: frames.count)
        }
    }

    private mutating func accepts(_ rule: CheckRule, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        for number in rule.alternatives.indices {
            let alternative = tables.alternatives[number]
            if alternative.grammar == .literals {
                for literal in alternative.literals.indices {
                    let (bytes, count) = self.literal(tables.literals[literal])
                    if count == text.count, let start = text.baseAddress, sluice_json_same(start, bytes, count) {
                        return true
                    }
                }
            } else if alternative.grammar.accepts(text) {
                return true
            }
        }
        return false
    }

    /// Kind and text, cut to 64 bytes. What a client sends under the name of a credential is not repeated.
    private mutating func found(_ kind: String, _ start: Place, _ count: Int) -> String {
        if verdicts.location == "body", frames.count > 0, frames.top.pointee.isObject,
            SensitiveName.matches(keyText(of: frames.top.pointee))
        {
            return "another \(kind)"
        }
        return "\(kind) \(Self.shown(start, count, 64))"
    }

    /// So many bytes at most, with a mark where there are more.
    private static func shown(_ start: Place, _ count: Int, _ most: Int) -> String {
        let shown = JSONText.prefix(start, count, most)
        let text = String(decoding: UnsafeBufferPointer(start: start, count: shown), as: UTF8.self)
        return shown < count ? text + "…" : text
    }
}

// MARK: JSON paths

extension Machine {
    /// The path of the member or element that the innermost of `depth` frames is at, such as `$.values[3].size`.
    mutating func path(through depth: Int) -> String {
        var path = "$"
        for index in 0..<max(depth, 0) {
            let frame = frames.base[index]
            if !frame.isObject {
                path += "[\(frame.count)]"
            } else if frame.member >= 0 {
                path += Self.component(keyText(of: frame))
            }
        }
        return path
    }

    private mutating func keyText(of frame: Frame) -> String {
        if frame.member == tables.objects[Int(frame.table)].other {
            guard let key = frame.key else { return "" }
            return Self.shown(key, Int(frame.key_count), FrameStack.shownKeyBytes)
        }
        let (bytes, count) = literal(tables.members[Int(frame.member)].key)
        return String(decoding: UnsafeBufferPointer(start: bytes + 1, count: count - 2), as: UTF8.self)
    }

    private static func component(_ key: String) -> String {
        let isName =
            !key.isEmpty
            && key.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
        return isName ? ".\(key)" : "[\(JSONText.quote(key))]"
    }
}
