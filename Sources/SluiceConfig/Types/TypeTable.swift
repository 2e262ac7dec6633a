import SluiceContract

/// The types of one file. A definition is read when it is first needed, so that their order in the file is free.
final class TypeTable {
    let desk: Desk
    private var nodes: [(name: String, key: SourceNode, value: SourceNode)] = []
    private var places: [String: Int] = [:]
    /// What names of names mean in the end.
    private var meanings: [String: TypeExpression] = [:]
    private var readings: [String: TypeExpression] = [:]
    private var inProgress: Set<String> = []
    /// Names that each definition mentions; "" is for what stands outside of `types:`.
    private var mentions: [String: Set<String>] = [:]
    private var current = ""
    private var isCyclic = false
    private var unions: [(members: [TypeExpression], place: SourceNode.Place)] = []

    init(_ node: SourceNode?, _ desk: Desk) {
        self.desk = desk
        guard let node else { return }
        for (name, key, value) in desk.named(node, what: "types by name") where isFree(name, key) {
            places[name] = nodes.count
            nodes.append((name, key, value))
        }
        for (name, _, _) in nodes { _ = definition(name) }
        let cycles = TypeCycles.mistakes(in: definitions)
        isCyclic = !cycles.isEmpty
        for mistake in cycles {
            desk.findings.mistake(at: place(of: mistake.name), mistake.message, expected: mistake.expected)
        }
    }

    /// In the order of the file; those that could not be read are left out.
    var definitions: [TypeDefinition] {
        nodes.compactMap { name, _, _ in readings[name].map { TypeDefinition(name: name, type: $0) } }
    }

    func place(of name: String) -> SourceNode.Place {
        places[name].map { nodes[$0].key.place } ?? .init(line: 1, column: 1)
    }

    /// The meaning of a name; nil where it is unknown, wrong, or being read.
    func definition(_ name: String) -> TypeExpression? {
        if let reading = readings[name] { return reading }
        guard let node = places[name].map({ nodes[$0].value }), inProgress.insert(name).inserted else {
            return nil
        }
        let outer = current
        current = name
        // A text is an alias; a mapping is an object even where its keys look like a field's.
        if let type = type(node) { readings[name] = type }
        current = outer
        return readings[name]
    }

    /// Follows names until something else is reached; nil where that is impossible.
    func resolved(_ type: TypeExpression) -> TypeExpression? {
        var type = type
        var way: [String] = []
        while case .named(let name) = type {
            if let known = meanings[name] {
                type = known
                break
            }
            guard let next = definition(name), way.count <= nodes.count else { return nil }
            way.append(name)
            type = next
        }
        for name in way { meanings[name] = type }
        return type
    }

    /// Looks at what needs all types: unions, and names that nothing leads to.
    func finish() {
        // A name that only means itself has no alternatives to look at.
        for (members, place) in isCyclic ? [] : unions { UnionCheck.run(members, at: place, self) }
        guard desk.findings.mistakes.isEmpty else { return }
        var reached: Set<String> = []
        var waiting = Array(mentions[""] ?? [])
        while let name = waiting.popLast() {
            if reached.insert(name).inserted { waiting += mentions[name] ?? [] }
        }
        for (name, key, _) in nodes where !reached.contains(name) {
            desk.findings.warning(at: key.place, "type '\(name)' is not used by any binding")
        }
    }

    func mention(_ name: String) {
        mentions[current, default: []].insert(name)
    }

    func remember(union members: [TypeExpression], at place: SourceNode.Place) {
        unions.append((members, place))
    }

    /// For suggestions.
    var knownNames: [String] {
        nodes.map(\.name) + Scalar.names.map(\.name)
    }

    func isKnown(_ name: String) -> Bool {
        places[name] != nil
    }

    private func isFree(_ name: String, _ key: SourceNode) -> Bool {
        if Scalar.names.contains(where: { $0.name == name }) {
            desk.findings.mistake(
                at: key.place, "'\(name)' is a built-in type", expected: "a name of your own")
            return false
        }
        guard Name.isType(name) else {
            let capital = name.prefix(1).uppercased() + name.dropFirst()
            desk.findings.mistake(
                at: key.place, "'\(name)' cannot name a type", expected: "a capital, then letters, digits, '_' and '.'",
                suggestion: Name.isType(capital) ? .didYouMean(capital) : nil)
            return false
        }
        return true
    }
}
