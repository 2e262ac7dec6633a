public import SluiceContract

/// Keeps exchanges with upstreams, to be answered with another time (`sluice record`). Shared by all loops.
public final class ExchangeRecorder: Sendable {
    /// What came of an exchange.
    public enum Outcome: Sendable {
        case recorded(RecordedExchange)
        /// It was not recorded.
        case lost(what: String, why: String)
    }

    /// Bytes of one body.
    public let bodyBytesMax: Int
    /// Names of fields, and of members of bodies, that are left out beside those that sound like credentials.
    public let leftOut: Set<String>
    /// Names of members of answers that are kept, though they sound like credentials.
    public let kept: Set<String>
    private let take: @Sendable (Outcome) -> Void

    /// Exchanges that are under way at the same time, of which something is kept.
    static let openMax = 256

    /// - Parameter take: called on loops; it must not wait for anything.
    public init(
        bodyBytesMax: Int, leftOut: Set<String>, kept: Set<String> = [], _ take: @escaping @Sendable (Outcome) -> Void
    ) {
        self.kept = kept
        self.bodyBytesMax = bodyBytesMax
        self.leftOut = leftOut
        self.take = take
    }

    /// What is kept of an exchange while it goes on.
    var settings: InspectSettings {
        var settings = InspectSettings()
        settings.last = Self.openMax
        settings.bodyBytes = bodyBytesMax
        return settings
    }

    func lose(_ what: String, _ why: String) { take(.lost(what: what, why: why)) }

    // MARK: - An attempt

    /// An attempt at an upstream is over.
    /// - Parameters:
    ///   - isWhole: its answer has arrived to the end.
    ///   - at: milliseconds since 1970.
    func ended(
        _ attempt: AttemptRecord, _ kept: ExchangeContents.Attempt, _ mask: CredentialMask, isWhole: Bool,
        binding: String?, at: Int64
    ) {
        let what = "\(attempt.method) \(mask.applied(to: attempt.target)) of '\(attempt.upstream)'"
        guard isWhole, attempt.status >= 200 else {
            return lose(what, "there was no whole answer: \(attempt.end?.rawValue ?? "it was not waited for")")
        }
        for (message, name) in [(kept.request, "request"), (kept.answer, "answer")] {
            if message.isCut {
                return lose(
                    what,
                    message.isCoded && message.body.isEmpty
                        ? "its \(name) is in a content coding"
                        : "its \(name) has \(message.size) bytes, and \(bodyBytesMax) are kept (--body-max)")
            }
        }
        var exchange = RecordedExchange(
            upstream: attempt.upstream, method: attempt.method,
            target: RecordedBody(leftOut: leftOut).masked(target: mask.applied(to: attempt.target)),
            status: attempt.status)
        exchange.binding = binding
        exchange.origin = attempt.site
        exchange.leftOut = leftOut.sorted()
        let nanoseconds = (attempt.endedAt ?? attempt.startedAt) &- attempt.startedAt
        exchange.milliseconds = Int(nanoseconds / 1_000_000)
        exchange.at = at - Int64(exchange.milliseconds)
        exchange.requestFields = fields(of: kept.request, mask)
        exchange.fields = fields(of: kept.answer, mask)
        // What an answer without content would have had (RFC 9110 §8.6).
        if attempt.method == "HEAD", let length = kept.answer.fields.first(where: { $0.name.isContentLength }) {
            exchange.fields.append(HeaderSetting(name: length.name, value: length.value))
        }
        guard let requestBody = RecordedBody(leftOut: leftOut).masked(kept.request.body, mask),
            let body = RecordedBody.ofAnswer(without: leftOut, keeping: self.kept).masked(kept.answer.body, mask)
        else {
            return lose(what, "its content is no text, and has a credential in it")
        }
        (exchange.requestBody, exchange.body) = (requestBody, body)
        take(.recorded(exchange))
    }

    /// Fields that frame the message or belong to one hop follow from the message, or from the hop.
    static let framing: Set<String> = [
        "host", "connection", "keep-alive", "transfer-encoding", "content-length", "te", "trailer", "upgrade",
        "accept-encoding", "content-encoding", "via", "traceparent", "tracestate", "proxy-connection", "expect",
    ]

    private func fields(of message: MessageContents, _ mask: CredentialMask) -> [HeaderSetting] {
        let names = Set(leftOut.map { $0.lowercased() })
        return message.fields.compactMap { field in
            let name = field.name.lowercased()
            // What is a credential is not there, be it without its value.
            if Self.framing.contains(name) || names.contains(name) || field.value == MessageContents.redacted {
                return nil
            }
            return HeaderSetting(name: field.name, value: mask.applied(to: field.value))
        }
    }
}

extension String {
    fileprivate var isContentLength: Bool { lowercased() == "content-length" }
}
