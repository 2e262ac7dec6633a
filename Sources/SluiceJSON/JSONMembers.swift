internal import SluiceContract

/// Reads members of the object in a small document, in one pass.
public struct JSONMembers: Sendable {
    private let keys: [String]
    private let plan: Plan

    /// - Parameters:
    ///   - keys: distinct keys, few enough for one ``Plan``.
    ///   - parent: the key of the object that has the members; nil if that is the document itself.
    public init(_ keys: String..., of parent: String? = nil) {
        self.keys = keys
        let parents = [parent].compactMap { $0.map { FieldPath.Component.key($0) } }
        let extractions = keys.map { Extraction(path: FieldPath(components: parents + [.key($0)])) }
        // If one of the keys is there twice, all of them fail.
        let all = extractions.indices
        guard let plan = try? Plan(extractions, types: NamedTypes([]), limits: JSONLimits(), deciding: all) else {
            preconditionFailure("the keys \(keys) make no plan")
        }
        self.plan = plan
    }

    /// The texts of the members that are strings, numbers or bools, by key; empty if the document is not JSON or has
    /// one of the keys twice.
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
