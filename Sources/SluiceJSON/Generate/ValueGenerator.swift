public import SluiceContract

/// Makes values of a type, as clients get them: the same ones from the same seed. Edge cases come first: the first
/// elements of a list are the least, the largest and the strangest values that the type allows.
public struct ValueGenerator: Sendable {
    private let types: NamedTypes
    private let heights: TypeHeights
    private let type: TypeExpression
    /// Nil where the type is none that could be proven.
    private let proof: ValueProof?

    /// - Parameters:
    ///   - type: as the configuration has it; what it says of the upstream's form does not matter.
    ///   - definitions: what names in it stand for.
    ///   - keys: how the binding that has it renames keys.
    public init(_ type: TypeExpression, types definitions: [TypeDefinition], keys: KeyStyle = .verbatim) {
        self.type = type.localForm(keys)
        let definitions = definitions.localForms(keys)
        types = NamedTypes(definitions)
        heights = TypeHeights(definitions)
        proof = try? ValueProof(self.type, types: definitions)
    }

    /// - Returns: JSON text that is proven to be of the type; nil where none was found.
    public func json(seed: UInt64) -> [UInt8]? {
        guard let proof else { return nil }
        for attempt in 0..<Self.attemptsMax {
            var maker = ValueMaker(types, heights, seed: seed &+ attempt &* 0x1000_0001)
            guard let text = maker.whole(type) else { continue }
            if case .success(let bytes) = proof.prove(Array(text.utf8)) { return bytes }
        }
        return nil
    }

    /// A type may want what chance seldom finds.
    private static let attemptsMax: UInt64 = 40
}
