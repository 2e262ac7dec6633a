internal import SluiceContract

/// All bindings that are made of others, once every binding has been looked at by itself.
struct CompositionsCheck {
    let root: Scope
    let types: TypeMeanings

    init(_ root: Scope, _ types: TypeMeanings) {
        (self.root, self.types) = (root, types)
    }

    /// Fills in the types of those that say none.
    func run(_ configuration: inout Configuration) {
        guard configuration.hasCompositions else { return }
        let targets = configuration.bindings.map { binding in
            (binding.composition?.parts ?? []).map { $0.target(among: configuration.bindings)?.binding }
        }
        // What follows from a mistake is not told as well.
        guard let order = order(of: targets, configuration.bindings), !root.log.hasMistakes else { return }
        let local = LocalTypes(configuration)
        let fit = TypeFit(local)
        for index in order {
            let binding = configuration.bindings[index]
            guard let composition = binding.composition else { continue }
            let scope = root / "bindings" / binding.name
            let parts = targets[index].compactMap(\.self).map { configuration.bindings[$0] }
            guard hasOneMeaning(of: [binding] + parts, local, scope) else { continue }
            let check = CompositionCheck(binding, composition, in: configuration, fit, scope)
            configuration.bindings[index].value = check.run()
            if binding.value == nil, binding.valueByStatus.isEmpty {
                // Their type is known only now.
                let rule = FixtureRule(configuration.bindings[index], types.meaning(local.definitions), scope)
                configuration.bindings[index].fixture = rule.fixture
                configuration.bindings[index].fixtures = rule.fixtures
            }
            tag(&configuration.bindings[index], with: parts)
        }
    }

    /// Whether each type has the same keys in every binding that uses it. Otherwise there is no type for an answer that
    /// is composed of both.
    private func hasOneMeaning(of bindings: [Binding], _ types: LocalTypes, _ scope: Scope) -> Bool {
        if types.ambiguous.isEmpty { return true }
        let names = types.names(in: bindings)
        guard let type = types.ambiguous.first(where: { names.contains($0.name) }) else { return true }
        let (one, other) = (type.renamingBinding, type.plainBinding)
        (scope / "parts").mistake(
            "'\(type.name)' has '\(type.renamed)' from \(one), and '\(type.declared)' from \(other)",
            expected: "a type of its own for each of them")
        return false
    }

    /// A purge of a part by its tag includes the answers composed of it.
    private func tag(_ binding: inout Binding, with parts: [Binding]) {
        for tag in parts.flatMap({ $0.cache?.tags ?? [] }) where binding.cache?.tags.contains(tag) == false {
            binding.cache?.tags.append(tag)
        }
    }

    /// Bindings in an order in which each stands behind those that it is made of; nil where they go in a circle, which
    /// is told.
    private func order(of targets: [[Int?]], _ bindings: [Binding]) -> [Int]? {
        var order: [Int] = []
        var done: Set<Int> = []
        var way: [Int] = []
        func visit(_ index: Int) -> Bool {
            if done.contains(index) { return true }
            if let first = way.firstIndex(of: index) {
                let names = (way[first...] + [index]).map { bindings[$0].name }.joined(separator: " → ")
                (root / "bindings" / bindings[index].name / "parts").mistake(
                    "the binding is made of itself: \(names)", expected: "parts that do without it")
                return false
            }
            way.append(index)
            for next in targets[index].compactMap(\.self) { guard visit(next) else { return false } }
            way.removeLast()
            done.insert(index)
            order.append(index)
            return true
        }
        for index in bindings.indices { guard visit(index) else { return nil } }
        return order
    }
}
