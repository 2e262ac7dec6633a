import SluiceContract
import SluiceRules

/// One mapping while it is read according to its section. Unknown and repeated keys are reported at once, and the
/// reader has to ask for every key of the section's table, so that table and reader cannot differ.
final class Fields {
    let section: Section
    let place: SourceNode.Place
    let context: ReadingContext
    private var values: [String: SourceNode.Mapping.Entry] = [:]
    private var asked: Set<String> = []
    /// Keys that were misspelt: the misspelling is reported, but not that the key is missing.
    private var misspelt: Set<String> = []
    /// The entries whose keys are statuses, where the section allows them.
    private(set) var statuses: [(status: Int, key: SourceNode, value: SourceNode)] = []

    /// Reads a mapping. An empty value (`cache:`) counts as an empty mapping; anything else is a mistake.
    static func read(_ node: SourceNode, _ section: Section, _ context: ReadingContext, _ body: (Fields) -> Void) {
        guard node.entries != nil || node.isNull else {
            context.noMapping(node, section)
            return
        }
        let fields = Fields(node, section, context)
        body(fields)
        assert(
            fields.asked == Set(section.keys.map(\.name)),
            "section \(section.name): its table and its reader differ in "
                + "\(fields.asked.symmetricDifference(section.keys.map(\.name)).sorted())")
    }

    /// Reads a section that consists of settings only; nil where the node is not a mapping.
    static func layer<Model: Layered>(_ node: SourceNode, _ section: Section, _ context: ReadingContext) -> Saying<
        Model
    >? {
        var layer: Layer<Model>?
        read(node, section, context) { layer = $0.layer() }
        return layer.map { .layer($0) }
    }

    private init(_ node: SourceNode, _ section: Section, _ context: ReadingContext) {
        self.section = section
        self.place = node.place
        self.context = context
        let known = section.keys.map(\.name)
        for entry in node.entries ?? [] {
            guard let key = entry.key.text else {
                context.findings.mistake(at: entry.key.place, "\(entry.key.kind) as a key", expected: section.keyList)
                continue
            }
            if section.statuses != nil, let status = context.status(key) {
                if let earlier = statuses.first(where: { $0.status == status }) {
                    context.repeated(key, entry.key, earlier: earlier.key)
                } else {
                    statuses.append((status, entry.key, entry.value))
                }
                continue
            }
            if section.takesExtensions, key.hasPrefix("x-") { continue }
            if key == "<<" {
                context.mergeKey(entry.key)
                continue
            }
            guard known.contains(key) else {
                let near = section.suggestion(for: key) { node.value($0) != nil }
                if case .didYouMean(let name)? = near {
                    misspelt.insert(name)
                    if section.key(name)?.holdsSecrets == true {
                        SecretLines.hideAll(of: entry.key, context.findings)
                        SecretLines.hideAll(of: entry.value, context.findings)
                    }
                }
                // `{sk-1234}` is a mapping with the token as its key.
                let shown = section.holdsSecrets && near == nil ? "unknown key" : "unknown key '\(key)'"
                // Beside a suggestion, a long list of keys would only distract.
                let isLong = known.count > Section.shortListMax
                context.findings.mistake(
                    at: entry.key.place, shown, expected: near != nil && isLong ? nil : section.keyList,
                    suggestion: near)
                continue
            }
            if let earlier = values[key] {
                context.repeated(key, entry.key, earlier: earlier.key)
                continue
            }
            values[key] = entry
        }
    }

    /// The value of a key; nil where the key is absent.
    func node(_ key: String) -> SourceNode? {
        #if DEBUG
            asked.insert(key)
        #endif
        return values[key]?.value
    }

    /// The place of a key; that of the mapping where the key is absent.
    func keyPlace(_ key: String) -> SourceNode.Place {
        values[key]?.key.place ?? place
    }

    func has(_ key: String) -> Bool {
        values[key] != nil
    }

    /// Reads the value of a key, if present, into a variable; a wrong value leaves the variable unchanged.
    func set<Value>(_ key: String, _ target: inout Value, _ read: (SourceNode) -> Value?) {
        if let node = node(key), let value = read(node) { target = value }
    }

    /// The same for a variable that may be nil.
    func set<Value>(_ key: String, _ target: inout Value?, _ read: (SourceNode) -> Value?) {
        if let node = node(key), let value = read(node) { target = value }
    }

    /// Whether a word in the mapping was taken for a misspelling of this key.
    func isMisspelt(_ key: String) -> Bool {
        misspelt.contains(key)
    }

    /// The value of a required key; its absence is reported.
    func required(_ key: String) -> SourceNode? {
        if let node = node(key) { return node }
        if isMisspelt(key) { return nil }
        context.findings.mistake(
            at: place, "key '\(key)' is missing",
            expected: section.key(key).map { $0.summary.prefix(1).lowercased() + $0.summary.dropFirst() })
        return nil
    }
}

extension ReadingContext {
    /// A status code (RFC 9110 §15) as a key.
    func status(_ key: String) -> Int? {
        guard key.utf8.count == 3, let status = Int(key), (200...599).contains(status) else { return nil }
        return status
    }

    /// Reports a key that occurs twice in one mapping.
    func repeated(_ key: String, _ node: SourceNode, earlier: SourceNode) {
        findings.mistake(
            at: node.place,
            "key '\(key)' stands twice, first in \(findings.name(of: earlier.place, seenFrom: node.place))",
            expected: "each key once")
    }

    /// YAML 1.1 merges mappings by this key; YAML 1.2 does not know it.
    func mergeKey(_ node: SourceNode) {
        let fault = YAMLFault.mergeKey(at: node.place)
        findings.mistake(at: fault.place, fault.message, expected: fault.expected, suggestion: fault.suggestion)
    }

    /// Reports a value that is not a mapping where a section is expected.
    fileprivate func noMapping(_ node: SourceNode, _ section: Section) {
        if section.holdsSecrets { findings.hide(lineOf: node.place) }
        if let text = node.text, let colon = text.firstIndex(of: ":"), section.key(String(text[..<colon])) != nil {
            let name = text[..<colon]
            findings.mistake(
                at: node.place, "no space behind the ':' of '\(name)'", suggestion: .didYouMean("\(name): …"))
            return
        }
        var suggestion: Suggestion?
        if let key = section.bareKey, section.holdsSecrets, node.text != nil, !node.isNull {
            suggestion = .didYouMean("{\(key): …}")
        } else if let key = section.bareKey, let text = node.text, !node.isNull, !text.contains("@"),
            !ShownText.hasSecret(inQueryOf: text)
        {
            let isDuration = if case .duration = section.key(key)?.shape { true } else { false }
            let value: String? = isDuration ? Quantity.nearestDuration(text) : node.isSwitch ? nil : text
            suggestion = value.map { .didYouMean("{\(key): \($0)}") }
        }
        findings.mistake(
            at: node.place,
            "\(section.holdsSecrets && node.text != nil ? "a text" : node.kind) where a mapping is wanted",
            expected: suggestion == nil || section.holdsSecrets ? section.keyList : nil, suggestion: suggestion)
    }

    /// The entries of a mapping whose keys are names of the author's choice.
    /// - Parameter advice: the suggestion for a value that is not a mapping.
    func named(
        _ node: SourceNode, what: String, advice: ((SourceNode) -> Suggestion?)? = nil
    ) -> [(name: String, key: SourceNode, value: SourceNode)] {
        guard let entries = node.entries else {
            if !node.isNull {
                let isDashed = node.items?.contains { $0.entries != nil } == true
                findings.mistake(
                    at: node.place, "\(node.kind) where a mapping is wanted", expected: what,
                    suggestion: advice?(node) ?? (isDashed ? .advice("leave the '-' out") : nil))
            }
            return []
        }
        var seen: [String: SourceNode] = [:]
        var result: [(name: String, key: SourceNode, value: SourceNode)] = []
        for entry in entries {
            guard let name = entry.key.text, !name.isEmpty else {
                findings.mistake(at: entry.key.place, "\(entry.key.kind) as a key", expected: what)
                continue
            }
            if name == "<<" {
                mergeKey(entry.key)
                continue
            }
            if let earlier = seen[name] {
                repeated(name, entry.key, earlier: earlier)
                continue
            }
            seen[name] = entry.key
            result.append((name, entry.key, entry.value))
        }
        return result
    }
}
