internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// One request for a part of a composed answer: the client of an exchange, in the name of the client that requested the
/// whole.
final class PartCall: AnswerSink {
    /// The composed answer; retained until the outcome has been taken in.
    private var answer: ComposedAnswer?
    private var exchange: Exchange?
    let client: ClientInfo
    /// Which parts, or elements of a part's list, its value is for.
    var takers: [Taker]
    /// Its key among the requests that others may share; nil where none may.
    let key: [UInt8]?
    private(set) var status = 0
    private(set) var problem: Problem?
    private var content: [UInt8] = []
    /// The answer is proven JSON; any other content is ignored.
    private var isTyped = false
    private var state = State.asking
    /// The body that is still to be sent.
    private var upload: [UInt8]?

    struct Taker {
        var part: Int
        var element: Int?
    }

    private enum State {
        case asking
        /// Its answer is complete, or has failed.
        case ended
        /// The outcome has been taken in.
        case taken
    }

    var isEnded: Bool { state == .ended }
    var isTaken: Bool { state == .taken }

    /// Its value; null where there is none.
    var json: [UInt8] { content.isEmpty ? Array("null".utf8) : content }

    init(_ answer: ComposedAnswer, _ taker: Taker, key: [UInt8]?) {
        self.answer = answer
        client = answer.asked.client ?? ClientInfo()
        takers = [taker]
        self.key = key
    }

    /// - Parameter body: JSON to send.
    func begin(_ part: PartPlan, _ target: PartTarget, body: [UInt8]?, for answer: ComposedAnswer) {
        let exchange = answer.corridor.takeExchange(for: self)
        self.exchange = exchange
        upload = body
        let request = exchange.request
        if let problem = request.become(part, target, bodyCount: body?.count, for: answer.asked, answer.budget) {
            return exchange.refuse(problem)
        }
        exchange.begin(at: .authorise)
        // From now on a change of the part's resource is a change of the whole.
        if let exchange = self.exchange, let route = exchange.route {
            answer.asked.depend(on: exchange.loopCache.slots(HeaderBlock(), to: exchange.request, route))
        }
        resumeRequestBody()
    }

    /// Why there is no value of a part; nil where there is one.
    func failure(of name: String) -> Problem? {
        if let problem, !(200..<300).contains(status) { return problem }
        if (200..<300).contains(status) { return nil }
        // A part that is passed through unchanged has the upstream's own errors.
        return Problem(
            .upstreamError, status: status >= 400 ? status : nil,
            detail: "'\(name)' was answered with status \(status).")
    }

    /// Ends the request: its value is not needed any more.
    func abandon() {
        exchange?.clientLeft()
        taken()
    }

    /// The outcome has been taken in.
    func taken() {
        state = .taken
        answer = nil
        exchange.take()?.giveBack()
    }

    /// Called from inside its exchange, which is therefore given back later.
    private func end() {
        guard state == .asking else { return }
        // Pages and redirects are known by now.
        if let exchange { answer?.asked.depend(on: Array(exchange.request.partSlots)) }
        state = .ended
        answer?.postpone()
    }

    // MARK: - AnswerSink

    func resumeRequestBody() {
        guard state == .asking, let exchange, !exchange.isBodyComplete, exchange.wantsBody else { return }
        if let bytes = upload.take(), !bytes.isEmpty {
            let run = StableBytes(bytes)
            exchange.loop.keepForTurn(run)
            exchange.bodyReceived(run.bytes)
            // The body is complete only once this piece has been sent.
            return resumeRequestBody()
        }
        exchange.bodyEnded()
    }

    func sendInterim(_ head: borrowing ResponseHead) {}

    func sendHead(status: Int, reason: UnsafeRawBufferPointer, fields: borrowing HeaderBlock, framing: AnswerFraming) {
        take(status: status, fields)
        if let exchange { answer?.asked.depend(on: exchange.slotsOfAnswer(fields)) }
    }

    func sendHead(of entry: StoredResponse, now: UInt64) {
        var fields = HeaderBlock()
        StoredHead.read(entry.lines, into: &fields)
        fields.append(.age, text: "\(entry.age(now))")
        take(status: entry.status, fields)
        answer?.asked.depend(on: entry.dependencies.map(\.slot))
    }

    private func take(status: Int, _ fields: borrowing HeaderBlock) {
        self.status = status
        isTyped = exchange?.route?.cuts(status: status) == true || exchange?.problem != nil
        guard (200..<300).contains(status) else { return problem = exchange?.problem }
        // A default replaces a value that may be there next time.
        if exchange?.problem == nil { note(fields) } else { answer?.freshness.isMissing() }
        if let exchange, exchange.ownFields.count > 0 { answer?.freshness.takeChosen(by: exchange.ownFields) }
    }

    /// A page after the first.
    func join(_ response: borrowing ResponseHead) {
        if (200..<300).contains(response.status) { note(response.fields) }
    }

    private func note(_ fields: borrowing HeaderBlock) {
        guard let answer else { return }
        let loop = answer.loop
        answer.freshness.take(
            fields, limit: exchange?.route?.cache?.policy.fresh, at: loop.monotonicSeconds, now: loop.unixSeconds)
    }

    func openTunnel(_ fields: borrowing HeaderBlock) { preconditionFailure("a part is no tunnel") }

    func sendBody(_ run: UnsafeRawBufferPointer, lifetime: RunLifetime) {
        guard isTyped, (200..<300).contains(status), let answer, answer.hold(run.count) else { return }
        content += run
    }

    func sendEnd() { end() }

    func sendEnd(trailers: borrowing HeaderBlock) { end() }

    func abortAnswer() {
        if problem == nil {
            problem = exchange?.problem ?? Problem(.upstreamTruncated, detail: "Its answer was cut short.")
        }
        status = 0
        end()
    }

    /// Always true: an answer that is too large fails the whole instead.
    func hasRoom() -> Bool { true }
}
