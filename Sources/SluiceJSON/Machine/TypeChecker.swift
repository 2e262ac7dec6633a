import CSIMD
import SluiceContract

/// Checks values against their types and reports faults with their paths: values of the wrong kind or text, and keys
/// that are missing or refused.
struct TypeChecker {
    var faults = FaultList()
    /// How many strings were not among the known values of their open set.
    var driftCount = 0
    var tables: PlanTables
    var limits: [ValueLimit]
    /// For each open array whose elements have to differ, the number of its frame and its elements so far.
    var elements: [(frame: Int, seen: Set<[UInt8]>)] = []

    init(_ plan: Plan) {
        tables = plan.tables
        limits = plan.valueLimits
        faults.adopt(plan)
    }

    mutating func adopt(_ plan: Plan) {
        tables = plan.tables
        limits = plan.valueLimits
        faults.adopt(plan)
    }

    /// Another document begins.
    mutating func reset() {
        faults.removeAll()
        driftCount = 0
        if !elements.isEmpty { elements.removeAll() }
    }

    // MARK: Kinds

    /// Reports a value of a refused kind to the slices that refuse it; for some slices the kind means only that their
    /// path leads nowhere.
    /// - Returns: the slices whose path leads nowhere.
    @inline(never)
    mutating func refuse(
        _ node: UnsafeMutablePointer<Node>, _ kind: KindSet, _ found: String, _ offset: Int, _ frames: FrameStack
    ) -> UInt64 {
        var absent: UInt64 = 0
        for number in node.pointee.refusals.indices where tables.refusals[number].kind == kind {
            let refusal = tables.refusals[number]
            if refusal.expected < 0 {
                absent |= 1 << UInt64(refusal.slice)
            } else {
                report(Int(refusal.slice), refusal.expected, found, offset, frames)
                if refusal.part >= 0 { frames.markPart(refusal.part, of: Int(refusal.slice), tables) }
            }
        }
        return absent
    }

    /// The same for `true`, `false` and `null`; a type may refuse only one of the bools.
    @inline(never)
    mutating func refuse(
        _ node: UnsafeMutablePointer<Node>, _ word: Token.Word, _ offset: Int, _ frames: FrameStack
    ) -> UInt64 {
        if word == .null { return refuse(node, .null, "null", offset, frames) }
        for number in node.pointee.refusals.indices
        where tables.refusals[number].kind == .bool && tables.refusals[number].spared != word {
            let refusal = tables.refusals[number]
            report(Int(refusal.slice), refusal.expected, "bool \(word.text)", offset, frames)
            if refusal.part >= 0 { frames.markPart(refusal.part, of: Int(refusal.slice), tables) }
        }
        return 0
    }

    // MARK: Keys

    /// Reports a duplicate key to the slices that name the key. To other slices the key is an undeclared one.
    mutating func refuseDuplicate(of slices: UInt64, offset: Int, _ frames: FrameStack) {
        let name = path(frames, through: frames.count)
        let place = place(frames, through: frames.count)
        var rest = slices
        while rest != 0 {
            faults.add(rest.trailingZeroBitCount, name, "the key once", "the key again", offset, place: place)
            rest &= rest &- 1
        }
    }

    /// Reports an undeclared key that is refused, or that has the name that a declared key is renamed to.
    @inline(never)
    mutating func refuseKey(_ member: UnsafeMutablePointer<Member>, offset: Int, _ frames: FrameStack) {
        for number in member.pointee.actions.indices where tables.actions[number].kind.isRefusal {
            let action = tables.actions[number]
            let isRejected = action.kind == .reject
            let expected = isRejected ? "only declared keys" : "no key by the name of a renamed one"
            faults.add(
                Int(action.slice), path(frames, through: frames.count), expected, "an undeclared key", offset,
                reason: isRejected ? .undeclaredKey : .value)
        }
    }

    /// Reports a declared key that is missing from the innermost object.
    mutating func refuseMissing(_ ending: ObjectEnding, _ frames: FrameStack) {
        report(
            Int(ending.slice), ending.expected, "an object without it", frames.top.pointee.offset, frames,
            depth: frames.count - 1, reason: .missing)
    }

    /// Reports that the innermost array has no element at an index that a path leads through.
    mutating func refuseMissing(_ ending: ElementEnding, _ frames: FrameStack) {
        report(
            Int(ending.slice), ending.expected, "an array without it", frames.top.pointee.offset, frames,
            depth: frames.count - 1, reason: .missing)
    }

    mutating func report(
        _ slice: Int, _ expected: Int32, _ found: String, _ offset: Int, _ frames: FrameStack, depth: Int? = nil,
        hint: String? = nil, reason: Problem.Fault.Reason = .value
    ) {
        if faults.isFull(slice) { return faults.markFailed(slice) }
        let depth = depth ?? frames.count
        faults.add(
            slice, path(frames, through: depth), faults.expectations[Int(expected)], found, offset, hint: hint,
            place: place(frames, through: depth), reason: reason)
    }
}

// MARK: Scalars

extension TypeChecker {
    /// - Parameters:
    ///   - start: the string as written, with its quotes.
    ///   - text: the same without quotes and escapes.
    /// - Returns: the slices whose path leads nowhere.
    @inline(never)
    mutating func checkString(
        _ node: UnsafeMutablePointer<Node>, _ start: BytePointer, _ count: Int, _ text: UnsafeBufferPointer<UInt8>,
        offset: Int, _ frames: FrameStack
    ) -> UInt64 {
        var absent: UInt64 = 0
        if node.pointee.refused.contains(.string) {
            absent = refuse(node, .string, found("string", start, count, frames), offset, frames)
        }
        for number in node.pointee.strings.indices where !accepts(tables.rules[number], text, isNumber: false) {
            let rule = tables.rules[number]
            let grammars = rule.alternatives.indices.lazy.map { [tables] in tables.alternatives[$0].grammar }
            report(
                Int(rule.slice), rule.expected, found("string", start, count, frames), offset, frames,
                hint: grammars.compactMap { $0.hint(for: text) }.first)
        }
        if node.pointee.isUnique, isRepeated([UInt8(ascii: "\"")] + text, frames) {
            refuseRepeated(found("string", start, count, frames), offset, frames)
        }
        return absent
    }

    @inline(never)
    mutating func checkNumber(
        _ node: UnsafeMutablePointer<Node>, _ start: BytePointer, _ count: Int, offset: Int, _ frames: FrameStack
    ) -> UInt64 {
        var absent: UInt64 = 0
        if node.pointee.refused.contains(.number) {
            absent = refuse(node, .number, found("number", start, count, frames), offset, frames)
        }
        let text = UnsafeBufferPointer(start: start, count: count)
        for number in node.pointee.numbers.indices where !accepts(tables.rules[number], text, isNumber: true) {
            let rule = tables.rules[number]
            report(
                Int(rule.slice), rule.expected, found("number", start, count, frames), offset, frames)
        }
        if node.pointee.isUnique, isRepeated(Array(text), frames) {
            refuseRepeated(found("number", start, count, frames), offset, frames)
        }
        return absent
    }

    private mutating func accepts(
        _ rule: CheckRule, _ text: UnsafeBufferPointer<UInt8>, isNumber: Bool
    ) -> Bool {
        var isOpen = false
        for number in rule.alternatives.indices {
            let alternative = tables.alternatives[number]
            if accepts(alternative, text, isNumber: isNumber) { return true }
            isOpen = isOpen || alternative.grammar == .openLiterals
        }
        if isOpen { driftCount += 1 }
        return isOpen
    }

    private func accepts(
        _ alternative: CheckAlternative, _ text: UnsafeBufferPointer<UInt8>, isNumber: Bool
    ) -> Bool {
        let isAccepted =
            switch alternative.grammar {
            case .literals, .openLiterals: isOneOf(alternative.literals, text)
            default: alternative.grammar.accepts(text)
            }
        if !isAccepted { return false }
        if alternative.limit >= 0, !limits[Int(alternative.limit)].accepts(text, isNumber: isNumber) { return false }
        return alternative.conversion.map { $0.json(of: text) != nil } ?? true
    }

    /// The converted form of a string or a number for a slice; nil if the slice emits it as it is.
    func converted(
        _ rules: TableRange, _ slice: Int32, _ text: UnsafeBufferPointer<UInt8>, isNumber: Bool
    ) -> [UInt8]? {
        for number in rules.indices where tables.rules[number].slice == slice {
            for number in tables.rules[number].alternatives.indices
            where accepts(tables.alternatives[number], text, isNumber: isNumber) {
                return tables.alternatives[number].conversion?.json(of: text)
            }
        }
        return nil
    }

    private func isOneOf(_ literals: TableRange, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        for number in literals.indices {
            let literal = tables.literals[number]
            if Int(literal.count) != text.count { continue }
            guard let start = text.baseAddress, text.count > 0 else { return true }
            if sluice_json_same(start, tables.text + Int(literal.start), text.count) { return true }
        }
        return false
    }

    /// Kind and text, cut to 64 bytes. A value that a client sends below a key with the name of a credential, at any
    /// depth, is not repeated.
    private func found(_ kind: String, _ start: BytePointer, _ count: Int, _ frames: FrameStack) -> String {
        if faults.location == "body", isUnderCredential(frames) { return "another \(kind)" }
        return "\(kind) \(Self.shortened(start, count, 64))"
    }

    private func isUnderCredential(_ frames: FrameStack) -> Bool {
        (0..<frames.count).contains { index in
            let frame = frames.base[index]
            return frame.isObject && frame.member >= 0 && SensitiveName.matches(keyText(of: frame))
        }
    }

    /// The first bytes, `most` at most, with an ellipsis if there are more.
    private static func shortened(_ start: BytePointer, _ count: Int, _ most: Int) -> String {
        let kept = JSONText.prefix(start, count, most)
        let text = String(decoding: UnsafeBufferPointer(start: start, count: kept), as: UTF8.self)
        return kept < count ? text + "…" : text
    }
}

// MARK: JSON paths

extension TypeChecker {
    /// ``path(_:through:hidesData:)`` without undeclared keys, which are data; nil if the path has none.
    func place(_ frames: FrameStack, through depth: Int) -> String? {
        let hasData = (0..<max(depth, 0)).contains { index in
            let frame = frames.base[index]
            return frame.isObject && frame.member >= 0 && isUndeclared(frame)
        }
        return hasData ? path(frames, through: depth, hidesData: true) : nil
    }

    private func isUndeclared(_ frame: Frame) -> Bool { frame.member == tables.objects[Int(frame.table)].other }

    /// The path of the member or element that the innermost of `depth` frames is at, such as `$.values[3].size`.
    /// - Parameter hidesData: whether undeclared keys are written as `[*]`.
    func path(_ frames: FrameStack, through depth: Int, hidesData: Bool = false) -> String {
        var path = "$"
        for index in 0..<max(depth, 0) {
            let frame = frames.base[index]
            if !frame.isObject {
                path += "[\(frame.count)]"
            } else if frame.member >= 0 {
                path += hidesData && isUndeclared(frame) ? "[*]" : FieldPath.step(to: keyText(of: frame))
            }
        }
        return path
    }

    /// The text of the frame's current key, without escapes.
    private func keyText(of frame: Frame) -> String {
        if isUndeclared(frame) {
            guard let key = frame.key else { return "" }
            let count = Int(frame.key_count)
            let kept = JSONText.prefix(ofInside: key, count, FrameStack.shownKeyBytes)
            let text = JSONText.text(of: UnsafeBufferPointer(start: key, count: kept))
            return kept < count ? text + "…" : text
        }
        let key = tables.members[Int(frame.member)].key
        let bytes = UnsafeBufferPointer(start: tables.text + Int(key.start) + 1, count: Int(key.count) - 2)
        return String(decoding: bytes, as: UTF8.self)
    }
}
