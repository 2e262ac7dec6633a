internal import SluiceContract
internal import SluiceHTTP

/// Records the attempts of a fetch, where they are recorded at all (``ExchangeRecord``).
struct AttemptNotes {
    /// Why the next attempt is made.
    var cause = AttemptRecord.Cause.first
    private var record: ExchangeRecord?
    private var contents: ExchangeContents?
    /// The index of the current attempt; nil where there is none, or the record is full.
    private var position: Int?

    init() {}

    /// - Parameter contents: where the messages to and from the upstream are kept, too.
    init(_ record: ExchangeRecord, _ contents: ExchangeContents?) {
        self.record = record
        self.contents = contents
    }

    /// Whether attempts are recorded.
    var isOn: Bool { record != nil }

    /// An attempt begins by looking for a connection.
    mutating func begin(
        _ request: BoundRequest, _ upstream: UpstreamRuntime, _ endpoint: Endpoint, _ loop: LoopContext
    ) {
        // The attempt before was given up before anything was sent.
        ended(.abandoned, status: 0, at: loop.now)
        position = nil
        guard let record else { return }
        let target = Self.target(of: request, isFirst: record.attempts.isEmpty)
        position = record.begin(
            AttemptRecord(
                cause, loop.random.span(), upstream: upstream.settings.name, site: endpoint.site,
                method: request.sentMethod, target: target, at: loop.now))
        if let position {
            contents?.begin(attempt: position, of: request.route?.binding.name, for: request.target.bytes)
        } else {
            contents?.recorder?.lose(target, "more than \(ExchangeRecord.attemptsMax) requests for one")
        }
    }

    /// The part of a target that may be shown. The target of a later attempt may come from the upstream, which may have
    /// repeated secrets in it.
    private static func target(of request: BoundRequest, isFirst: Bool) -> String {
        let target = QueryMask.text(request.target.bytes)
        return isFirst ? target : EchoMask.mask(for: request)?.applied(to: target) ?? target
    }

    func connected(_ connection: AttemptRecord.Connection) { note { $0.connection = connection } }

    /// Gives the attempt a span id of its own as its head is sent.
    func name(_ request: BoundRequest, _ random: inout RandomSource) {
        request.trace?.attempt = position.flatMap { record?.attempts[$0].span } ?? random.span()
    }

    func departed(at now: UInt64) { note { $0.departedAt = now } }

    func answered(_ status: Int, isStream: Bool, at now: UInt64) {
        note { attempt in
            attempt.answeredAt = now
            attempt.status = status
            attempt.isStream = isStream
        }
    }

    /// - Parameter outcome: nil means the outcome follows from the answer's status, if it has come.
    /// - Parameter isWhole: the answer has arrived completely.
    mutating func ended(_ outcome: UpstreamCells.Outcome?, status: Int, at now: UInt64, isWhole: Bool = false) {
        note { attempt in
            attempt.end =
                switch outcome {
                case .connect: .connect
                case .lost: .lost
                case .timeout: .timeout
                case .abandoned: .abandoned
                case nil: status >= 200 || status == 101 ? .answered : .abandoned
                case .informational, .successful, .redirection, .clientError, .serverError: .answered
                }
            attempt.endedAt = now
        }
        if let contents, let position, contents.recorder != nil, let attempt = record?.attempts[position] {
            contents.ended(attempt: position, attempt, isWhole: isWhole)
        }
        position = nil
    }

    // MARK: - What goes over

    /// Records the head of the request, which follows the first `start` bytes of `out`.
    func sent(_ request: BoundRequest, head out: borrowing Outbox, from start: Int) {
        guard let contents, let position, let attempt = record?.attempts[position] else { return }
        var head: [UInt8] = []
        out.forEachRun { run, _ in head += run }
        head.removeFirst(start)
        // The target in the head contains secrets, so the recorded one replaces it.
        let method = String(decoding: head.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)
        let line = "\(method) \(attempt.target) HTTP/1.1"
        head.withUnsafeBytes { contents.take(head: $0, line: line, into: contents.attempts[position].request) }
        hideSecrets(of: request, contents)
    }

    /// The same for HTTP/2.
    /// - Parameter lines: from `start` on, further fields, each `name: value` CRLF.
    func sent(_ request: BoundRequest, lines: borrowing Outbox, from start: Int) {
        guard let contents, let position, let attempt = record?.attempts[position] else { return }
        contents.take(
            "\(attempt.method) \(attempt.target) HTTP/2", request.head.fields,
            lines: UnsafeRawBufferPointer(rebasing: lines.firstRun[start...]),
            into: contents.attempts[position].request)
        hideSecrets(of: request, contents)
    }

    private func hideSecrets(of request: BoundRequest, _ contents: ExchangeContents) {
        for secret in request.secrets.shown { contents.hide(secret) { secret.insert(into: &$0) } }
    }

    func sent(body bytes: UnsafeRawBufferPointer) {
        guard let contents, let position else { return }
        contents.take(body: bytes, into: contents.attempts[position].request)
    }

    /// The whole request has been sent.
    func sentAll(at now: UInt64) {
        if let contents, let position { contents.sentAll(position, at: now) }
    }

    /// The head of the answer has arrived.
    func received(_ response: borrowing ResponseHead, isStream: Bool) {
        guard let contents, let position else { return }
        let reason = response.reason.isEmpty ? "" : " " + String(decoding: response.reason, as: UTF8.self)
        contents.take(
            "\(isStream ? "HTTP/2" : "HTTP/1.1") \(response.status)\(reason)", response.fields,
            into: contents.attempts[position].answer)
    }

    /// - Parameter isDecoded: whether a content coding has been removed.
    func received(body bytes: UnsafeRawBufferPointer, isDecoded: Bool) {
        guard let contents, let position else { return }
        contents.take(body: bytes, isDecoded: isDecoded, into: contents.attempts[position].answer)
    }

    // MARK: - Events

    func typeFaults(_ faults: [Problem.Fault], at now: UInt64) {
        for fault in faults {
            event(.typeFault(path: fault.name, expected: fault.expected, found: fault.found), at: now)
        }
    }

    func event(_ kind: RecordedEvent.Kind, at now: UInt64) { record?.note(RecordedEvent(at: now, kind: kind)) }

    private func note(_ change: (inout AttemptRecord) -> Void) {
        if let record, let position { record.note(position, change) }
    }
}

extension BoundRequest {
    /// The method as it stands in the request line.
    var sentMethod: String {
        if let name = route?.methodName { return String(decoding: name, as: UTF8.self) }
        return upstreamMethod == .get ? "GET" : String(decoding: head.methodName, as: UTF8.self)
    }
}
