/// The memory that a loop reads into: one page at a time, and another once bytes of it are kept.
///
///     pages.readCount = recv(socket, pages.memory)
///     …                           // feed, drain, settle: here pages are kept
///     pages.turn()
///
/// A page has room for two usual reads: for both of them where the first is kept, or for a longer one.
public final class InputPages {
    /// The default maximum of one read, and the unit of everything that streams.
    public static let usualByteCount = 256 << 10

    /// A page is kept for a quarter of what a read may bring. An answer often begins with a short read, and memory for
    /// a copy of 128 KiB comes from the system and goes back to it, for as much as reading them costs.
    private static let keptShare = 4

    private let readByteCount: Int
    private var current: InputPage
    private let spares: SparePages
    /// Where in the page the next read goes to; others keep what stands before.
    @usableFromInline
    var offset = 0
    /// Bytes of the read that is being dealt with; to be told before.
    public var readCount = 0
    /// The current page has been handed out, and may still be in use.
    @usableFromInline
    var isLent = false

    /// - Parameters:
    ///   - byteCount: of one read.
    ///   - readsPerPage: how many of them there is room for in a page.
    public init(byteCount: Int = usualByteCount, readsPerPage: Int = 2) {
        readByteCount = byteCount
        spares = SparePages(byteCount: byteCount * readsPerPage)
        current = InputPage(from: spares)
    }

    /// Where the next bytes are read to; room for one read at least.
    public var memory: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: current.memory[offset...])
    }

    /// What was read has been dealt with; the memory may be overwritten unless it was kept, and then other memory takes
    /// its place.
    /// - Returns: whether ``memory`` is another now.
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

    /// The page to keep for the sake of `byteCount` of its bytes; nil where these are less than half of what was read,
    /// or so few that copies take less.
    func page(worth byteCount: Int) -> InputPage? {
        guard byteCount >= max(readByteCount / Self.keptShare, readCount / 2) else { return nil }
        isLent = true
        return current
    }
}
