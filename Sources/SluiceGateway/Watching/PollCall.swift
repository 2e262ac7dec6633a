internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// One poll of a watched value: the client of an exchange, in the name of the first client that watched the value.
final class PollCall: AnswerSink {
    /// The home that is told the outcome; nil once it was told, or the poll was abandoned.
    private var home: WatchHome?
    private var exchange: Exchange?
    let client: ClientInfo
    private let limits: Limits
    /// The poll's share of the memory for watched values.
    private let share: WatchShare
    /// Bytes of the present value, which this answer replaces.
    private let heldBytes: Int
    private let validators: PollValidators?
    private var status = 0
    private var reading = Reading.proven
    private var content: [UInt8] = []
    private var isStale = false
    /// Counters that the answer depends on (``Epochs``).
    private var slots: Set<UInt32> = []
    private var stored: [Epochs.Dependency]?

    /// What the content is read as.
    private enum Reading {
        /// JSON that has been proven.
        case proven
        /// JSON as the upstream sent it.
        case json
        /// Text as the upstream sent it.
        case text
        /// Nothing: it is too long, or cannot be told as an event.
        case refused(Problem)

        var isProven: Bool { if case .proven = self { true } else { false } }

        var isText: Bool { if case .text = self { true } else { false } }

        var refusal: Problem? { if case .refused(let problem) = self { problem } else { nil } }
    }

    /// The outcome of a poll.
    struct Outcome {
        var answer: PollMachine.Answer
        var validators: PollValidators.Validators?
        /// Counters that the answer depends on.
        var slots: Set<UInt32> = []
        /// Their counts when the answer began, where it is a stored one.
        var stored: [Epochs.Dependency]?
        /// What the answer takes of the memory, until it is kept or dropped.
        var share: WatchShare?
    }

    /// - Parameters:
    ///   - heldBytes: bytes of the present value, which this answer replaces.
    ///   - validators: nil where the cache has its own.
    init(_ home: WatchHome, by client: ClientInfo, _ limits: Limits, heldBytes: Int, _ validators: PollValidators?) {
        self.home = home
        self.client = client
        (self.limits, self.heldBytes) = (limits, heldBytes)
        share = WatchShare(home.memory)
        self.validators = validators
    }

    /// - Parameter cacheControl: which stored answers will do; nil takes any that is fresh.
    func begin(_ template: BoundRequest, _ corridor: Corridor, cacheControl: String?) {
        let exchange = corridor.takeExchange(for: self)
        self.exchange = exchange
        exchange.request.poll(as: template, validators)
        if let cacheControl { exchange.request.head.fields.append(.cacheControl, text: cacheControl) }
        exchange.begin(at: .enter)
        resumeRequestBody()
    }

    /// Ends the poll: its answer is not needed any more.
    func abandon() {
        home = nil
        exchange?.clientLeft()
        exchange.take()?.giveBack()
    }

    private func end(_ answer: PollMachine.Answer) {
        if let exchange { slots.formUnion(exchange.request.partSlots) }
        let outcome = Outcome(
            answer: answer, validators: validators?.answered, slots: slots, stored: stored, share: share)
        exchange.take()?.giveBack()
        guard let home = home.take() else { return }
        home.ended(self, outcome)
    }

    // MARK: - AnswerSink

    func resumeRequestBody() {
        guard let exchange, !exchange.isBodyComplete, exchange.wantsBody else { return }
        exchange.bodyEnded()
    }

    func sendInterim(_ head: borrowing ResponseHead) {}

    func sendHead(status: Int, reason: UnsafeRawBufferPointer, fields: borrowing HeaderBlock, framing: AnswerFraming) {
        self.status = status
        guard let exchange else { return }
        stored = exchange.cacheWalk?.dependencies
        slots.formUnion(exchange.slotsOfAnswer(fields))
        if let status = exchange.cacheWalk?.status {
            let isLate = status.outcome == .hit && (status.ttl ?? 1) <= 0
            isStale = isLate || status.detail == "stale-if-error"
        }
        // A default replaces the value.
        if exchange.problem != nil { isStale = true }
        guard (200..<300).contains(status), exchange.route?.cuts(status: status) != true, exchange.problem == nil else {
            return
        }
        reading = .json
        guard let index = fields.firstIndex(of: .contentType) else { return }
        let type = String(decoding: fields.value(index).prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self).lowercased()
        if type.contains("json") { return }
        guard type.hasPrefix("text/") || type.contains("xml") else {
            return reading = .refused(
                Problem(.typeMismatch, detail: "An answer of type '\(type.prefix(100))' cannot be told as an event."))
        }
        reading = .text
    }

    func sendHead(of entry: StoredResponse, now: UInt64) {
        var fields = HeaderBlock()
        StoredHead.read(entry.lines, into: &fields)
        sendHead(status: entry.status, reason: .empty, fields: fields, framing: .length(entry.bodyCount))
        stored = entry.dependencies
        slots = Set(entry.dependencies.map(\.slot))
        isStale = false
    }

    func openTunnel(_ fields: borrowing HeaderBlock) { preconditionFailure("what is watched is no tunnel") }

    func sendBody(_ run: UnsafeRawBufferPointer, lifetime: RunLifetime) {
        guard reading.refusal == nil, (200..<300).contains(status) else { return }
        guard content.count + run.count <= limits.watchedBytes else {
            return refuse(
                .upstreamTooLarge,
                "The value has more than \(limits.watchedBytes) bytes; 'limits.watched-size' says how many are"
                    + " watched.")
        }
        // The value is kept twice: to compare it with the next one, and as the event for clients.
        let wanted = max(0, 2 * (content.count + run.count) - heldBytes) - share.count
        while wanted > 0, !share.grow(by: wanted, max: limits.watchedTotalBytes) {
            guard home?.makeRoom() == true else {
                return refuse(
                    .overloaded,
                    "All that is watched has more than \(limits.watchedTotalBytes) bytes; 'limits.watched-total' says"
                        + " how many are kept.")
            }
        }
        content += run
    }

    private func refuse(_ kind: Problem.Kind, _ detail: String) {
        reading = .refused(Problem(kind, detail: detail))
        content = []
        share.set(0)
        // The answer may be endless. The fetch is calling here, and must not be ended from inside its own call.
        home?.isTooLong(self)
    }

    func sendEnd() { end(answer()) }

    func sendEnd(trailers: borrowing HeaderBlock) { end(answer()) }

    func abortAnswer() {
        let problem = reading.refusal ?? exchange?.problem
        end(.failed(problem ?? Problem(.upstreamTruncated, detail: "Its answer was cut short.")))
    }

    func hasRoom() -> Bool { true }

    /// The failure that ends the poll early: the answer needs no more reading.
    var tooLong: PollMachine.Answer? { reading.refusal.map { .failed($0) } }

    private func answer() -> PollMachine.Answer {
        if let refusal = reading.refusal { return .failed(refusal) }
        if status == 304 { return .notModified }
        guard (200..<300).contains(status) else {
            let problem =
                exchange?.problem
                ?? Problem(.upstreamError, status: status, detail: "The answer has status \(status).")
            return .failed(problem)
        }
        if !reading.isProven, String(validating: content, as: UTF8.self) == nil {
            return .failed(Problem(.typeMismatch, detail: "The answer is no text in UTF-8, which events are made of."))
        }
        // A line end after JSON means nothing; after text it does.
        while !reading.isText, let last = content.last, last == 0x0A || last == 0x0D { content.removeLast() }
        return .value(content.isEmpty ? Array("null".utf8) : content, isStale: isStale)
    }
}
