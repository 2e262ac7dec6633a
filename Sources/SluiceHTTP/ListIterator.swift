/// The elements of a comma-separated list, without the blanks around them and without empty ones (RFC 9110 §5.6.1).
public struct ListIterator {
    private var elements: PieceIterator

    /// - Parameter honoursQuotes: whether a comma inside a quoted string belongs to its element. False for lists of
    ///   tokens, where a stray quote must not hide the elements after it.
    public init(_ bytes: UnsafeRawBufferPointer, honoursQuotes: Bool = false) {
        elements = PieceIterator(bytes, separator: UInt8(ascii: ","), honoursQuotes: honoursQuotes)
    }

    public mutating func next() -> UnsafeRawBufferPointer? { elements.next() }

    /// The next element, empty or not; for fields that are not known to be lists.
    public mutating func nextOrEmpty() -> UnsafeRawBufferPointer? { elements.nextOrEmpty() }
}
