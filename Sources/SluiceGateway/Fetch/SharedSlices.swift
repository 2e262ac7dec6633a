internal import SluiceJSON

/// Values that are cut out of an answer for other bindings than the one that asked, until the document is proven.
final class SharedSlices {
    private var slices: [[UInt8]]
    private let bytesMax: Int

    /// - Parameter bytesMax: of one value.
    init(count: Int, bytesMax: Int) {
        slices = Array(repeating: [], count: count)
        self.bytesMax = bytesMax
    }

    /// What goes beyond the limit is not kept, but for one byte that tells of it.
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
