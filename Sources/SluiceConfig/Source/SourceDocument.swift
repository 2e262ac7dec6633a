/// Builds the tree of a page from its YAML events.
///
/// Duplicate keys are kept, so that the reader of the mapping can report all of them in one run.
struct SourceDocument {
    private let findings: Findings
    private let events: YAMLEvents
    /// The collections that have begun and not ended, the outermost first.
    private var open: [Collection] = []
    private var root: Branch?
    private var anchors: [String: Branch] = [:]
    private var nodeCount = 0
    private var repeatedCount = 0

    /// The most keys, values and items. The nodes of an alias count each time that it is used: aliases can make a small
    /// file a huge document.
    static let nodeCountMax = 500_000
    static let depthMax = 64
    private static let repeatedKeysMax = 64

    /// A node and its size.
    private struct Branch {
        var node: SourceNode
        /// Nodes in it, itself included.
        var count: Int
        /// Levels below it.
        var height: Int
    }

    private struct Collection {
        let place: SourceNode.Place
        let anchor: String?
        let kind: Kind
        /// Items, or keys and values alternately.
        var nodes: [SourceNode] = []
        var count = 1
        var height = 0

        enum Kind: Equatable {
            case sequence
            case mapping(isFlow: Bool)
        }

        init(_ kind: Kind, at place: SourceNode.Place, anchor: String?) {
            (self.kind, self.place, self.anchor) = (kind, place, anchor)
        }
    }

    /// Why there is no tree.
    private enum Refusal: Error {
        case fault(YAMLEvents.Fault)
        /// An alias without an anchor above, and the message for it where the place may hold no secret.
        case noAnchor(YAMLEvents.Fault, YAMLFault)
        case tooDeep(SourceNode.Place)
        case tooLarge(SourceNode.Place)
        /// A repeated key that is not a text or is empty, or one beyond the number of repeated keys that is tolerated.
        case repeatedKey(SourceNode)
    }

    /// The document's root; nil where the document is empty or is not valid YAML, which is reported.
    static func root(_ findings: Findings) -> SourceNode? {
        var document = SourceDocument(findings)
        do throws(Refusal) {
            guard let root = try document.read() else { return nil }
            findings.hideSecrets(in: root)
            return root
        } catch {
            document.report(error)
            return nil
        }
    }

    /// Reads a value inside another text, such as a default after `=`; nil where it cannot be read.
    static func fragment(_ text: String, at place: SourceNode.Place) -> SourceNode? {
        guard let first = text.first, "[{\"'".contains(first) else {
            return SourceNode(content: .scalar(.init(text: text, style: .plain)), place: place)
        }
        let findings = Findings(file: "", text: text)
        let node = root(findings)
        return findings.mistakes.isEmpty ? node : nil
    }

    private init(_ findings: Findings) {
        self.findings = findings
        events = YAMLEvents(findings.source.bytes)
    }

    // MARK: - Events to nodes

    private mutating func read() throws(Refusal) -> SourceNode? {
        while true {
            let (event, place) = try next()
            switch event {
            case .documentStart where root != nil:
                throw .fault(.init(problem: "but found another document", place: place, context: nil))
            case .documentStart, .documentEnd: break
            case .streamEnd: return root?.node
            case .scalar(let scalar, let anchor):
                let node = SourceNode(content: .scalar(scalar), place: place)
                try take(Branch(node: node, count: 1, height: 0), at: place, anchor: anchor)
            case .sequenceStart(let anchor): try begin(.sequence, at: place, anchor: anchor)
            case .mappingStart(let anchor, let isFlow):
                try begin(.mapping(isFlow: isFlow), at: place, anchor: anchor)
            case .collectionEnd: try end()
            case .alias(let name):
                // Anchors are recorded once their value is complete, so no value can contain itself.
                guard let branch = anchors[name] else { throw noAnchor(name, at: place) }
                try count(branch.count, depth: open.count + branch.height, at: place)
                add(branch)
            }
        }
    }

    private func next() throws(Refusal) -> (event: YAMLEvents.Event, place: SourceNode.Place) {
        do throws(YAMLEvents.Fault) {
            return try events.next()
        } catch {
            throw .fault(error)
        }
    }

    private func noAnchor(_ name: String, at place: SourceNode.Place) -> Refusal {
        let fault = YAMLEvents.Fault(problem: "found undefined alias", place: place, context: nil)
        if let last = open.last, last.kind != .sequence, last.nodes.count % 2 == 1, let key = last.nodes.last,
            key.text == "<<"
        {
            return .noAnchor(fault, .mergeKey(at: key.place))
        }
        if open.contains(where: { $0.anchor == name }) {
            return .noAnchor(fault, YAMLFault(at: place, "the alias '*\(name)' stands in the value that it names"))
        }
        return .noAnchor(fault, .noAnchor(name, at: place, known: anchors.keys.sorted()))
    }

    private mutating func begin(
        _ kind: Collection.Kind, at place: SourceNode.Place, anchor: String?
    ) throws(Refusal) {
        try count(1, depth: open.count, at: place)
        open.append(Collection(kind, at: place, anchor: anchor))
    }

    private mutating func end() throws(Refusal) {
        guard let collection = open.popLast() else { return }
        let content: SourceNode.Content
        switch collection.kind {
        case .sequence: content = .sequence(collection.nodes)
        case .mapping(let isFlow):
            let entries = stride(from: 0, to: collection.nodes.count - 1, by: 2).map {
                SourceNode.Mapping.Entry(key: collection.nodes[$0], value: collection.nodes[$0 + 1])
            }
            try judgeKeys(of: entries)
            content = .mapping(.init(entries: entries, isFlow: isFlow))
        }
        let node = SourceNode(content: content, place: collection.place)
        let branch = Branch(node: node, count: collection.count, height: collection.height)
        if let anchor = collection.anchor { anchors[anchor] = branch }
        add(branch)
    }

    /// Adds a node that consists of a single event.
    private mutating func take(_ branch: Branch, at place: SourceNode.Place, anchor: String?) throws(Refusal) {
        try count(1, depth: open.count, at: place)
        if let anchor { anchors[anchor] = branch }
        add(branch)
    }

    private mutating func add(_ branch: Branch) {
        guard let last = open.indices.last else {
            root = branch
            return
        }
        open[last].nodes.append(branch.node)
        open[last].count += branch.count
        open[last].height = max(open[last].height, branch.height + 1)
    }

    private mutating func count(_ nodes: Int, depth: Int, at place: SourceNode.Place) throws(Refusal) {
        guard depth <= Self.depthMax else { throw .tooDeep(place) }
        nodeCount += nodes
        guard nodeCount <= Self.nodeCountMax else { throw .tooLarge(place) }
    }

    private mutating func judgeKeys(of entries: [SourceNode.Mapping.Entry]) throws(Refusal) {
        var known: Set<SourceNode.Content> = []
        for entry in entries {
            let content = entry.key.contentAlone
            if known.insert(content).inserted { continue }
            repeatedCount += 1
            guard (entry.key.text ?? "").isEmpty || repeatedCount > Self.repeatedKeysMax else { continue }
            let first = entries.first { $0.key.contentAlone == content } ?? entry
            throw .repeatedKey(first.key)
        }
    }

    // MARK: - What is wrong

    private func report(_ refusal: Refusal) {
        switch refusal {
        case .fault(let fault) where fault.isUnreadable:
            note(at: fault.place, "not readable as text: \(fault.problem)", "UTF-8")
        case .fault(let fault): report(fault)
        case .noAnchor(let fault, let told): report(fault, told)
        case .tooDeep(let place):
            note(at: place, "the page is nested too deeply", "at most \(Self.depthMax) levels")
        case .tooLarge(let place):
            note(
                at: place, "the page is too large",
                "at most \(Self.nodeCountMax) keys, values and list items; those behind an alias (*name) count "
                    + "wherever it stands")
        case .repeatedKey(let key):
            note(at: key.place, "key '\(key.text ?? "…")' stands twice", "each key once")
        }
    }

    /// Reports a mistake without its line: without a tree it is unknown which lines hold secrets.
    private func note(at place: SourceNode.Place, _ message: String, _ expected: String) {
        findings.hide(line: place.line)
        findings.mistake(at: place, message, expected: expected)
    }

    /// - Parameter plain: the message to use where the place may hold no secret; a token may begin with a star.
    private func report(_ fault: YAMLEvents.Fault, _ plain: YAMLFault? = nil) {
        let isSecret = SecretLines.hide(around: fault.place.line, findings)
        let page = YAMLPage(lines: Array(findings.lines), names: !isSecret)
        let usual = page.fault(fault.problem, at: fault.place, context: fault.context)
        let told = isSecret ? usual : plain ?? usual
        // The reported place may be another one, so its lines are checked too.
        SecretLines.hide(around: told.place.line, findings)
        findings.mistake(at: told.place, told.message, expected: told.expected, suggestion: told.suggestion)
    }
}

extension SourceNode {
    /// The content that distinguishes keys, regardless of their place and style.
    fileprivate var contentAlone: Content {
        func alone(_ node: SourceNode) -> SourceNode {
            SourceNode(content: node.contentAlone, place: Place(line: 0, column: 0))
        }
        return switch content {
        case .scalar(let scalar): .scalar(.init(text: scalar.text, style: .plain))
        case .sequence(let items): .sequence(items.map(alone))
        case .mapping(let mapping):
            .mapping(
                .init(entries: mapping.entries.map { .init(key: alone($0.key), value: alone($0.value)) }, isFlow: false)
            )
        }
    }
}
