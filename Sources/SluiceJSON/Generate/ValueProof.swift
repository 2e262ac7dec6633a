public import SluiceContract

/// Checks with the engine itself that JSON text is of a type, in the client's form.
public struct ValueProof: Sendable {
    private let plan: Plan

    /// - Parameter type: in its local form (``TypeExpression/localForm(_:)``), as the types in `types`.
    public init(
        _ type: TypeExpression, types: [TypeDefinition], unknown: UnknownKeys = .pass,
        limits: JSONLimits = JSONLimits()
    ) throws(PlanError) {
        plan = try Plan([Extraction(type: type, unknown: unknown)], types: NamedTypes(types), limits: limits)
    }

    /// - Returns: the value as it is emitted, with defaults for missing fields; or its faults.
    public func prove(_ json: [UInt8]) -> Result<[UInt8], Failure> {
        let extractor = Extractor(plan)
        var bytes: [UInt8] = []
        func take() {
            for piece in extractor.pieces {
                bytes += UnsafeRawBufferPointer(start: piece.base, count: piece.count)
            }
            extractor.clearPieces()
        }
        json.withUnsafeBytes {
            extractor.feed($0)
            if !extractor.isFailed { take() }
            extractor.finish()
            if !extractor.isFailed { take() }
        }
        if extractor.isFailed { return .failure(Failure(faults: extractor.faults)) }
        return .success(bytes)
    }

    public struct Failure: Error {
        public var faults: [Problem.Fault]
    }
}
