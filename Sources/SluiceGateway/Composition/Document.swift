/// The answers of all parts as one JSON document, piece by piece.
final class Document {
    private let runs: [[UInt8]]
    private var run = 0
    private var offset = 0

    /// The size of one read: a reader that falls behind is not given more at once.
    private static let pieceMax = 64 << 10

    /// - Parameter parts: all of them have ended.
    init(_ plan: CompositionPlan, _ parts: [PartState]) {
        var runs: [[UInt8]] = []
        for (part, state) in zip(plan.parts, parts) {
            runs.append([UInt8(ascii: runs.isEmpty ? "{" : ",")] + part.key)
            runs += state.runs
        }
        runs.append([UInt8(ascii: "}")])
        self.runs = runs
    }

    var isOver: Bool { run == runs.count }

    /// The next piece; its address is valid as long as the document lives.
    func next() -> UnsafeRawBufferPointer? {
        guard run < runs.count else { return nil }
        let end = min(runs[run].count, offset + Self.pieceMax)
        // The bytes of an array that is not changed do not move.
        let piece = runs[run].withUnsafeBytes { UnsafeRawBufferPointer(rebasing: $0[offset..<end]) }
        offset = end
        if offset == runs[run].count { (run, offset) = (run + 1, 0) }
        return piece
    }
}
