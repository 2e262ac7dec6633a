import SluiceContract

/// `limits:`: every limit of the edge, in one table.
enum LimitsSection {
    /// A limit with its place in the model and the values that work.
    enum Row: Sendable {
        case size(String, WritableKeyPath<Limits, Int> & Sendable, ClosedRange<Int>, String)
        case count(String, WritableKeyPath<Limits, Int> & Sendable, ClosedRange<Int>, String)
        case wait(String, WritableKeyPath<Limits, Duration> & Sendable, ClosedRange<Duration>, String)
    }

    private static let kibi = 1 << 10
    private static let gibi = 1 << 30
    /// More than anybody has, and far from what overflows.
    private static let sizeMax = 1 << 50
    private static let countMax = 1_000_000_000
    /// Delays up to this are nobody's fault.
    private static let waits = Duration.milliseconds(100)...Quantity.durationMax

    static let rows: [Row] = [
        .size("request-line", \.requestLineBytes, 64...gibi, "Method, target and version of a request"),
        .size("header-block", \.headerBytes, 256...gibi, "All fields of one head"),
        .count("header-count", \.headerCount, 1...countMax, "Fields of one head"),
        .size("body", \.bodyBytes, 0...sizeMax, "A client's body"),
        .size(
            "body-parameters", \.bodyParametersBytes, 0...gibi,
            "A body that is read whole because parameters are taken from it"),
        .size(
            "buffered", \.bufferedBytes, kibi...gibi, "Bytes that wait for one slow reader, on either side"),
        .size(
            "buffered-total", \.bufferedTotalBytes, 16 * kibi...sizeMax,
            "Bytes that wait for all slow readers of one event loop; the less is left of them, the fewer for each"),
        .count("connections", \.connections, 1...countMax, "Client connections of the whole process"),
        .count(
            "http2-streams", \.http2Streams, 1...countMax, "Streams of one HTTP/2 connection that are open at a time"),
        .size(
            "http2-window", \.http2WindowBytes, kibi...gibi, "Content of one HTTP/2 stream that waits to be taken"),
        .count(
            "http2-resets", \.http2Resets, 1...countMax,
            "HTTP/2 streams in 30 seconds that end early, before the connection does"),
        .count(
            "http2-control-frames", \.http2ControlFrames, 16...countMax,
            "HTTP/2 frames in 30 seconds beyond those that requests and answers need"),
        .count(
            "http2-continuations", \.http2Continuations, 1...countMax,
            "CONTINUATION frames of one HTTP/2 field section"),
        .count(
            "connections-per-client", \.connectionsPerClient, 1...countMax,
            "Client connections of one address or Unix user"),
        .count(
            "descriptor-reserve", \.descriptorReserve, 1...countMax,
            "File descriptors that clients may not use up; a quarter of all at most"),
        .count("keep-alive-requests", \.keepAliveRequests, 1...countMax, "Requests on one client connection"),
        .count(
            "rate-clients", \.rateClients, 1...countMax, "Clients whose rates are told apart; those beyond share one"),
        .size(
            "min-rate", \.rateBytesMin, 0...gibi / 2,
            "Bytes per second below which a client that sends a body or reads an answer is cut off; 0 is no minimum"),
        .count("json-depth", \.jsonDepth, 1...countMax, "Nesting of JSON"),
        .size("json-string", \.jsonStringBytes, 1...sizeMax, "One JSON string"),
        .count("json-keys", \.jsonKeys, 1...countMax, "Keys of one JSON object"),
        .size("json-document", \.jsonBytes, 1...sizeMax, "A checked document"),
        .count("content-codings", \.contentCodings, 1...countMax, "Codings of one body, one around the other"),
        .size(
            "decoded-body", \.decodedBytes, 0...sizeMax,
            "A body whose gzip, deflate, br or zstd is decoded here, after that"),
        .count(
            "decoded-ratio", \.decodedRatio, 1...countMax, "Times that it may be longer decoded, beyond the first MiB"),
        .size(
            "error-body", \.errorBodyBytes, 0...gibi, "An upstream's error body that is read for its message"),
        .wait("header-timeout", \.headerTimeout, waits, "For a whole request head to arrive"),
        .wait("body-timeout", \.bodyTimeout, waits, "Without any byte of a body, in either direction"),
        .wait(
            "stream-timeout", \.streamTimeout, waits,
            "Without any byte of an event stream, or of a tunnel in either direction"),
        .wait("keep-alive", \.keepAlive, waits, "How long an idle client connection is kept"),
    ]

    static let section = Section(
        name: "limits", summary: "Every limit of the edge",
        keys: rows.map { row in
            let limits = Limits()
            return switch row {
            case .size(let name, let path, let range, let summary):
                .init(
                    name,
                    .within(
                        .size, least: Quantity.text(bytes: range.lowerBound),
                        most: Quantity.text(bytes: range.upperBound)),
                    default: Quantity.text(bytes: limits[keyPath: path]), summary)
            case .count(let name, let path, let range, let summary):
                .init(name, .integer(range), default: String(limits[keyPath: path]), summary)
            case .wait(let name, let path, let range, let summary):
                .init(
                    name,
                    .within(
                        .duration, least: Quantity.text(range.lowerBound), most: Quantity.text(range.upperBound)),
                    default: Quantity.text(limits[keyPath: path]), summary)
            }
        })

    static func read(_ node: SourceNode, _ desk: Desk, into limits: inout Limits) {
        Fields.read(node, section, desk) { fields in
            for row in rows {
                switch row {
                case .size(let name, let path, let range, _):
                    fields.set(name, &limits[keyPath: path]) { desk.size($0, in: range) }
                case .count(let name, let path, let range, _):
                    fields.set(name, &limits[keyPath: path]) { desk.integer($0, in: range) }
                case .wait(let name, let path, let range, _):
                    fields.set(name, &limits[keyPath: path]) { desk.wait($0, in: range) }
                }
            }
        }
    }
}
