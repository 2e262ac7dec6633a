internal import SluiceContract

/// The bytes that wait for slow readers on all connections of a loop, and how many more may wait for each.
///
/// `limits.buffered` may wait for one slow reader. Thousands of them together may not have as much each: of what
/// `limits.buffered-total` has left, each gets an eighth. Then less is read at a time, because all of it may have to
/// wait; and a client that leaves some of it unread gets no more until it is taken. A client that keeps up notices
/// nothing but shorter reads.
struct SharedRoom {
    /// Bytes for one connection, where there is enough for all.
    private let eachMax: Int
    private let total: Int
    /// Bytes that wait after the last writes.
    private(set) var waiting = 0
    /// Bytes above which one connection has enough for a write.
    private(set) var each: Int
    /// Bytes above which a write has left so much that nothing more is wanted.
    private(set) var left: Int
    /// Bytes to read at a time.
    private(set) var readMax = Int.max

    /// However little room there is: a read that is worth its system calls.
    private static let readMin = 16 << 10
    /// A head, and what frames the bytes of one read.
    private static let margin = 4 << 10

    /// Bytes of a body that is kept elsewhere to be handed on at once: however little room there is, it goes on.
    var piece: Int { max(each / 2, Self.margin) }

    /// Far more waits than is allowed, so that shorter reads do not help: answers that are checked before they are
    /// sent, and those of HTTP/2. A client that does not take ``shortBytes`` in ``shortTime``, nanoseconds, loses what
    /// waits for it.
    var isExhausted: Bool { waiting / Self.excess > total }
    private static let excess = 4
    static let shortTime: UInt64 = 5_000_000_000
    static let shortBytes = 16 << 10

    init(_ limits: Limits) {
        eachMax = limits.bufferedBytes
        total = limits.bufferedTotalBytes
        each = limits.bufferedBytes
        left = limits.bufferedBytes
    }

    /// A connection has so many bytes more, or fewer, that wait.
    mutating func change(by bytes: Int) {
        waiting += bytes
        let share = max(0, total - waiting) / 8
        if share >= eachMax {
            (each, left, readMax) = (eachMax, eachMax, .max)
        } else {
            readMax = max(share, Self.readMin)
            each = min(eachMax, readMax + Self.margin)
            left = min(eachMax, Self.margin)
        }
    }
}
