/// Freeing many entries makes the next allocation slow: the C library sorts the freed pieces, up to 10,000 in one call,
/// which takes milliseconds. So after freeing some, have it sort them at once.
enum AllocatorDebt {
    /// Larger than the pieces that threads cache, so that the sorting is done; smaller than the mapped ones.
    private static let pieceBytes = 16 << 10

    /// Cheap where there is nothing to sort.
    @inline(never)
    static func settle() {
        UnsafeMutableRawPointer.allocate(byteCount: pieceBytes, alignment: 16).deallocate()
    }
}
