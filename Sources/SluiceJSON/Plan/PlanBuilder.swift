import CSIMD
import SluiceContract

/// Builds the tables of a plan.
struct PlanBuilder {
    /// The first node accepts any JSON.
    var nodes = [Node()]
    var objects: [ObjectTable] = []
    var members: [Member] = []
    var arrays: [ArrayTable] = []
    var elements: [IndexedElement] = []
    var elementEndings: [ElementEnding] = []
    var parts: [PartTable] = []
    var collectors: [Collector] = []
    var candidates: [CandidateTable] = []
    var arrayRules: [ArrayRule] = []
    var choices: [ChoiceTable] = []
    var choosers: [Chooser] = []
    var ways: [Way] = []
    var chosen: [Int32] = []
    /// Constraints of scalars and arrays, each once.
    private(set) var valueLimits: [ValueLimit] = []
    private var limitNumbers: [Constraint: Int32] = [:]
    var hashSlots: [Int32] = []
    var endings: [ObjectEnding] = []
    var actions: [KeyAction] = []
    var valueOps: [ValueOp] = []
    var refusals: [Refusal] = []
    var rules: [CheckRule] = []
    var alternatives: [CheckAlternative] = []
    var literals: [TextRange] = []
    var text: [UInt8] = Array(PlanText.fixed)
    var expectations: [String] = []
    private var expectationNumbers: [String: Int32] = [:]

    mutating func expectation(_ text: String) -> Int32 {
        if let number = expectationNumbers[text] { return number }
        let number = Int32(expectations.count)
        expectationNumbers[text] = number
        expectations.append(text)
        return number
    }

    mutating func store(_ string: String) -> TextRange {
        let range = TextRange(start: Int32(text.count), count: Int32(string.utf8.count))
        text.append(contentsOf: string.utf8)
        return range
    }

    /// Stores a key with quotes around it, without escapes.
    mutating func store(key: String) -> TextRange {
        store("\"" + key + "\"")
    }

    mutating func limit(_ constraint: Constraint) throws(PlanError) -> Int32 {
        if let number = limitNumbers[constraint] { return number }
        let number = Int32(valueLimits.count)
        valueLimits.append(try ValueLimit(constraint))
        limitNumbers[constraint] = number
        return number
    }

    mutating func store(_ rules: [ScalarRule]) throws(PlanError) -> TableRange {
        let start = alternatives.count
        for rule in rules {
            let literalStart = literals.count
            for literal in rule.literals { literals.append(store(literal)) }
            var alternative = CheckAlternative(
                grammar: rule.grammar, literals: range(from: literalStart, to: literals.count))
            if let constraint = rule.constraint { alternative.limit = try limit(constraint) }
            alternative.conversion = rule.conversion
            alternatives.append(alternative)
        }
        return range(from: start, to: alternatives.count)
    }

    func range(from start: Int, to end: Int) -> TableRange {
        TableRange(start: Int32(start), count: Int32(end - start))
    }

    /// Builds the hash table of an object's members.
    mutating func hashMembers(of object: inout ObjectTable) {
        var size = 4
        while size < Int(object.members.count) * 2 { size *= 2 }
        object.hashStart = Int32(hashSlots.count)
        object.hashMask = UInt32(size - 1)
        hashSlots.append(contentsOf: repeatElement(-1, count: size))
        for number in object.members.indices {
            let key = members[number].key
            let hash = text.withUnsafeBufferPointer {
                KeyHash.of($0.baseAddress! + Int(key.start) + 1, Int(key.count) - 2)
            }
            var slot = Int(hash & object.hashMask)
            while hashSlots[Int(object.hashStart) + slot] >= 0 { slot = (slot + 1) & (size - 1) }
            hashSlots[Int(object.hashStart) + slot] = Int32(number)
        }
    }

    consuming func tables() -> PlanTables {
        // The machine compares keys a vector at a time: the bytes behind the last one have to be readable.
        text.append(contentsOf: repeatElement(0, count: 64))
        var texts: [sluice_json_text] = []
        let several = nodesEditedBySeveral
        let walkChoices = walkChoices
        let walkNodes = nodes.indices.map {
            walked(
                nodes[$0], isEditedBySeveral: several.contains(Int32($0)), walkChoices.choices, &texts)
        }
        return PlanTables(
            nodes: copy(nodes), objects: copy(objects), members: copy(members), arrays: copy(arrays),
            elements: copy(elements), elementEndings: copy(elementEndings), parts: copy(parts),
            collectors: copy(collectors), candidates: copy(candidates), arrayRules: copy(arrayRules),
            choices: copy(choices), choosers: copy(choosers), ways: copy(ways), chosen: copy(chosen),
            hashSlots: copy(hashSlots), endings: copy(endings), actions: copy(actions),
            valueOps: copy(valueOps), refusals: copy(refusals), rules: copy(rules), alternatives: copy(alternatives),
            literals: copy(literals), text: copy(text), walkNodes: copy(walkNodes),
            walkObjects: copy(objects.map(walked)), walkArrays: copy(arrays.map(walked)), texts: copy(texts),
            names: copy(newNames), walkChoices: copy(walkChoices.choices), walkWays: copy(walkChoices.ways))
    }

    private func copy<Element: BitwiseCopyable>(_ elements: [Element]) -> UnsafeMutablePointer<Element> {
        let copy = UnsafeMutablePointer<Element>.allocate(capacity: max(elements.count, 1))
        copy.initialize(from: elements, count: elements.count)
        return copy
    }
}

extension PlanTables {
    func deallocate() {
        nodes.deallocate()
        objects.deallocate()
        members.deallocate()
        arrays.deallocate()
        elements.deallocate()
        elementEndings.deallocate()
        parts.deallocate()
        collectors.deallocate()
        candidates.deallocate()
        arrayRules.deallocate()
        choices.deallocate()
        choosers.deallocate()
        ways.deallocate()
        chosen.deallocate()
        walkChoices.deallocate()
        walkWays.deallocate()
        hashSlots.deallocate()
        endings.deallocate()
        actions.deallocate()
        valueOps.deallocate()
        refusals.deallocate()
        rules.deallocate()
        alternatives.deallocate()
        literals.deallocate()
        text.deallocate()
        walkNodes.deallocate()
        walkObjects.deallocate()
        walkArrays.deallocate()
        texts.deallocate()
        names.deallocate()
    }
}

/// The start of every plan's text: what is emitted around collected values and before inserted members.
enum PlanText {
    static let fixed = "[],{}".utf8
    static let open = TextRange(start: 0, count: 1)
    static let close = TextRange(start: 1, count: 1)
    static let comma = TextRange(start: 2, count: 1)
    static let openObject = TextRange(start: 3, count: 1)
    static let closeObject = TextRange(start: 4, count: 1)
}

/// The hash of a key: of its length and of its first and last eight bytes.
enum KeyHash {
    @inline(__always)
    static func of(_ key: UnsafePointer<UInt8>, _ count: Int) -> UInt32 {
        let raw = UnsafeRawPointer(key)
        var mixed: UInt64
        if count >= 8 {
            let first = raw.loadUnaligned(as: UInt64.self)
            let last = raw.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
            mixed = first &+ (last &* 0x9E37_79B9_7F4A_7C15)
        } else if count >= 4 {
            let first = UInt64(raw.loadUnaligned(as: UInt32.self))
            let last = UInt64(raw.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
            mixed = first | last &<< 32
        } else if count > 0 {
            mixed = UInt64(key[0]) | UInt64(key[count &>> 1]) &<< 8 | UInt64(key[count &- 1]) &<< 16
        } else {
            mixed = 0
        }
        mixed = (mixed ^ UInt64(truncatingIfNeeded: count)) &* 0xD6E8_FEB8_6659_FD93
        return UInt32(truncatingIfNeeded: mixed &>> 32)
    }
}
