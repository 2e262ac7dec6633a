import SluiceContract

/// `limits:`: every limit of the edge, in one table.
enum LimitsSection {
    /// A limit with its place in the model.
    enum Row: Sendable {
        case size(String, WritableKeyPath<Limits, Int> & Sendable, String)
        case count(String, WritableKeyPath<Limits, Int> & Sendable, String)
        case wait(String, WritableKeyPath<Limits, Duration> & Sendable, String)
    }

    static let rows: [Row] = [
        .size("request-line", \.requestLineBytes, "Method, target and version of a request"),
        .size("header-block", \.headerBytes, "All fields of one head"),
        .count("header-count", \.headerCount, "Fields of one head"),
        .size("body", \.bodyBytes, "A client's body"),
        .size(
            "body-parameters", \.bodyParametersBytes, "A body that is read whole because parameters are taken from it"),
        .size("buffered", \.bufferedBytes, "Bytes that wait for one slow reader, on either side"),
        .size(
            "buffered-total", \.bufferedTotalBytes,
            "Bytes that wait for all slow readers of one event loop; the less is left of them, the fewer for each"),
        .count("connections", \.connections, "Client connections of the whole process"),
        .count("http2-streams", \.http2Streams, "Streams of one HTTP/2 connection that are open at a time"),
        .size("http2-window", \.http2WindowBytes, "Content of one HTTP/2 stream that waits to be taken"),
        .count(
            "http2-resets", \.http2Resets, "HTTP/2 streams in 30 seconds that end early, before the connection does"),
        .count(
            "http2-control-frames", \.http2ControlFrames,
            "HTTP/2 frames in 30 seconds beyond those that requests and answers need"),
        .count("http2-continuations", \.http2Continuations, "CONTINUATION frames of one HTTP/2 field section"),
        .count("connections-per-client", \.connectionsPerClient, "Client connections of one address or Unix user"),
        .count(
            "descriptor-reserve", \.descriptorReserve,
            "File descriptors that clients may not use up; a quarter of all at most"),
        .count("keep-alive-requests", \.keepAliveRequests, "Requests on one client connection"),
        .count("rate-clients", \.rateClients, "Clients whose rates are told apart; those beyond share one"),
        .size(
            "min-rate", \.rateBytesMin,
            "Bytes per second below which a client that sends a body or reads an answer is cut off; 0 is no minimum"),
        .count("json-depth", \.jsonDepth, "Nesting of JSON"),
        .size("json-string", \.jsonStringBytes, "One JSON string"),
        .count("json-keys", \.jsonKeys, "Keys of one JSON object"),
        .size("json-document", \.jsonBytes, "A checked document"),
        .count("content-codings", \.contentCodings, "Codings of one body, one around the other"),
        .size("decoded-body", \.decodedBytes, "A body whose gzip, deflate, br or zstd is decoded here, after that"),
        .count("decoded-ratio", \.decodedRatio, "Times that it may be longer decoded, beyond the first MiB"),
        .size("error-body", \.errorBodyBytes, "An upstream's error body that is read for its message"),
        .wait("header-timeout", \.headerTimeout, "For a whole request head to arrive"),
        .wait("body-timeout", \.bodyTimeout, "Without any byte of a body, in either direction"),
        .wait(
            "stream-timeout", \.streamTimeout, "Without any byte of an event stream, or of a tunnel in either direction"
        ),
        .wait("keep-alive", \.keepAlive, "How long an idle client connection is kept"),
    ]

    static let section = Section(
        name: "limits", summary: "Every limit of the edge",
        keys: rows.map { row in
            switch row {
            case .size(let name, let path, let summary):
                .init(name, .size, default: Quantity.text(bytes: Limits()[keyPath: path]), summary)
            case .count(let name, let path, let summary):
                .init(name, .integer(1...1_000_000_000), default: String(Limits()[keyPath: path]), summary)
            case .wait(let name, let path, let summary):
                .init(name, .duration, default: Quantity.text(Limits()[keyPath: path]), summary)
            }
        })

    static func read(_ node: SourceNode, _ desk: Desk, into limits: inout Limits) {
        Fields.read(node, section, desk) { fields in
            for row in rows {
                switch row {
                case .size(let name, let path, _): fields.set(name, &limits[keyPath: path], desk.size)
                case .count(let name, let path, _):
                    fields.set(name, &limits[keyPath: path]) { desk.integer($0, in: 1...1_000_000_000) }
                case .wait(let name, let path, _): fields.set(name, &limits[keyPath: path], desk.wait)
                }
            }
        }
    }
}
