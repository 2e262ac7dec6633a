/// What a collector has said to a batch (OTLP 1.0, "OTLP/HTTP Response").
enum CollectorAnswer: Equatable {
    case taken
    /// It may be sent once more, perhaps not before some seconds have passed.
    case notNow(reason: String, seconds: Int?)
    /// It would fare no better a second time.
    case refused(reason: String)

    /// - Parameter retryAfter: of the field, in seconds.
    init(status: Int, retryAfter: Int?) {
        switch status {
        case 200..<300: self = .taken
        // "Retryable Response Codes".
        case 429, 502, 503, 504: self = .notNow(reason: "it answered with status \(status)", seconds: retryAfter)
        default: self = .refused(reason: "it answered with status \(status)")
        }
    }
}
