/// The memory that a loop reads into: one page at a time, and another once somebody keeps bytes of it.
///
///     let count = recv(socket, pages.memory)
///     …                           // feed, drain, settle: here pages are kept
///     pages.turn()
public final class InputPages {
    /// What one read takes at most where nobody says otherwise, and the unit of everything that streams.
    public static let usualByteCount = 256 << 10

    private var current: InputPage
    private let spares: SparePages
    /// Somebody has been given the current page, and may have it still.
    @usableFromInline
    var isLent = false

    /// - Parameter byteCount: of one page.
    public init(byteCount: Int = usualByteCount) {
        spares = SparePages(byteCount: byteCount)
        current = InputPage(from: spares)
    }

    /// Where the next bytes are read to.
    public var memory: UnsafeMutableRawBufferPointer { current.memory }

    /// What was read has been dealt with; the memory may be overwritten unless it was kept, and then it is replaced.
    /// - Returns: whether ``memory`` is another now.
    @inlinable
    public func turn() -> Bool { isLent ? replace() : false }

    @usableFromInline
    func replace() -> Bool {
        isLent = false
        if isKnownUniquelyReferenced(&current) { return false }
        current = InputPage(from: spares)
        return true
    }

    /// The page to keep for the sake of `byteCount` of its bytes; nil where they are so few that copies take less.
    func page(worth byteCount: Int) -> InputPage? {
        guard byteCount >= current.memory.count / 2 else { return nil }
        isLent = true
        return current
    }
}
