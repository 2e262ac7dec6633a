internal import SluiceGateway

/// A state machine for spans that wait for a collector: its inputs are spans, answers of the collector and elapsed
/// time, its outputs are orders.
///
///     idle → gathering → sending → idle | gathering | sending
///                          ↑  ↓
///                         resting
struct TraceQueue {
    /// Spans of one request to the collector.
    static let batchMax = 512
    /// Spans that may wait, including the batch that is being sent.
    static let waitingMax = 2_048
    /// How long a span waits for others.
    static let patience = Duration.seconds(5)
    /// How often a batch is sent before it is given up.
    static let attemptsMax = 5
    /// The longest rest that a collector is granted.
    static let restMax = 60

    enum Order: Equatable {
        /// Sends ``batch``, and tells ``answered(_:)``.
        case send
        /// Calls ``timePassed(_:)`` with the number.
        case call(after: Duration, number: Int)
    }

    /// How many spans were exported or lost.
    struct Outcome: Equatable {
        var exported = 0
        var refused = 0
    }

    private enum Phase: Equatable {
        case idle
        case gathering
        case sending
        /// The collector is left alone for a while.
        case resting
    }

    private var phase = Phase.idle
    private var waiting: [TraceSpan] = []
    /// The batch that is being sent, or is to be sent again.
    private(set) var batch: [TraceSpan] = []
    private var attempts = 0
    private var call = 0
    private var isEnding = false

    /// - Returns: how many of them have no room, and what to do.
    mutating func took(_ spans: [TraceSpan]) -> (lost: Int, Order?) {
        let room = max(0, Self.waitingMax - waiting.count - batch.count)
        waiting += spans.prefix(room)
        return (max(0, spans.count - room), phase == .idle || phase == .gathering ? proceed() : nil)
    }

    /// - Returns: nil for a call that is out of date.
    mutating func timePassed(_ number: Int) -> Order? {
        guard number == call else { return nil }
        switch phase {
        case .gathering: return beginBatch()
        case .resting: return sendAgain()
        case .idle, .sending: return nil
        }
    }

    /// The collector's answer to ``batch``.
    mutating func answered(_ answer: CollectorAnswer) -> (Outcome, Order?) {
        guard phase == .sending else { return (Outcome(), nil) }
        var outcome = Outcome()
        switch answer {
        case .taken: outcome.exported = batch.count
        case .takenInPart(let refused):
            outcome.refused = min(refused, batch.count)
            outcome.exported = batch.count - outcome.refused
        case .notNow(_, let seconds) where attempts < Self.attemptsMax && !isEnding:
            phase = .resting
            let wait = min(max(seconds ?? 1 << (attempts - 1), 1), Self.restMax)
            return (outcome, nextCall(after: .seconds(wait)))
        case .notNow, .refused: outcome.refused = batch.count
        }
        batch = []
        phase = .idle
        return (outcome, proceed())
    }

    /// The process ends: waiting spans are sent now, and nothing is tried twice.
    mutating func end() -> Order? {
        isEnding = true
        return batch.isEmpty ? proceed() : sendAgain()
    }

    // MARK: -

    private mutating func proceed() -> Order? {
        if waiting.isEmpty { return nil }
        if waiting.count >= Self.batchMax || isEnding { return beginBatch() }
        if phase == .gathering { return nil }
        phase = .gathering
        return nextCall(after: Self.patience)
    }

    private mutating func beginBatch() -> Order? {
        batch = Array(waiting.prefix(Self.batchMax))
        waiting.removeFirst(batch.count)
        attempts = 0
        return sendAgain()
    }

    private mutating func sendAgain() -> Order? {
        phase = .sending
        attempts += 1
        return .send
    }

    private mutating func nextCall(after wait: Duration) -> Order {
        call += 1
        return .call(after: wait, number: call)
    }
}
