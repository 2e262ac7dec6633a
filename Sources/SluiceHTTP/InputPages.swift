/// The memory that a loop reads into: one page at a time, and another page once bytes of the current one are kept.
///
///     pages.readCount = recv(socket, pages.memory)
///     …                           // feed, drain, settle: here pages are kept
///     pages.turn()
///
/// A page has room for two usual reads: for a second read where the bytes of the first are kept, or for one longer
/// read.
public final class InputPages {
    /// The default maximum of one read, and the unit of everything that streams.
    public static let usualByteCount = 256 << 10

    /// A page is kept only for at least three sixteenths of the largest read. An answer often comes in reads of 65,483
    /// bytes, which is what a segment on a loopback interface carries. Copies of several would take memory from the
    /// system and return it with each answer, which cost a sixth of all that a document of 500 KiB does.
    private static let keptSixteenths = 3

    private let readByteCount: Int
    private var current: InputPage
    private let spares: SparePages
    /// The offset in the page for the next read; the bytes before it are kept by others.
    @usableFromInline
    var offset = 0
    /// Bytes of the latest read; to be set before they are processed.
    public var readCount = 0
    /// The current page has been handed out, and may still be in use.
    @usableFromInline
    var isLent = false

    /// - Parameters:
    ///   - byteCount: the most bytes of one read.
    ///   - readsPerPage: how many such reads fit into a page.
    public init(byteCount: Int = usualByteCount, readsPerPage: Int = 2) {
        readByteCount = byteCount
        spares = SparePages(byteCount: byteCount * readsPerPage)
        current = InputPage(from: spares)
    }

    /// The memory for the next read; it has room for at least one.
    public var memory: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: current.memory[offset...])
    }

    /// The latest read has been processed: its memory may be overwritten, unless it was kept; other memory then takes
    /// its place.
    /// - Returns: whether ``memory`` has moved.
    @inlinable
    public func turn() -> Bool { isLent || offset > 0 ? move() : false }

    @usableFromInline
    func move() -> Bool {
        let before = memory.baseAddress
        if isKnownUniquelyReferenced(&current) {
            offset = 0
        } else if isLent {
            offset += (readCount + SparePages.alignment - 1) & ~(SparePages.alignment - 1)
            if current.memory.count - offset < readByteCount {
                current = InputPage(from: spares)
                offset = 0
            }
        }
        isLent = false
        return memory.baseAddress != before
    }

    /// The page, to be kept for the sake of `byteCount` of its bytes; nil where these are less than half of the latest
    /// read, or so few that copying them is cheaper.
    func page(worth byteCount: Int) -> InputPage? {
        guard byteCount >= max(readByteCount * Self.keptSixteenths / 16, readCount / 2) else { return nil }
        isLent = true
        return current
    }
}
