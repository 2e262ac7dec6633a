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

    /// - Parameter byteCount: of one page.
    public init(byteCount: Int = usualByteCount) {
        spares = SparePages(byteCount: byteCount)
        current = InputPage(from: spares)
    }

    /// Where the next bytes are read to.
    public var memory: UnsafeMutableRawBufferPointer { current.memory }

    /// What was read has been dealt with; the memory may be overwritten unless it was kept, and then it is replaced.
    /// - Returns: whether ``memory`` is another now.
    public func turn() -> Bool {
        if isKnownUniquelyReferenced(&current) { return false }
        current = InputPage(from: spares)
        return true
    }

    /// The page to keep for the sake of `byteCount` of its bytes; nil where they are so few that copies take less.
    func page(worth byteCount: Int) -> InputPage? {
        byteCount >= current.memory.count / 2 ? current : nil
    }
}
