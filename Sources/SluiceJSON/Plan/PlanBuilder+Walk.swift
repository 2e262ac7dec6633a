import CSIMD

/// The tables of the kernel's walk: what it may take without calling Swift code.
extension PlanBuilder {
    /// - Parameter isEditedBySeveral: whether the node is one of ``nodesEditedBySeveral``.
    func walked(
        _ node: Node, isEditedBySeveral: Bool, _ walkedChoices: [sluice_json_choice],
        _ texts: inout [sluice_json_text]
    ) -> sluice_json_node {
        var walked = sluice_json_node()
        walked.has_ops =
            isEditedBySeveral || node.isUnique || node.ops.indices.contains { !valueOps[$0].kind.isEdit }
        walked.object = Int32(SLUICE_JSON_DEFERRED)
        walked.array = Int32(SLUICE_JSON_DEFERRED)
        if walked.has_ops { return walked }
        if node.choice >= 0 {
            if !node.refused.contains(.object), walkedChoices[Int(node.choice)].way_count > 0 {
                walked.object = Int32(SLUICE_JSON_CHOSEN) - node.choice
            }
        } else if !node.refused.contains(.object), node.object < 0 || objects[Int(node.object)].isWalked {
            walked.object = node.object
        }
        if !node.refused.contains(.array), node.array < 0 || self.walked(arrays[Int(node.array)]).is_plain {
            walked.array = node.array
        }
        var set = AcceptSet()
        let mayBeEmpty = walked.array < 0 || arrays[Int(walked.array)].rules.count == 0
        if walked.array != Int32(SLUICE_JSON_DEFERRED), mayBeEmpty { set.insert(.emptyArray) }
        if walked.object == Int32(SLUICE_JSON_SKIPPED) {
            set.insert(.emptyObject)
        } else if walked.object >= 0 {
            let object = self.walked(objects[Int(walked.object)])
            if object.is_plain, object.required == 0 { set.insert(.emptyObject) }
        }
        if node.stringCheck == .none {
            set.insert(.string)
        } else if !node.refused.contains(.string), let known = closedSet(node) {
            set.insert(.closedSet)
            walked.texts = Int32(texts.count)
            walked.text_count = Int32(known.count)
            texts.append(contentsOf: known)
        } else if !node.refused.contains(.string), let grammar = onlyGrammar(node) {
            set.insert(.text)
            walked.grammar = UInt8(grammar.rawValue)
        }
        if !node.refused.contains(.number) { addNumbers(node, &set, &walked.digits) }
        if !node.refused.contains(.bool) { set.insert(.bool) }
        if !node.refused.contains(.null) { set.insert(.null) }
        walked.accepts = set.rawValue
        return walked
    }

    func walked(_ object: ObjectTable) -> sluice_json_object {
        let other = members[Int(object.other)]
        let isAny = object.members.count == 0 && other.isWalked && other.actions.count == 0
        let isEdited = object.isPlain && object.editor >= 0
        return sluice_json_object(
            required: object.endingBits, editor: isEdited ? 1 << UInt64(object.editor) : 0,
            slice: max(object.editor, 0), any: isAny ? object.other : -1, is_plain: object.isPlain)
    }

    func walked(_ array: ArrayTable) -> sluice_json_array {
        // If the elements have to differ, the type checker has to see where the array begins.
        let isUnique = array.rules.indices.contains { valueLimits[Int(arrayRules[$0].limit)].isUnique }
        return sluice_json_array(
            element: array.element, is_plain: array.isPlain && !isUnique,
            ends_plainly: array.rules.count == 0)
    }

    /// Nodes of the values in objects that one slice leaves keys out of and another edits as well: the walk does not
    /// take these values.
    var nodesEditedBySeveral: Set<Int32> {
        var several: Set<Int32> = []
        for object in objects where object.leavingOut != 0 && !object.isPlain {
            for member in object.members.indices {
                several.insert(members[member].node)
                // Slices that do not name the key leave its duplicate out, too.
                if members[member].again != Node.unwanted { several.insert(members[member].again) }
            }
            several.insert(members[Int(object.other)].node)
        }
        return several
    }

    /// An empty name, and then one for each member, which is empty if the member keeps its key.
    var newNames: [sluice_json_name] {
        [sluice_json_name()]
            + members.map { member in
                let renaming = member.actions.indices.first { actions[$0].kind == .rename }
                let text = renaming.map { actions[$0].text } ?? TextRange()
                return sluice_json_name(start: text.start, count: text.count)
            }
    }

    /// The grammar, if nothing else is expected of a string.
    private func onlyGrammar(_ node: Node) -> sluice_json_grammar? {
        guard node.strings.count == 1 else { return nil }
        let ways = rules[Int(node.strings.start)].alternatives
        guard ways.count == 1 else { return nil }
        guard alternatives[Int(ways.start)].limit < 0, !node.converts else { return nil }
        return switch alternatives[Int(ways.start)].grammar {
        case .url: SLUICE_JSON_URL
        // A time without an offset is looked at more closely.
        case .date, .localDate: SLUICE_JSON_DATE
        case .uuid: SLUICE_JSON_UUID
        case .base64: SLUICE_JSON_BASE64
        default: nil
        }
    }

    /// The closed set, if nothing else is expected of a string.
    private func closedSet(_ node: Node) -> [sluice_json_text]? {
        guard node.strings.count == 1 else { return nil }
        let ways = rules[Int(node.strings.start)].alternatives
        guard ways.count == 1, case let only = alternatives[Int(ways.start)],
            only.grammar == .literals || only.grammar == .openLiterals
        else { return nil }
        var known: [sluice_json_text] = []
        for number in only.literals.indices {
            let literal = literals[number]
            let bytes = text[Int(literal.start)..<Int(literal.start + literal.count)]
            guard Self.isPlain(bytes) else { return nil }
            known.append(sluice_json_text(quoting: bytes))
        }
        return known
    }

    /// Whether a text is short enough for a key slot and needs no escapes, so that it can be compared as written.
    static func isPlain(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count <= KeyCache.textBytes - 2
            && bytes.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    }

    /// Adds which numbers are accepted for certain.
    private func addNumbers(_ node: Node, _ set: inout AcceptSet, _ digits: inout UInt8) {
        var most: Int? = nil
        var isNegative = true
        for number in node.numbers.indices {
            let grammars = rules[number].alternatives.indices.filter { alternatives[$0].limit < 0 }
                .map { alternatives[$0].grammar }
            if grammars.contains(.anyNumber) || grammars.contains(.double) { continue }
            let reach = grammars.map(\.integerDigits).max() ?? 0
            most = min(most ?? reach, reach)
            isNegative = isNegative && grammars.contains { $0.isSigned && $0.integerDigits == reach }
        }
        guard let most else { return set.formUnion(.number) }
        if most == 0 { return }
        set.insert(.integer)
        digits = UInt8(most)
        if isNegative { set.insert(.negative) }
    }
}

/// `sluice_json_accept`.
private struct AcceptSet: OptionSet {
    var rawValue: UInt16
    static let string = AcceptSet(SLUICE_JSON_STRING)
    static let closedSet = AcceptSet(SLUICE_JSON_CLOSED_SET)
    static let number = AcceptSet(SLUICE_JSON_NUMBER)
    static let integer = AcceptSet(SLUICE_JSON_INTEGER)
    static let bool = AcceptSet(SLUICE_JSON_BOOL)
    static let null = AcceptSet(SLUICE_JSON_NULL)
    static let emptyArray = AcceptSet(SLUICE_JSON_EMPTY_ARRAY)
    static let emptyObject = AcceptSet(SLUICE_JSON_EMPTY_OBJECT)
    static let negative = AcceptSet(SLUICE_JSON_NEGATIVE)
    static let text = AcceptSet(SLUICE_JSON_TEXT)

    init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    private init(_ bit: sluice_json_accept) {
        rawValue = UInt16(bit.rawValue)
    }
}

extension ScalarGrammar {
    /// The number of digits up to which every integer is in the range.
    fileprivate var integerDigits: Int {
        switch self {
        case .int8, .uint8: 2
        case .int16, .uint16: 4
        case .int32, .uint32: 9
        case .int64: 18
        case .uint64: 19
        default: 0
        }
    }

    fileprivate var isSigned: Bool {
        switch self {
        case .int8, .int16, .int32, .int64: true
        default: false
        }
    }
}

extension sluice_json_text {
    init(quoting bytes: ArraySlice<UInt8>) {
        self.init()
        let quoted = [UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\"")]
        withUnsafeMutableBytes(of: &text) { $0.copyBytes(from: quoted) }
        mask = UInt32.lowBits(quoted.count)
    }
}
