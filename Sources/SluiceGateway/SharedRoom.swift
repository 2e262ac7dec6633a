internal import SluiceContract

/// What waits for slow readers on all connections of a loop, and how much more of it each of them may make wait.
///
/// One slow reader may hold up `limits.buffered`. Thousands of them together may not: of what `limits.buffered-total`
/// has left, each gets an eighth, so that the last ones still get something, and a reader who takes what he is sent is
/// never refused it.
struct SharedRoom {
    /// Bytes for one connection, where there is enough for all.
    private let eachMax: Int
    private let total: Int
    /// Bytes that wait after the last writes.
    private(set) var waiting = 0
    /// Bytes above which one connection has enough.
    private(set) var each: Int
    /// Bytes to read at a time, because all of them may have to wait.
    private(set) var readMax = Int.max

    /// However little there is left: enough for a head and the beginning of an answer.
    private static let eachMin = 4 << 10
    private static let readMin = 8 << 10

    init(_ limits: Limits) {
        eachMax = limits.bufferedBytes
        total = limits.bufferedTotalBytes
        each = limits.bufferedBytes
    }

    /// A connection has so many bytes more, or fewer, that wait.
    mutating func change(by bytes: Int) {
        waiting += bytes
        let share = max(0, total - waiting) / 8
        each = min(eachMax, max(share, Self.eachMin))
        readMax = share >= eachMax ? .max : max(2 * share, Self.readMin)
    }
}
