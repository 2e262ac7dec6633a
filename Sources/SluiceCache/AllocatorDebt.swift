/// What freeing many entries leaves to whoever allocates next: the C library sorts what has been given back, up to
/// 10,000 pieces in one call, which takes milliseconds. So whoever frees some lets it sort these at once.
enum AllocatorDebt {
    /// More than what threads keep for themselves, so that the sorting is done; less than what is mapped.
    private static let pieceBytes = 16 << 10

    /// Cheap where there is nothing to sort.
    @inline(never)
    static func settle() {
        UnsafeMutableRawPointer.allocate(byteCount: pieceBytes, alignment: 16).deallocate()
    }
}
