internal import SluiceContract
internal import SluiceHTTP

/// Answers that end when nobody wants them any more, and may have nothing to say for long.
enum EventStream {
    /// WHATWG HTML §9.2, and the other types made for it: JSON lines (RFC 7464 and the usual one), `multipart` whose
    /// parts replace each other.
    private static let mediaTypes: [StaticString] = [
        "text/event-stream", "application/x-ndjson", "application/json-seq", "multipart/x-mixed-replace",
    ]

    static func isOne(_ response: borrowing ResponseHead) -> Bool {
        guard let index = response.fields.firstIndex(of: .contentType),
            let type = ContentType(response.fields.value(index))
        else { return false }
        return mediaTypes.contains { type.mediaType.equalsIgnoringCase($0) }
    }
}

extension Fetch {
    /// An event stream may be silent for longer than other answers. That is looked at when the usual time is over, and
    /// not before: so it costs an answer nothing.
    /// - Returns: when it will have been silent for too long; nil where it has been.
    func silenceExtended(from deadline: UInt64) -> UInt64? {
        let limit = loop.limits.streamTimeout.nanosecondsClamped
        guard answer.isUnbounded, !answer.isTunnel, deadline != answer.silentUntil, limit > answer.silence,
            borrowedRoute?({ $0.idleNanoseconds }) == nil, EventStream.isOne(response)
        else { return nil }
        answer.silentUntil = deadline &+ (limit - answer.silence)
        return answer.silentUntil
    }
}
