internal import SluiceContract
internal import SluiceHTTP

/// Makes the inspection of an exchange from its recorded attempts and contents.
struct InspectionWriter {
    private let record: ExchangeRecord
    private let contents: ExchangeContents
    let mask: CredentialMask
    private let now: UInt64

    init(_ record: ExchangeRecord, _ contents: ExchangeContents, _ mask: CredentialMask, now: UInt64) {
        (self.record, self.contents, self.mask, self.now) = (record, contents, mask, now)
    }

    func inspection(_ summary: Inspection.Summary) -> Inspection {
        let attempts = attempts
        return Inspection(
            summary: summary, request: side(contents.request),
            answer: contents.answer.hasHead ? side(contents.answer) : nil, attempts: attempts,
            phases: ownPhases(beside: attempts))
    }

    /// The attempts of the exchange and of its parts.
    var attempts: [Inspection.Attempt] { record.attempts.indices.map(attempt) + contents.partAttempts }

    // MARK: - Messages

    private func side(_ message: MessageContents) -> Inspection.Side {
        let body = body(of: message)
        var isCut = message.isCut
        if case .none = body, message.size > 0 { isCut = true }
        return Inspection.Side(
            line: mask.applied(to: message.line),
            fields: message.fields.map { ($0.name, mask.applied(to: $0.value)) }, body: body, size: message.size,
            isCut: isCut)
    }

    private func body(of message: MessageContents) -> Inspection.Body {
        if message.body.isEmpty { return message.size == 0 ? .text("") : .none }
        let type = message.fields.first { $0.name.lowercased() == "content-type" }?.value ?? ""
        let bytes =
            if let parts = MultipartBody(message.body, type: type) {
                parts.masked(.shown)
            } else if type.lowercased().hasPrefix("application/x-www-form-urlencoded") {
                SensitiveMembers.masked(form: message.body)
            } else {
                SensitiveMembers.masked(json: message.body, .shown)
            }
        // A character that is cut off leaves at most three bytes.
        for cut in 0...min(3, message.isCut ? bytes.count : 0) {
            if let text = String(validating: bytes.dropLast(cut), as: UTF8.self) {
                return .text(masked(text, isCut: message.isCut))
            }
        }
        // Bytes that are not text are shown only if no secret is visible in them.
        let text = String(decoding: bytes, as: UTF8.self)
        return mask.applied(to: text) == text ? .bytes(bytes) : .none
    }

    /// A text that is cut may end with the beginning of a secret.
    private func masked(_ text: String, isCut: Bool) -> String {
        guard isCut else { return mask.applied(to: text) }
        return String(mask.applied(to: text + "…").dropLast())
    }

    // MARK: - Attempts

    private func attempt(_ position: Int) -> Inspection.Attempt {
        let attempt = record.attempts[position]
        let kept = position < contents.attempts.count ? contents.attempts[position] : ExchangeContents.Attempt()
        return Inspection.Attempt(
            part: contents.partName, upstream: attempt.upstream, endpoint: attempt.site, cause: attempt.cause.rawValue,
            connection: attempt.connection?.rawValue, request: kept.request.hasHead ? side(kept.request) : nil,
            answer: kept.answer.hasHead ? side(kept.answer) : nil,
            failure: attempt.end == .answered ? nil : attempt.end?.rawValue,
            phases: phases(attempt, sentAt: kept.sentAt))
    }

    /// The phases from the search for a connection to the end: each ends where the next begins.
    private func phases(_ attempt: AttemptRecord, sentAt: UInt64?) -> [Inspection.Phase] {
        let end = attempt.endedAt ?? now
        let first: Inspection.Phase.Name = attempt.connection == .opened ? .connect : .queued
        let facts: [(Inspection.Phase.Name, UInt64?)] = [
            (first, attempt.startedAt), (.send, attempt.departedAt),
            // An answer may come before its request has been sent completely.
            (.wait, sentAt.map { min($0, attempt.answeredAt ?? end) }), (.receive, attempt.answeredAt),
        ]
        let known = facts.compactMap { name, time in time.map { (name, $0) } }
        return known.indices.map { index in
            let next = index + 1 < known.count ? known[index + 1].1 : end
            return phase(known[index].0, known[index].1, next)
        }
    }

    private func ownPhases(beside attempts: [Inspection.Attempt]) -> [Inspection.Phase] {
        let end = max(now, contents.startedAt) - contents.startedAt
        let phases = attempts.flatMap(\.phases)
        guard let first = phases.map(\.start).min(), let last = phases.map(\.end).max() else {
            return [Inspection.Phase(name: .deliver, start: 0, end: end)]
        }
        return [
            Inspection.Phase(name: .queued, start: 0, end: first),
            Inspection.Phase(name: .deliver, start: last, end: end),
        ].filter { $0.end > $0.start }
    }

    /// A phase, with times since the client's exchange began.
    private func phase(_ name: Inspection.Phase.Name, _ start: UInt64, _ end: UInt64) -> Inspection.Phase {
        let begin = max(start, contents.startedAt)
        return Inspection.Phase(
            name: name, start: begin - contents.startedAt, end: max(end, begin) - contents.startedAt)
    }
}
