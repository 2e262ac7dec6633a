internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// A reader's way through the cache where it is more than a plain hit: what it asked for, what it waits for, and how
/// far it has read. The reader keeps it, and is kept by its client's connection.
final class CacheWalk {
    unowned(unsafe) let reader: any CacheReader
    /// Directives of the request.
    let control: CacheControl
    var status: CacheStatus
    /// The stored answer that is being read, or may be answered if the upstream fails.
    var entry: StoredResponse?
    /// The answer that is on its way, and may be read as it arrives.
    var fill: CacheFill? {
        didSet { if let oldValue { note(oldValue) } }
    }
    /// How long upstreams had been at work for the answer that it has left, when it left.
    private var leftNanoseconds: UInt64 = 0
    private var leftAttempts = 0
    private var leftIsEndless = false
    /// Which bytes of the body are still to be answered.
    var position = 0
    var end = Int.max
    var hasHead = false
    /// Fields of the answer that are for this client alone, and are not stored: its cookies, and what the upstream's
    /// `Cache-Control` names.
    var ownFields = HeaderBlock()
    /// Purges there had been when it began.
    let purgeNumber: UInt64

    init(_ reader: any CacheReader, _ control: CacheControl, _ status: CacheStatus, since purgeNumber: UInt64) {
        self.reader = reader
        self.control = control
        self.status = status
        self.purgeNumber = purgeNumber
    }

    // MARK: - For whoever measures

    private func note(_ left: CacheFill) {
        leftNanoseconds = left.upstreamTime.nanoseconds(at: left.loop.now)
        leftAttempts = left.upstreamTime.attempts
        leftIsEndless = left.isAnswerEndless
    }

    /// How long upstreams were at work for the answer, as far as it has waited for it.
    func upstreamNanoseconds(at now: UInt64) -> UInt64 {
        fill?.upstreamTime.nanoseconds(at: now) ?? leftNanoseconds
    }

    /// Attempts that were made for the answer, as far as it has waited for it.
    var upstreamAttempts: Int { fill?.upstreamTime.attempts ?? leftAttempts }

    var isAnswerEndless: Bool { fill?.isAnswerEndless ?? leftIsEndless }
}
