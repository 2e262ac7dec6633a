internal import SluiceContract
internal import SluiceHTTP

/// Answers that last until the client disconnects, and may be silent for long.
enum EventStream {
    /// `text/event-stream` (WHATWG HTML §9.2), and other media types for streams: JSON lines (RFC 7464 and the usual
    /// one), `multipart` whose parts replace each other.
    private static let mediaTypes: [StaticString] = [
        "text/event-stream", "application/x-ndjson", "application/json-seq", "multipart/x-mixed-replace",
    ]

    static func isOne(_ response: borrowing ResponseHead) -> Bool {
        guard let type = type(of: response) else { return false }
        return mediaTypes.contains { type.mediaType.equalsIgnoringCase($0) }
    }

    /// Whether the answer is a stream of server-sent events. Its media type decides (WHATWG HTML §9.2.5): nearly every
    /// text parses as one, without any events.
    static func hasEvents(_ response: borrowing ResponseHead) -> Bool { type(of: response)?.isEventStream == true }

    private static func type(of response: borrowing ResponseHead) -> ContentType? {
        guard let index = response.fields.firstIndex(of: .contentType) else { return nil }
        return ContentType(response.fields.value(index))
    }
}
