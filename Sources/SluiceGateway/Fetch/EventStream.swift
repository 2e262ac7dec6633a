internal import SluiceContract
internal import SluiceHTTP

/// Answers that go on until their client leaves, and may be silent for long.
enum EventStream {
    /// WHATWG HTML §9.2, and the other types made for it: JSON lines (RFC 7464 and the usual one), `multipart` whose
    /// parts replace each other.
    private static let mediaTypes: [StaticString] = [
        "text/event-stream", "application/x-ndjson", "application/json-seq", "multipart/x-mixed-replace",
    ]

    static func isOne(_ response: borrowing ResponseHead) -> Bool {
        guard let type = type(of: response) else { return false }
        return mediaTypes.contains { type.mediaType.equalsIgnoringCase($0) }
    }

    /// Whether it is a stream of server-sent events, which nothing else may be taken for (WHATWG HTML §9.2.5): nearly
    /// every text is one, without any events.
    static func hasEvents(_ response: borrowing ResponseHead) -> Bool { type(of: response)?.isEventStream == true }

    private static func type(of response: borrowing ResponseHead) -> ContentType? {
        guard let index = response.fields.firstIndex(of: .contentType) else { return nil }
        return ContentType(response.fields.value(index))
    }
}
