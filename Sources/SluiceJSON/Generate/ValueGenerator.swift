public import SluiceContract

/// Generates values of a type in the client's form; the same seed gives the same values. The first elements of a list
/// are edge cases: the smallest, the largest and the strangest values that the type allows.
public struct ValueGenerator: Sendable {
    private let types: NamedTypes
    private let heights: TypeHeights
    private let type: TypeExpression
    /// Nil if the type makes no valid plan, so that values cannot be checked.
    private let proof: ValueProof?

    /// - Parameters:
    ///   - type: as in the configuration; its details about the upstream's form are ignored.
    ///   - definitions: the definitions of the names in `type`.
    ///   - keys: how the binding that uses the type renames keys.
    public init(_ type: TypeExpression, types definitions: [TypeDefinition], keys: KeyStyle = .verbatim) {
        self.type = type.localForm(keys)
        let definitions = definitions.localForms(keys)
        types = NamedTypes(definitions)
        heights = TypeHeights(definitions)
        proof = try? ValueProof(self.type, types: definitions)
    }

    /// - Returns: JSON text that has been checked to be of the type; nil if none was found.
    public func json(seed: UInt64) -> [UInt8]? {
        guard let proof else { return nil }
        for attempt in 0..<Self.attemptsMax {
            var maker = ValueMaker(types, heights, seed: seed &+ attempt &* 0x1000_0001)
            guard let text = maker.whole(type) else { continue }
            if case .success(let bytes) = proof.prove(Array(text.utf8)) { return bytes }
        }
        return nil
    }

    /// Several attempts, because a random value seldom satisfies a strict type.
    private static let attemptsMax: UInt64 = 40
}
