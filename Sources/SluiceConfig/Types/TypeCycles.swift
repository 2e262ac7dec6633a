import SluiceContract

/// Finds types that no finite value can have, and names that mean nothing but each other.
enum TypeCycles {
    struct Finding {
        var name: String
        var message: String
        var expected: String
    }

    static func mistakes(in definitions: [TypeDefinition]) -> [Finding] {
        let types = Dictionary(definitions.map { ($0.name, $0.type) }) { first, _ in first }
        var findings: [Finding] = []
        var told: Set<String> = []
        for definition in definitions where !told.contains(definition.name) {
            if let cycle = cycle(from: definition.name, in: types, edges: aliases) {
                told.formUnion(cycle)
                findings.append(
                    Finding(
                        name: definition.name, message: "type '\(definition.name)' only names itself: \(text(cycle))",
                        expected: "an object, an array or a dictionary on the way"))
            } else if let cycle = cycle(from: definition.name, in: types, edges: contents) {
                told.formUnion(cycle)
                findings.append(
                    Finding(
                        name: definition.name,
                        message: "type '\(definition.name)' contains itself without end: \(text(cycle))",
                        expected: "an optional, an array or a dictionary on the way"))
            }
        }
        return findings
    }

    private static func text(_ cycle: [String]) -> String {
        (cycle + cycle.prefix(1)).joined(separator: " → ")
    }

    /// The names on the shortest way from a name back to itself.
    private static func cycle(
        from start: String, in types: [String: TypeExpression], edges: (TypeExpression) -> [String]
    ) -> [String]? {
        var ways: [[String]] = [[start]]
        var seen: Set<String> = []
        while !ways.isEmpty {
            let way = ways.removeFirst()
            guard let last = way.last, let type = types[last] else { continue }
            for next in edges(type) {
                if next == start { return way }
                if seen.insert(next).inserted { ways.append(way + [next]) }
            }
        }
        return nil
    }

    /// Names that a value of the type must hold a value of.
    private static func contents(_ type: TypeExpression) -> [String] {
        switch type {
        case .named(let name): [name]
        case .object(let object): object.fields.filter { $0.defaultJSON == nil }.flatMap { contents($0.type) }
        // One alternative is enough, so a union ends a cycle unless it has no other.
        case .scalar, .literals, .array, .dictionary, .optional, .union, .null: []
        }
    }

    /// Names that a name is just another word for.
    private static func aliases(_ type: TypeExpression) -> [String] {
        switch type {
        case .named(let name): [name]
        case .optional(let wrapped): aliases(wrapped)
        case .union(let members): members.flatMap(aliases)
        case .scalar, .literals, .array, .dictionary, .object, .null: []
        }
    }
}
