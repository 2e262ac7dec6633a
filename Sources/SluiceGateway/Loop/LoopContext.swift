internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// What everything on one event loop shares: its clock, timers, limits, counters, source of randomness, and reused
/// memory.
///
/// Confined to that loop. It knows nothing of requests, kinds of connections or upstreams: they know it, and not the
/// other way round.
final class LoopContext {
    /// Nanoseconds of a monotonic clock, as of the last update.
    var now: UInt64
    /// The `Date` of answers made here (RFC 9110 §6.6.1).
    var date: [UInt8] = [] {
        didSet { unixSeconds = date.withUnsafeBytes { HTTPDate.parse($0, now: 0) } ?? unixSeconds }
    }
    /// The same as a number, to compare with times from upstreams and clients (RFC 9111 §4.2).
    private(set) var unixSeconds = 0
    /// ``now`` in whole seconds, to compare with each other.
    var monotonicSeconds: Int { Int(now / 1_000_000_000) }
    let timers: TimerWheel
    var random: RandomSource
    var counters = LoopCounters()
    let metrics: LoopMetrics
    /// Called for events that an operator should know of.
    var notice: ((GatewayNotice) -> Void)?
    /// Called with each request that showed a credential, where the audit log is on.
    var auditLog: ((AuditEntry) -> Void)?
    /// No new exchange may begin on a connection that has finished one: the daemon is stopping.
    var isDraining = false

    let limits: Limits
    let http1Limits: HTTP1Limits
    let waits: Waits
    var room: SharedRoom
    /// The buffers that input is read into; held bytes may stay in them.
    let pages: InputPages
    let coding = CodingRoom()
    let gates = LoopGates()
    /// Links whose wishes have changed since they were last taken.
    var touched: [Link] = []
    let clients = LinkRegistry()

    private var spareExtractors = SpareExtractors()
    /// Extractors that were given back, though bytes of theirs may still be borrowed.
    private var restingExtractors: [Extractor] = []
    private var keptForTurn: [AnyObject] = []

    init(_ limits: Limits, now: UInt64, seed: UInt64, pageBytes: Int, metrics: MetricsRegistry) {
        self.metrics = LoopMetrics(metrics)
        self.now = now
        self.limits = limits
        timers = TimerWheel(now: now)
        random = RandomSource(seed: seed)
        http1Limits = HTTP1Limits(limits)
        waits = Waits(limits)
        room = SharedRoom(limits)
        pages = InputPages(byteCount: pageBytes)
    }

    /// The unix seconds of a time on the loop's clock.
    func unixTime(_ time: UInt64) -> Int { unixSeconds - Int((now &- min(time, now)) / 1_000_000_000) }

    // MARK: - What is used again

    func takeExtractor(_ plan: Plan) -> Extractor { spareExtractors.take(plan) }

    func giveBack(_ extractor: consuming Extractor) { restingExtractors.append(extractor) }

    /// Spare extractors must not keep old plans alive.
    func forgetExtractors() { spareExtractors.removeAll() }

    /// Keeps an object that links borrow from until they have been drained.
    func keepForTurn(_ object: AnyObject) { keptForTurn.append(object) }

    /// Hands over every link whose wishes have changed since the last call.
    @inline(__always)
    func takeTouched(_ carryOut: (Link) -> Void) {
        var index = 0
        while index < touched.count {
            // The list keeps the link alive until it is emptied; links touched meanwhile are appended.
            Borrowed(touched[index]) { link in
                link.isTouched = false
                if link.fillsOutbox { link.fillOutbox() }
                carryOut(link)
            }
            index += 1
        }
        // The list is checked several times in a turn.
        if index > 0 { touched.removeAll(keepingCapacity: true) }
        if !keptForTurn.isEmpty { keptForTurn.removeAll(keepingCapacity: true) }
        if !restingExtractors.isEmpty { spareExtractors.keep(&restingExtractors) }
    }
}
