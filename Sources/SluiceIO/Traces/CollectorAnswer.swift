/// What a collector has said to a batch (OTLP 1.0, "OTLP/HTTP Response").
enum CollectorAnswer: Equatable {
    case taken
    /// It has taken the batch, but for so many spans, which are not to be sent again ("Partial Success").
    case takenInPart(refused: Int)
    /// It may be sent once more, perhaps not before some seconds have passed.
    case notNow(reason: String, seconds: Int?)
    /// It would fare no better a second time.
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

    /// The same, with what the beginning of its body tells (`ExportTraceServiceResponse`).
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
