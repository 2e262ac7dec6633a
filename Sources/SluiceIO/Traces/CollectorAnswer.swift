/// A collector's answer to a batch (OTLP 1.0, "OTLP/HTTP Response").
enum CollectorAnswer: Equatable {
    case taken
    /// The collector has taken the batch except for some spans, which are not to be sent again ("Partial Success").
    case takenInPart(refused: Int)
    /// The batch may be sent again, possibly only after some seconds.
    case notNow(reason: String, seconds: Int?)
    /// Sending the batch again would not help.
    case refused(reason: String)

    var isForLater: Bool {
        if case .notNow = self { true } else { false }
    }

    /// - Parameter retryAfter: of the field, in seconds.
    init(status: Int, retryAfter: Int?) {
        switch status {
        case 200..<300: self = .taken
        // "Retryable Response Codes".
        case 429, 502, 503, 504: self = .notNow(reason: "it answered with status \(status)", seconds: retryAfter)
        default: self = .refused(reason: "it answered with status \(status)")
        }
    }

    /// The answer with the beginning of its body read (`ExportTraceServiceResponse`).
    func reading(_ body: [UInt8]) -> CollectorAnswer {
        guard self == .taken else { return self }
        var response = ProtobufReader(body[...])
        while let field = response.next() {
            // `partial_success`, and in it `rejected_spans`.
            guard field.number == 1, case .bytes(let inside) = field.value else { continue }
            var success = ProtobufReader(inside)
            while let field = success.next() {
                if field.number == 1, case .varint(let count) = field.value, count > 0 {
                    return .takenInPart(refused: Int(clamping: count))
                }
            }
        }
        return .taken
    }
}
