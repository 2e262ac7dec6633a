internal import SluiceContract

/// The bytes that wait for slow readers on all connections of a loop, and how many more may wait for each.
///
/// `limits.buffered` may wait for one slow reader. Thousands of them may not have as much each: each gets an eighth of
/// the rest of `limits.buffered-total`. Reads become shorter then, because all of their bytes may have to wait; and a
/// client that leaves some of them unread gets no more until they are taken. A client that keeps up notices only
/// shorter reads.
struct SharedRoom {
    /// The limit of one connection, where there is enough for all.
    private let eachMax: Int
    private let total: Int
    /// Bytes that waited after the last writes.
    private(set) var waiting = 0
    /// A connection with more bytes than this in its outbox has enough for a write.
    private(set) var each: Int
    /// A connection whose write has left more bytes than this has fallen behind.
    private(set) var left: Int
    /// Bytes to read at a time.
    private(set) var readMax = Int.max

    /// The least `readMax`: a read that is worth its system calls.
    private static let readMin = 16 << 10
    /// Room for a head, and for the framing of the bytes of one read.
    private static let margin = 4 << 10

    /// The most bytes of a stored body to hand on at once; never 0, so that it goes on.
    var piece: Int { max(each / 2, Self.margin) }

    /// Far more bytes wait than allowed, and shorter reads do not help: they are from answers that are checked before
    /// they are sent, or from HTTP/2. A client that does not take ``shortBytes`` in ``shortTime``, nanoseconds, loses
    /// its waiting answers.
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

    /// The waiting bytes of a connection have changed by so many.
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
