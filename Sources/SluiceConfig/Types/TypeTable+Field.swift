import SluiceContract
import SluiceRules

/// The long form of a field of an object.
enum FieldSection {
    static let section = Section(
        name: "field", summary: "A field of an object with more than a type",
        keys: [
            .required("type", .type, "Its type"),
            .init(
                "from", .text(), default: "the field's name",
                "The key in the upstream's JSON, a key path, header NAME or http status"),
            .init("default", .any, "The value where the key is absent"),
            .init("optional", .flag, default: "false", "The same as ? behind the type, for types written as YAML"),
        ])
}

extension TypeTable {
    /// A field or parameter as read; keys that only parameters have are left to their reader.
    struct FieldReading {
        var type: TypeExpression
        var defaultJSON: String?
        /// Its only value (`fixed:` of a parameter).
        var fixedJSON: String?
        /// The source of the fixed value, where it is not written in the page.
        var fixedSource: TokenSource?
        /// `from:` of a field.
        var from: FieldSource.Reading?
    }

    /// Reads `Int = 10`, a type written as YAML, or the long form with the section's keys.
    ///
    /// - Parameter more: reads the keys that only this section has.
    func field(_ node: SourceNode, _ section: Section, more: ((Fields) -> Void)? = nil) -> FieldReading? {
        let mayComeFrom = section.key("from") != nil
        guard Self.isLongForm(node, section) else {
            guard let source = sourceAlone(node, section) else { return shortForm(node, mayComeFrom: mayComeFrom) }
            context.findings.mistake(
                at: source.place, "'type:' is missing",
                suggestion: .advice("write {type: String, from: \(source.key)}"))
            return nil
        }
        var result: FieldReading?
        Fields.read(node, section, context) { fields in
            let fixedNode = section.key("fixed").flatMap { fields.node($0.name) }
            let typeNode = fixedNode == nil ? fields.required("type") : fields.node("type")
            let defaultNode = fields.node("default")
            var isOptional = false
            var from: FieldSource.Reading?
            if section.key("optional") != nil { fields.set("optional", &isOptional, context.flag) }
            if mayComeFrom { fields.set("from", &from, context.fieldSource) }
            more?(fields)
            let typed = typeNode.map { shortForm($0, mayComeFrom: mayComeFrom) } ?? Self.text(fixedNode)
            guard var reading = typed else { return }
            if from != nil, reading.from != nil, let node = fields.node("from") {
                context.findings.mistake(
                    at: node.place, "where the value stands is said twice", expected: "'T from …' or 'from: …'")
            }
            if isOptional { reading.type = optional(reading.type) }
            if let defaultNode {
                if reading.defaultJSON != nil {
                    context.findings.mistake(
                        at: defaultNode.place, "the default stands twice", expected: "'= x' or 'default: x'")
                }
                reading.defaultJSON = json(defaultNode, as: reading.type)
            }
            // A variable would be sent upstream as it is written, so it is refused.
            if let fixedNode, BearerSection.isSource(fixedNode) {
                reading.fixedSource = BearerSection.read(fixedNode, context, noun: "fixed value")
            } else if let fixedNode, fixedNode.text.map({ context.isFilledIn($0, fixedNode) }) ?? true {
                reading.fixedJSON = json(fixedNode, as: reading.type)
            }
            if let from { reading.from = from }
            result = reading
        }
        return result
    }

    /// The type of a parameter that has only a fixed value: a string.
    private static func text(_ node: SourceNode?) -> FieldReading? {
        node.map { _ in FieldReading(type: .scalar(.string)) }
    }

    /// Whether a mapping is the long form: it has a `type`, and either nothing else or another key of the long form;
    /// `{type: Int, size: Int}` is an object. A fixed value needs no type.
    static func isLongForm(_ node: SourceNode, _ section: Section) -> Bool {
        guard let entries = node.entries else { return false }
        if section.key("fixed") != nil, node.value("fixed") != nil {
            return entries.allSatisfy { $0.key.text.map { section.key($0) != nil } ?? false }
        }
        guard node.value("type") != nil else { return false }
        let others = entries.filter { $0.key.text != "type" }
        // `required: true`, as in JSON Schema, is not a field of an object: its value is not a type.
        return others.isEmpty
            || others.contains {
                $0.key.text.map { section.key($0) != nil } == true || isNoType($0.key, $0.value)
                    || isMisspelt($0.key, $0.value, section)
            }
    }

    /// `optionl: true` and `defualt: 10`: nearly a key, with a value that is not a type. `{type: Int, form: String}` is
    /// an object.
    private static func isMisspelt(_ key: SourceNode, _ value: SourceNode, _ section: Section) -> Bool {
        guard let word = key.text, word.utf8.count >= 4, let first = value.text?.unicodeScalars.first,
            Nearest.name(to: word, among: section.keys.map(\.name)) != nil
        else { return false }
        return !first.properties.isUppercase && value.text?.contains { "|?[({".contains($0) } == false
    }

    /// `{from: full_name}`, which lacks its type: a value of `from:` that is not a type is taken for a key of the
    /// upstream.
    private func sourceAlone(_ node: SourceNode, _ section: Section) -> (place: SourceNode.Place, key: String)? {
        guard section.key("from") != nil, node.value("type") == nil, let entries = node.entries,
            entries.allSatisfy({ $0.key.text.map { section.key($0) != nil } ?? false }),
            let from = entries.first(where: { $0.key.text == "from" }), let text = from.value.text, !from.value.isNull,
            text.unicodeScalars.first?.properties.isLowercase == true, !text.contains(where: { "|?[({=".contains($0) }),
            Nearest.name(to: text, among: knownNames) == nil, ForeignType.name(for: text) == nil
        else { return nil }
        return (from.key.place, text)
    }

    private static func isNoType(_ key: SourceNode, _ value: SourceNode) -> Bool {
        let words = ["required", "nullable", "readOnly", "writeOnly", "deprecated"]
        let isFlag = ["true", "false"].contains(value.text) && key.text.map { words.contains($0) } ?? false
        let isBound = key.text.map { ForeignKey.bounds.contains($0.lowercased()) } ?? false
        let isNumber = value.text.map { Double($0) != nil } ?? false
        return isFlag || isBound && isNumber || value.items.map { $0.count > 1 } == true
    }

    private func shortForm(_ node: SourceNode, mayComeFrom: Bool) -> FieldReading? {
        guard node.text != nil else {
            return type(node).map { FieldReading(type: $0) }
        }
        guard let reading = notation(node, TypeNotation.field) else { return nil }
        var field = FieldReading(type: reading.type)
        if let text = reading.sourceText {
            guard mayComeFrom else {
                context.findings.mistake(
                    at: node.place(at: reading.sourceOffset),
                    "a parameter comes from the client, and not from '\(text)'",
                    expected: "a type, and 'in:' for where the client says it")
                return nil
            }
            guard let from = context.fieldSource(text, at: node.place(at: reading.sourceOffset)) else { return nil }
            field.from = from
        }
        if let text = reading.defaultText {
            let place = node.place(at: reading.defaultOffset)
            guard let value = SourceDocument.fragment(text, at: place) else {
                context.findings.mistake(
                    at: place, "'\(text)' is no default", expected: "a value of type \(reading.type)")
                return nil
            }
            field.defaultJSON = json(value, as: reading.type)
        }
        return field
    }

    private func optional(_ type: TypeExpression) -> TypeExpression {
        if case .optional = type { type } else { .optional(type) }
    }

    /// The JSON of a default.
    func json(_ node: SourceNode, as type: TypeExpression) -> String {
        DefaultValue(types: self).json(node, as: type)
    }
}

extension ReadingContext {
    /// The source of a field's value.
    func fieldSource(_ node: SourceNode) -> FieldSource.Reading? {
        text(node, what: "a key or a key path").flatMap { fieldSource($0, at: node.place) }
    }

    func fieldSource(_ text: String, at place: SourceNode.Place) -> FieldSource.Reading? {
        do {
            return try FieldSource.read(text)
        } catch {
            findings.mistake(
                at: place, "'\(text)' is no key path: \(error.message)", expected: error.expected,
                suggestion: error.suggestion.map { .didYouMean($0) })
            return nil
        }
    }

    /// One key of the upstream's JSON, written as a path of one key: a key with a dot or a bracket is in double quotes.
    func upstreamKey(_ node: SourceNode) -> String? {
        guard let text = text(node, what: "a key") else { return nil }
        if text.hasPrefix("\""), text.hasSuffix("\""), text.utf8.count > 1 {
            return String(text.dropFirst().dropLast())
        }
        guard text.contains(".") || text.contains("[") else { return text }
        findings.mistake(
            at: node.place, "'\(text)' is a path, and 'union' is one key",
            expected: "a key; one that holds a dot or a bracket stands in quotes: '\"\(text)\"'",
            suggestion: .advice("for what lies deeper, declare an object in between"))
        return nil
    }

    /// A key in the notation of the configuration.
    static func writtenKey(_ key: String) -> String {
        key.contains(".") || key.contains("[") || key.hasPrefix("\"") ? "\"\(key)\"" : key
    }
}
