public import SluiceContract
internal import SluiceHTTP

/// An ended exchange with an upstream, as sent and received. It still contains secrets, because masking them takes too
/// long for a loop.
public struct EndedExchange: Sendable {
    let upstream: String
    let binding: String?
    let origin: String
    let method: String
    /// Secrets are marker bytes, which occur in no other target.
    let target: [UInt8]
    let status: Int
    let request: Message
    let answer: Message
    let mask: CredentialMask
    let at: Int64
    let milliseconds: Int
    let names: RecordingNames

    struct Message: Sendable {
        var fields: [HeaderSetting]
        var body: [UInt8]

        var type: String? { fields.first { $0.name.lowercased() == "content-type" }?.value }
    }

    init(
        _ attempt: AttemptRecord, _ kept: ExchangeContents.Attempt, _ mask: CredentialMask, binding: String?,
        at now: Int64, _ names: RecordingNames
    ) {
        (upstream, origin, method) = (attempt.upstream, attempt.site, attempt.method)
        (target, status, self.binding) = (kept.target, attempt.status, binding)
        let nanoseconds = (attempt.endedAt ?? attempt.startedAt) &- attempt.startedAt
        milliseconds = Int(nanoseconds / 1_000_000)
        at = now - Int64(milliseconds)
        request = Message(fields: Self.fields(of: kept.request, names), body: kept.request.body)
        var fields = Self.fields(of: kept.answer, names)
        // The length that the content would have had (RFC 9110 §8.6).
        if attempt.method == "HEAD",
            let length = kept.answer.fields.first(where: { $0.name.lowercased() == "content-length" })
        {
            fields.append(HeaderSetting(name: length.name, value: length.value))
        }
        answer = Message(fields: fields, body: kept.answer.body)
        (self.mask, self.names) = (mask, names)
    }

    private static func fields(of message: MessageContents, _ names: RecordingNames) -> [HeaderSetting] {
        let leftOut = Set(names.leftOut.map { $0.lowercased() })
        return message.fields.compactMap { field in
            let name = field.name.lowercased()
            // Credentials are left out together with their fields.
            if framing.contains(name) || leftOut.contains(name) || field.value == MessageContents.redacted {
                return nil
            }
            return HeaderSetting(name: field.name, value: field.value)
        }
    }

    /// Fields that frame the message or concern one hop only. They follow from the message or from the hop.
    static let framing: Set<String> = [
        "host", "connection", "keep-alive", "transfer-encoding", "content-length", "te", "trailer", "upgrade",
        "accept-encoding", "content-encoding", "via", "traceparent", "tracestate", "proxy-connection", "expect",
    ]

    // MARK: - Without what is secret

    /// Bytes of both bodies.
    public var bodyBytes: Int { request.body.count + answer.body.count }

    private var plainTarget: String {
        mask.applied(to: target.withUnsafeBytes { RecordedBody.ofRequest(names).masked(target: $0) })
    }

    /// A name for people, without values that may be credentials.
    public var name: String { "\(method) \(plainTarget) of '\(upstream)'" }

    /// The exchange without secrets; nil where a secret could not be removed.
    public func withoutSecrets() -> RecordedExchange? {
        var exchange = RecordedExchange(upstream: upstream, method: method, target: plainTarget, status: status)
        exchange.binding = binding
        exchange.origin = origin
        (exchange.leftOut, exchange.compared) = (names.leftOut.sorted(), names.compared.sorted())
        (exchange.milliseconds, exchange.at) = (milliseconds, at)
        exchange.requestFields = masked(RecordedBody.fields(request.fields, with: request.body))
        exchange.fields = masked(answer.fields)
        guard let asked = RecordedBody.ofRequest(names).masked(request.body, type: request.type, mask),
            let answered = RecordedBody.ofAnswer(names).masked(answer.body, type: answer.type, mask)
        else { return nil }
        (exchange.requestBody, exchange.body) = (asked, answered)
        return exchange
    }

    private func masked(_ fields: [HeaderSetting]) -> [HeaderSetting] {
        mask.isEmpty ? fields : fields.map { HeaderSetting(name: $0.name, value: mask.applied(to: $0.value)) }
    }

    /// A hash of the request, including values that may be credentials. Not reversible, and only comparable within this
    /// process.
    public var question: Int {
        let rule = RecordedBody(leftOut: names.leftOut, kept: .all, boundary: .fixed)
        var hasher = Hasher()
        hasher.combine(target.withUnsafeBytes { rule.masked(target: $0) })
        hasher.combine(rule.masked(request.body, type: request.type))
        return hasher.finalize()
    }
}
