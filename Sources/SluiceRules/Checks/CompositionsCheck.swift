internal import SluiceContract

/// All bindings that are made of others, once every binding has been looked at by itself.
struct CompositionsCheck {
    let root: Scope
    let types: TypeMeanings
    let reading: Reading

    /// What was made of the bindings one by one.
    struct Reading {
        /// Whether each of them is there with its route, so that what no route takes is bound to nothing.
        var hasAllRoutes = true
        /// Positions of those that have no mistake of their own.
        var sound: Set<Int> = []
    }

    init(_ root: Scope, _ types: TypeMeanings, _ reading: Reading) {
        (self.root, self.types, self.reading) = (root, types, reading)
    }

    /// Fills in the types of those that say none.
    func run(_ configuration: inout Configuration) {
        guard configuration.hasCompositions else { return }
        let targets = configuration.bindings.map { binding in
            (binding.composition?.parts ?? []).map { $0.target(among: configuration.bindings)?.binding }
        }
        // Types that do not fit may follow from any other mistake, and are not told as well.
        let mayCheckTypes = !root.log.hasMistakesBesideFixtures
        let order = order(of: targets, configuration.bindings)
        if mayCheckTypes { checkTypes(in: order, targets, &configuration) }
        checkNames(except: mayCheckTypes ? Set(order) : [], configuration.bindings)
    }

    private func checkTypes(in order: [Int], _ targets: [[Int?]], _ configuration: inout Configuration) {
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

    /// Names stand for themselves, whatever else is wrong: for what is asked all routes have to be known, for values
    /// the binding's own parts and parameters.
    private func checkNames(except checked: Set<Int>, _ bindings: [Binding]) {
        for (index, binding) in bindings.enumerated() where !checked.contains(index) {
            guard let composition = binding.composition else { continue }
            let naming = PartNamesCheck(binding, composition, root / "bindings" / binding.name)
            if reading.hasAllRoutes { naming.checkTargets(among: bindings) }
            if reading.sound.contains(index) { naming.checkNames() }
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

    /// Bindings in an order in which each stands behind those that it is made of. A circle is told; it is left out, and
    /// so is what is made of it.
    private func order(of targets: [[Int?]], _ bindings: [Binding]) -> [Int] {
        var order: [Int] = []
        // Whether nothing leads from there into a circle.
        var isFree: [Int: Bool] = [:]
        var way: [Int] = []
        func visit(_ index: Int) -> Bool {
            if let known = isFree[index] { return known }
            if let first = way.firstIndex(of: index) {
                let names = (way[first...] + [index]).map { bindings[$0].name }.joined(separator: " → ")
                (root / "bindings" / bindings[index].name / "parts").mistake(
                    "the binding is made of itself: \(names)", expected: "parts that do without it")
                return false
            }
            way.append(index)
            var areFree = true
            for next in targets[index].compactMap(\.self) where !visit(next) { areFree = false }
            way.removeLast()
            isFree[index] = areFree
            if areFree { order.append(index) }
            return areFree
        }
        for index in bindings.indices { _ = visit(index) }
        return order
    }
}
