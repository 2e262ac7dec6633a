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
        mediaTypes.contains { has($0, response) }
    }

    /// Whether it is a stream of server-sent events, which nothing else may be taken for (WHATWG HTML §9.2.5): nearly
    /// every text is one, without any events.
    static func hasEvents(_ response: borrowing ResponseHead) -> Bool { has("text/event-stream", response) }

    private static func has(_ mediaType: StaticString, _ response: borrowing ResponseHead) -> Bool {
        guard let index = response.fields.firstIndex(of: .contentType),
            let type = ContentType(response.fields.value(index))
        else { return false }
        return type.mediaType.equalsIgnoringCase(mediaType)
    }
}
