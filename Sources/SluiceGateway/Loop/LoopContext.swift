internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// What everything on one event loop shares: its clock, its timers, its limits, its counters, its source of chance, and
/// the memory that is used again.
///
/// Confined to that loop. It knows nothing of requests, connections' kinds or upstreams: whatever lives on the loop
/// knows it, and not the other way round.
final class LoopContext {
    /// Nanoseconds of a monotonic clock, as last told.
    var now: UInt64
    /// `Date` of answers made here (RFC 9110 §6.6.1).
    var date: [UInt8] = [] {
        didSet { unixSeconds = date.withUnsafeBytes { HTTPDate.parse($0, now: 0) } ?? unixSeconds }
    }
    /// The same as a number, for what upstreams and clients say of time (RFC 9111 §4.2).
    private(set) var unixSeconds = 0
    let timers: TimerWheel
    var random: RandomSource
    var counters = LoopCounters()
    let metrics: LoopMetrics
    /// Called with what an operator should know of.
    var notice: ((GatewayNotice) -> Void)?
    /// Called with each request that showed a credential, where the audit log is on.
    var auditLog: ((AuditEntry) -> Void)?
    /// No new exchange may begin on a connection that has finished one: the daemon is stopping.
    var isDraining = false
    /// The daemon has been told to stop, which may have other things to finish first.
    var isEnding = false

    let limits: Limits
    let http1Limits: HTTP1Limits
    let waits: Waits
    var room: SharedRoom
    /// What input is read into, and what is held may stay in.
    let pages: InputPages
    let coding = CodingRoom()
    let gates = LoopGates()
    /// Links whose wishes have changed since they were last taken.
    var touched: [Link] = []
    let clients = LinkRegistry()

    private var spareExtractors = SpareExtractors()
    /// Given back, but what they handed out may still be on its way.
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

    /// Unix seconds of a time of ours.
    func unixTime(_ time: UInt64) -> Int { unixSeconds - Int((now &- min(time, now)) / 1_000_000_000) }

    // MARK: - What is used again

    func takeExtractor(_ plan: Plan) -> Extractor { spareExtractors.take(plan) }

    func giveBack(_ extractor: consuming Extractor) { restingExtractors.append(extractor) }

    /// What waits to be used again must not keep old plans alive.
    func forgetExtractors() { spareExtractors.removeAll() }

    /// Keeps what links borrow from until they have been drained.
    func keepForTurn(_ object: AnyObject) { keptForTurn.append(object) }

    /// Hands over every link whose wishes have changed since the last call.
    @inline(__always)
    func takeTouched(_ carryOut: (Link) -> Void) {
        var index = 0
        while index < touched.count {
            // The list keeps the link until it is emptied; what is touched meanwhile is appended.
            Borrowed(touched[index]) { link in
                link.isTouched = false
                if link.fillsOutbox { link.fillOutbox() }
                carryOut(link)
            }
            index += 1
        }
        // It is looked at several times in a turn.
        if index > 0 { touched.removeAll(keepingCapacity: true) }
        if !keptForTurn.isEmpty { keptForTurn.removeAll(keepingCapacity: true) }
        if !restingExtractors.isEmpty { spareExtractors.keep(&restingExtractors) }
    }
}
