internal import SluiceContract

/// How many names stand for each other, as optionals or alternatives, with nothing of a value read between them. Checks
/// that go through such types take the stack for each, so there is a bound: that of plans.
enum TypeLevels {
    /// The first name that leads through more levels than ``NamedTypes/levelsMost``.
    ///
    /// Complexity: linear in the definitions and the names in them.
    /// - Parameter definitions: none of which only names itself (``TypeCycles``).
    static func firstTooDeep(in definitions: [TypeDefinition]) -> String? {
        let numbers = Dictionary(zip(definitions.map(\.name), definitions.indices)) { first, _ in first }
        let next = definitions.map { definition in TypeCycles.aliases(definition.type).compactMap { numbers[$0] } }
        var levels = definitions.map { _ in 0 }
        for start in definitions.indices {
            // A name waits until the levels of all are known that it stands for.
            var waiting = [start]
            while let number = waiting.last {
                let unknown = levels[number] > 0 ? [] : next[number].filter { levels[$0] == 0 }
                waiting += unknown
                if !unknown.isEmpty { continue }
                waiting.removeLast()
                if levels[number] > 0 { continue }
                let below = next[number].map { levels[$0] }.max() ?? 0
                // Another name for the same is no level of its own (``NamedTypes``).
                if case .named = definitions[number].type, below > 0 {
                    levels[number] = below
                } else {
                    levels[number] = below + 1
                }
            }
        }
        return definitions.indices.first { levels[$0] > NamedTypes.levelsMost }.map { definitions[$0].name }
    }
}
