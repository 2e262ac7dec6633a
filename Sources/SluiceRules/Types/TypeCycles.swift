internal import SluiceContract

/// Finds types that no finite value can have, and names that mean nothing but each other.
enum TypeCycles {
    struct Finding {
        var name: String
        var message: String
        var expected: String
    }

    /// Complexity: linear in the definitions and the names in them.
    static func mistakes(in definitions: [TypeDefinition]) -> [Finding] {
        let names = definitions.map(\.name)
        let aliasCycles = cycles(names, definitions.map { aliases($0.type) })
        let told = Set(aliasCycles.joined())
        let contentCycles = cycles(names, definitions.map { told.contains($0.name) ? [] : contents($0.type) })
        return aliasCycles.map { cycle in
            Finding(
                name: cycle[0], message: "type '\(cycle[0])' only names itself: \(text(cycle))",
                expected: "an object, an array or a dictionary on the way")
        }
            + contentCycles.map { cycle in
                Finding(
                    name: cycle[0], message: "type '\(cycle[0])' contains itself without end: \(text(cycle))",
                    expected: "an optional, an array or a dictionary on the way")
            }
    }

    private static func text(_ cycle: [String]) -> String {
        (cycle + cycle.prefix(1)).joined(separator: " → ")
    }

    /// Cycles that have no name in common, each from its first name in the file; where there are any, one at least.
    private static func cycles(_ names: [String], _ edges: [[String]]) -> [[String]] {
        let numbers = Dictionary(zip(names, names.indices)) { first, _ in first }
        let next = edges.map { $0.compactMap { numbers[$0] } }
        var before = names.map { _ in [Int]() }
        for number in names.indices { for other in next[number] { before[other].append(number) } }
        // From a name whose ways all end, no way leads back: such names are taken off, from the ends.
        var ways = next.map(\.count)
        var ends = names.indices.filter { ways[$0] == 0 }
        while let end = ends.popLast() {
            for number in before[end] {
                ways[number] -= 1
                if ways[number] == 0 { ends.append(number) }
            }
        }
        // From each of the others a way leads to another of them, and so into a circle in the end.
        var cycles: [[String]] = []
        var seen: Set<Int> = []
        for start in names.indices where ways[start] > 0 && !seen.contains(start) {
            var way: [Int] = []
            var places: [Int: Int] = [:]
            var current = start
            while seen.insert(current).inserted, let following = next[current].first(where: { ways[$0] > 0 }) {
                places[current] = way.count
                way.append(current)
                current = following
            }
            guard let place = places[current] else { continue }
            let circle = way[place...]
            let first = circle.firstIndex(of: circle.min() ?? current) ?? place
            cycles.append((circle[first...] + circle[..<first]).map { names[$0] })
        }
        return cycles
    }

    /// Names that a value of the type must hold a value of.
    private static func contents(_ type: TypeExpression) -> [String] {
        switch type {
        case .named(let name): [name]
        case .object(let object):
            object.fields.filter { $0.defaultJSON == nil && !$0.mayBeAbsent }.flatMap { contents($0.type) }
        // One alternative is enough, so a union ends a cycle unless it has no other.
        case .scalar, .literals, .open, .constant, .constrained, .converted, .array, .dictionary, .optional, .union,
            .choice, .null:
            []
        }
    }

    /// Names that a name is just another word for.
    static func aliases(_ type: TypeExpression) -> [String] {
        switch type {
        case .named(let name): [name]
        case .optional(let wrapped): aliases(wrapped)
        case .union(let members): members.flatMap(aliases)
        case .scalar, .literals, .open, .constant, .constrained, .converted, .array, .dictionary, .object, .choice,
            .null:
            []
        }
    }
}
