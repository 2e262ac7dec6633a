import SluiceContract
import SluiceRules

/// Reads types from YAML: a text is in the type notation, a list of one type is an array, a mapping is an object or a
/// dictionary.
extension TypeTable {
    func type(_ node: SourceNode) -> TypeExpression? {
        switch node.content {
        case .scalar:
            guard let reading = notation(node, TypeNotation.type) else { return nil }
            return reading.type
        case .sequence(let items):
            return array(items, node)
        case .mapping(let mapping):
            if mapping.entries.count == 1, let entry = mapping.entries.first, entry.key.text == "*" {
                return type(entry.value).map { .dictionary($0) }
            }
            if let choice = choice(node) { return choice }
            return object(node).map { .object($0) }
        }
    }

    private func array(_ items: [SourceNode], _ node: SourceNode) -> TypeExpression? {
        guard let item = items.first, items.count == 1 else {
            context.findings.mistake(
                at: node.place, "a list of \(items.count) types is no type",
                expected: "a list of one type, such as [Int]",
                suggestion: items.isEmpty
                    ? nil
                    : .advice(
                        items.allSatisfy { $0.entries != nil }
                            ? "leave the '-' out to make them fields of an object" : "write A | B for alternatives"))
            return nil
        }
        // To YAML, `[String: Int]` without quotes is a list of one mapping.
        if case .mapping(let mapping) = item.content, mapping.entries.count == 1, let entry = mapping.entries.first,
            entry.key.text == "String"
        {
            return type(entry.value).map { .dictionary($0) }
        }
        return type(item).map { .array($0) }
    }

    /// `{union: type, card: Card, bank: Bank, default: JSON}`; nil where the mapping is an object with a field named
    /// `union`, whose value is a type.
    private func choice(_ node: SourceNode) -> TypeExpression? {
        guard let first = node.entries?.first, first.key.text == "union", let text = first.value.text,
            let lead = text.utf8.first, !first.value.isNull, !(0x41...0x5a).contains(lead), lead != UInt8(ascii: "[")
        else { return nil }
        guard let key = context.upstreamKey(first.value) else { return .scalar(.json) }
        var choice = ObjectChoice(key: key, alternatives: [])
        for (name, _, value) in context.named(node, what: "alternatives: a value of '\(key)' and a type each")
        where name != "union" {
            guard let type = type(value) else { continue }
            if name == "default" {
                choice.others = type
            } else {
                choice.alternatives.append(.init(value: name, type: type))
            }
        }
        if choice.alternatives.isEmpty {
            context.findings.mistake(
                at: first.key.place, "the union has no alternatives",
                expected: "a type for each value of '\(key)', such as {union: \(key), card: Card, bank: Bank}")
        }
        return .choice(choice)
    }

    func object(_ node: SourceNode) -> ObjectType? {
        var object = ObjectType(fields: [])
        if let entries = node.entries, entries.count == 1, entries[0].key.text == "String" {
            context.findings.mistake(
                at: entries[0].key.place, "a field called 'String' is mostly meant as a dictionary",
                expected: "{\"*\": T} for free keys, or a name of your own")
            return object
        }
        for (name, key, value) in context.named(node, what: "fields: a name and a type each") {
            if name == "*" {
                object.unknown = context.choice(value)
                continue
            }
            if name == "additionalProperties", let text = value.text, ["true", "false"].contains(text) {
                context.findings.mistake(
                    at: key.place, "'additionalProperties' would be a field of the object",
                    expected: "\"*\" for keys that are not named",
                    suggestion: .didYouMean(text == "true" ? "\"*\": pass" : "\"*\": reject"))
                continue
            }
            // A `?` after the name, as in TypeScript: the key may be absent.
            let mayBeAbsent = name.hasSuffix("?") && name != "?"
            let name = mayBeAbsent ? String(name.dropLast()) : name
            guard let reading = self.field(value, FieldSection.section) else { continue }
            if object.fields.contains(where: { $0.name == name }) {
                context.findings.mistake(
                    at: key.place, "'\(name)' stands twice", expected: "each field once, with '?' or without")
                continue
            }
            var field = ObjectType.Field(name: name, type: reading.type, defaultJSON: reading.defaultJSON)
            switch reading.from {
            case nil: break
            case .key(let key): field.from = key
            case .source(let source): field.source = source
            }
            // A default or a type `T?` already allows the key to be absent.
            field.mayBeAbsent = mayBeAbsent && reading.defaultJSON == nil && !isOptional(reading.type)
            object.fields.append(field)
        }
        return object
    }

    private func isOptional(_ type: TypeExpression) -> Bool {
        if case .optional = type { true } else { false }
    }

    /// Refuses a number or a truth value alone, without a type in front of it.
    func refuseConstant(_ type: TypeExpression, _ node: SourceNode) {
        switch type {
        case .array(let inner), .optional(let inner): refuseConstant(inner, node)
        case .constant(let json):
            let meant = Int(json) != nil ? Scalar.int : json.first?.isLetter == true ? .bool : .double
            context.findings.mistake(
                at: node.place, "'\(json)' is no type but this one value", expected: "a type, or several values",
                suggestion: .advice("write a default behind its type: \(meant.name) = \(json)"))
        default: break
        }
    }

    /// Reads a text in the type notation.
    func notation(
        _ node: SourceNode,
        _ parse: (String) throws(TypeNotation.Malformed) -> TypeNotation.Reading
    ) -> TypeNotation.Reading? {
        guard let text = node.text, !node.isNull else {
            context.findings.mistake(
                at: node.place, "a type is missing", expected: "a type such as String, [Fruit], Int? or red | green")
            return nil
        }
        do {
            let reading = try parse(text)
            guard check(words: reading, node) else { return nil }
            return reading
        } catch {
            // In `{limit: Int(1, 5)}` YAML ends the text at the comma.
            let isCut = error.offset == text.utf8.count && error.message.hasSuffix(" is open")
            context.findings.mistake(
                at: node.place(at: error.offset), "'\(text)' is no type: \(error.message)", expected: error.expected,
                suggestion: error.suggestion.map { .didYouMean($0) }
                    ?? (isCut && node.isPlain
                        ? .advice("put the whole type in single quotes where a comma or a blank and '#' stands in it")
                        : nil))
            return nil
        }
    }

    /// Checks words that the author may not have meant as strings.
    private func check(words reading: TypeNotation.Reading, _ node: SourceNode) -> Bool {
        guard let first = reading.words.first else { return true }
        if reading.words.count == 1, Self.isOneWord(reading.type) { return check(word: first.name, node) }
        return true
    }

    private static func isOneWord(_ type: TypeExpression) -> Bool {
        switch type {
        case .array(let inner), .dictionary(let inner), .optional(let inner): isOneWord(inner)
        case .union(let members): members.count == 2 && members.contains(.null) && members.contains(where: isOneWord)
        case .literals(let words): words.count == 1
        case .scalar, .open, .constant, .constrained, .converted, .null, .object, .choice, .named: false
        }
    }

    /// In the notation, a single word without a capital is a set of one string; its author mostly meant something else.
    private func check(word: String, _ node: SourceNode) -> Bool {
        let near = Nearest.name(to: word, among: knownNames) ?? ForeignType.name(for: word)
        guard let near else {
            warn(ofOnly: word, node)
            return true
        }
        // A type of exactly this name has an invalid name, which is reported at its definition.
        if near == word { return false }
        context.findings.mistake(
            at: node.place, "'\(word)' is a set of one string",
            expected: "a type, several strings, or '\"\(word)\"' for this one alone",
            suggestion: .didYouMean(near))
        return false
    }

    /// Warns that only this one text would be valid, which few APIs use.
    private func warn(ofOnly word: String, _ node: SourceNode) {
        let isPath = word.contains(".") && !word.hasSuffix(".")
        context.findings.warning(
            at: node.place, "'\(word)' is no type, so only the text \"\(word)\" is right here",
            suggestion: .advice(
                isPath
                    ? "write a key path under 'parent:'; put the text in double quotes if it is meant"
                    : "put it in double quotes if it is meant"))
    }
}
