internal import SluiceContract

/// Reads members of the object that a small document is, in one pass.
public struct JSONMembers: Sendable {
    private let keys: [String]
    private let plan: Plan

    /// - Parameters:
    ///   - keys: few (``Plan`` says how many), and each once.
    ///   - parent: the key of the object that has them; nil is the document itself.
    public init(_ keys: String..., of parent: String? = nil) {
        self.keys = keys
        let parents = [parent].compactMap { $0.map { FieldPath.Component.key($0) } }
        let extractions = keys.map { Extraction(path: FieldPath(components: parents + [.key($0)])) }
        // Where one of them stands twice, nothing of the object counts.
        let all = extractions.indices
        guard let plan = try? Plan(extractions, types: NamedTypes([]), limits: JSONLimits(), deciding: all) else {
            preconditionFailure("the keys \(keys) make no plan")
        }
        self.plan = plan
    }

    /// The texts of those that are strings, numbers or bools, by key; none where the document is no JSON, or
    /// one of the keys stands there twice.
    public func texts(in document: [UInt8]) -> [String: String] {
        let extractor = Extractor(plan)
        var found = [[UInt8]](repeating: [], count: keys.count)
        func take() {
            for piece in extractor.pieces {
                found[piece.slice].append(contentsOf: UnsafeRawBufferPointer(start: piece.base, count: piece.count))
            }
            extractor.clearPieces()
        }
        document.withUnsafeBytes {
            extractor.feed($0)
            take()
        }
        extractor.finish()
        take()
        var texts: [String: String] = [:]
        for (slice, key) in keys.enumerated()
        where !extractor.isFailed(slice: slice) && extractor.state(of: slice) == .complete {
            texts[key] = JSONPick.text(of: String(decoding: found[slice], as: UTF8.self))
        }
        return texts
    }
}
