internal import SluiceContract
internal import SluiceHTTP

/// Makes what is shown of an exchange out of what was noted and kept of it.
struct InspectionWriter {
    private let record: ExchangeRecord
    private let contents: ExchangeContents
    private let mask: CredentialMask
    private let now: UInt64

    init(_ record: ExchangeRecord, _ contents: ExchangeContents, _ mask: CredentialMask, now: UInt64) {
        (self.record, self.contents, self.mask, self.now) = (record, contents, mask, now)
    }

    func inspection(_ summary: Inspection.Summary) -> Inspection {
        Inspection(
            summary: summary, request: side(contents.request),
            answer: contents.answer.hasHead ? side(contents.answer) : nil,
            attempts: record.attempts.indices.map(attempt), phases: ownPhases)
    }

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
        let type = message.fields.first { $0.name.lowercased() == "content-type" }?.value.lowercased() ?? ""
        let isForm = type.hasPrefix("application/x-www-form-urlencoded")
        let bytes =
            isForm
            ? SensitiveMembers.masked(form: message.body)
            : SensitiveMembers.masked(json: message.body, MessageContents.redacted)
        // A character that is cut has at most three bytes left.
        for cut in 0...min(3, message.isCut ? bytes.count : 0) {
            if let text = String(validating: bytes.dropLast(cut), as: UTF8.self) {
                return .text(masked(text, isCut: message.isCut))
            }
        }
        // What is no text is shown where nothing secret is in it that could be seen.
        let text = String(decoding: bytes, as: UTF8.self)
        return mask.applied(to: text) == text ? .bytes(bytes) : .none
    }

    /// Of a text that is cut, the beginning of a secret may be the end.
    private func masked(_ text: String, isCut: Bool) -> String {
        guard isCut else { return mask.applied(to: text) }
        return String(mask.applied(to: text + "…").dropLast())
    }

    // MARK: - Attempts

    private func attempt(_ position: Int) -> Inspection.Attempt {
        let attempt = record.attempts[position]
        let kept = position < contents.attempts.count ? contents.attempts[position] : ExchangeContents.Attempt()
        return Inspection.Attempt(
            upstream: attempt.upstream, endpoint: attempt.site, cause: attempt.cause.rawValue,
            connection: attempt.connection?.rawValue, request: kept.request.hasHead ? side(kept.request) : nil,
            answer: kept.answer.hasHead ? side(kept.answer) : nil,
            failure: attempt.end == .answered ? nil : attempt.end?.rawValue,
            phases: phases(attempt, sentAt: kept.sentAt))
    }

    /// From the search for a connection to the end: each phase ends where the next begins.
    private func phases(_ attempt: AttemptRecord, sentAt: UInt64?) -> [Inspection.Phase] {
        let end = attempt.endedAt ?? now
        let first: Inspection.Phase.Name = attempt.connection == .opened ? .connect : .queued
        let facts: [(Inspection.Phase.Name, UInt64?)] = [
            (first, attempt.startedAt), (.send, attempt.departedAt),
            // An answer may come before all of its request is out.
            (.wait, sentAt.map { min($0, attempt.answeredAt ?? end) }), (.receive, attempt.answeredAt),
        ]
        let known = facts.compactMap { name, time in time.map { (name, $0) } }
        return known.indices.map { index in
            let next = index + 1 < known.count ? known[index + 1].1 : end
            return phase(known[index].0, known[index].1, next)
        }
    }

    private var ownPhases: [Inspection.Phase] {
        guard let first = record.attempts.map(\.startedAt).min() else {
            return [phase(.deliver, record.startedAt, now)]
        }
        let last = record.attempts.compactMap(\.endedAt).max() ?? now
        return [phase(.queued, record.startedAt, first), phase(.deliver, last, now)].filter { $0.end > $0.start }
    }

    private func phase(_ name: Inspection.Phase.Name, _ start: UInt64, _ end: UInt64) -> Inspection.Phase {
        let begin = max(start, record.startedAt)
        return Inspection.Phase(name: name, start: begin - record.startedAt, end: max(end, begin) - record.startedAt)
    }
}
