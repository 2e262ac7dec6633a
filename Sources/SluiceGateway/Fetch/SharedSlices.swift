internal import SluiceJSON

/// Values cut out of an answer for other bindings than the one that asked, until the document has been validated.
final class SharedSlices {
    private var slices: [[UInt8]]
    private let bytesMax: Int

    /// - Parameter bytesMax: the limit of one value.
    init(count: Int, bytesMax: Int) {
        slices = Array(repeating: [], count: count)
        self.bytesMax = bytesMax
    }

    /// Bytes beyond the limit are not kept, except for one that shows it was exceeded.
    func append(_ piece: Extractor.Piece) {
        let room = bytesMax + 1 - slices[piece.slice].count
        slices[piece.slice].append(
            contentsOf: UnsafeRawBufferPointer(start: piece.base, count: min(piece.count, room)))
    }

    func isTooLong(_ slice: Int) -> Bool { slices[slice].count > bytesMax }

    func take(_ slice: Int) -> [UInt8] {
        defer { slices[slice] = [] }
        return slices[slice]
    }
}
