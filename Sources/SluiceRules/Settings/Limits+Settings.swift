public import SluiceContract

extension Limits: Layered {
    public static let usual = Limits()

    private static let kibi = 1 << 10
    private static let gibi = 1 << 30
    /// More than anybody has, and far from what overflows.
    private static let sizeMax = 1 << 50
    private static let countMax = 1_000_000_000
    /// Delays up to this are normal.
    private static let waits = Duration.milliseconds(100)...Quantity.durationMax

    public static let settings: [Setting<Limits>] = [
        .size("request-line", \.requestLineBytes, in: 64...gibi, "Method, target and version of a request"),
        .size("header-block", \.headerBytes, in: 256...gibi, "All fields of one head"),
        .count("header-count", \.headerCount, in: 1...countMax, "Fields of one head"),
        .size("body", \.bodyBytes, in: 0...sizeMax, "A client's body"),
        .size(
            "body-parameters", \.bodyParametersBytes, in: 0...gibi,
            "A body that is read whole because parameters are taken from it"),
        .size(
            "buffered", \.bufferedBytes, in: kibi...gibi, "Bytes that wait for one slow reader, on either side"),
        .size(
            "buffered-total", \.bufferedTotalBytes, in: 16 * kibi...sizeMax,
            "Bytes that wait for all slow readers of one event loop; the less is left of them, the fewer for each"),
        .count("connections", \.connections, in: 1...countMax, "Client connections of the whole process"),
        .count(
            "http2-streams", \.http2Streams, in: 1...countMax,
            "Streams of one HTTP/2 connection that are open at a time"),
        .size(
            "http2-window", \.http2WindowBytes, in: kibi...gibi, "Content of one HTTP/2 stream that waits to be taken"),
        .count(
            "http2-resets", \.http2Resets, in: 1...countMax,
            "HTTP/2 streams in 30 seconds that end early, before the connection does"),
        .count(
            "http2-control-frames", \.http2ControlFrames, in: 16...countMax,
            "HTTP/2 frames in 30 seconds beyond those that requests and answers need"),
        .count(
            "http2-continuations", \.http2Continuations, in: 1...countMax,
            "CONTINUATION frames of one HTTP/2 field section"),
        .count(
            "connections-per-client", \.connectionsPerClient, in: 1...countMax,
            "Client connections of one address or Unix user"),
        .count(
            "descriptor-reserve", \.descriptorReserve, in: 1...countMax,
            "File descriptors that clients may not use up; a quarter of all at most"),
        .count("keep-alive-requests", \.keepAliveRequests, in: 1...countMax, "Requests on one client connection"),
        .count(
            "rate-clients", \.rateClients, in: 1...countMax,
            "Clients whose rates are told apart; those beyond share one"),
        .size(
            "min-rate", \.rateBytesMin, in: 0...gibi / 2,
            "Bytes per second below which a client that sends a body or reads an answer is cut off; 0 is no minimum"),
        .count("json-depth", \.jsonDepth, in: 1...countMax, "Nesting of JSON"),
        .size("json-string", \.jsonStringBytes, in: 1...sizeMax, "One JSON string or number"),
        // More than is read at once: what is told apart there needs no holding.
        .size(
            "json-choice", \.jsonChoiceBytes, in: 16 << 10...sizeMax,
            "How much of an object is held until it is known which of a union it is"),
        .count("json-keys", \.jsonKeys, in: 1...countMax, "Keys of one JSON object"),
        .size(
            "row", \.rowBytes, in: 1...gibi,
            "One row of a text: a line of NDJSON, a record of CSV, the data of an event"),
        .size("json-document", \.jsonBytes, in: 1...sizeMax, "A checked document"),
        .count("parts", \.parts, in: 1...1024, "Parts of one composed binding"),
        .count(
            "part-elements", \.partElements, in: 1...100_000,
            "Elements of a list of which a part asks for each"),
        .count(
            "part-requests", \.partRequests, in: 1...1_000_000,
            "Requests for parts of one composed answer, with those for what parts are made of themselves"),
        .size(
            "parts-size", \.partsBytes, in: kibi...gibi,
            "What the parts of one composed answer, and of those in it, hold together until it is put together"),
        .count(
            "loading", \.loading, in: 1...countMax,
            "Answers on their way, on one event loop, whose clients were told to come back (202); then clients wait"),
        .count("watchers", \.watchers, in: 1...countMax, "Clients of one event loop that watch something"),
        .count(
            "watched", \.watched, in: 1...countMax,
            "Values that are watched on one event loop, or have been a minute ago"),
        .size("watched-size", \.watchedBytes, in: kibi...gibi, "One value that is watched"),
        .size(
            "watched-total", \.watchedTotalBytes, in: kibi...sizeMax,
            "All watched values of the process, each of which counts twice, with what is kept of their changes"),
        .size(
            "watch-history", \.watchHistoryBytes, in: 0...gibi,
            "Changes of one watched value that are kept for clients that come back"),
        .count("content-codings", \.contentCodings, in: 1...countMax, "Codings of one body, one around the other"),
        .size(
            "decoded-body", \.decodedBytes, in: 0...sizeMax,
            "A body whose gzip, deflate, br or zstd is decoded here, after that"),
        .count(
            "decoded-ratio", \.decodedRatio, in: 1...countMax,
            "Times that it may be longer decoded, beyond the first MiB"),
        .size(
            "error-body", \.errorBodyBytes, in: 0...gibi, "An upstream's error body that is read for its message"),
        .wait("header-timeout", \.headerTimeout, in: waits, "For a whole request head to arrive"),
        .wait("body-timeout", \.bodyTimeout, in: waits, "Without any byte of a body, in either direction"),
        .wait(
            "stream-timeout", \.streamTimeout, in: waits,
            "Without any byte of an event stream, or of a tunnel in either direction"),
        .wait("keep-alive", \.keepAlive, in: waits, "How long an idle client connection is kept"),
    ]
}

extension CacheSettings: Layered {
    public static let usual = CacheSettings()

    public static let settings: [Setting<CacheSettings>] = [
        .size("memory", \.memoryBytes, "Memory for stored answers, of the whole process"),
        .size("entry", \.entryBytes, "The largest answer that is stored; at most a part of the memory"),
        .size("disk-bytes", \.diskBytes, "Space for them in that folder"),
    ]

    /// Less would hold nothing.
    private static let memoryBytesMin = 64 << 10
    private static let diskBytesMin = 1 << 20

    public func check(_ layer: Layer<CacheSettings>, _ scope: Scope) {
        if memoryBytes < Self.memoryBytesMin {
            (scope / "memory").mistake(
                "too little memory to store anything",
                expected: "at least \(Quantity.text(bytes: Self.memoryBytesMin))",
                suggestion: .advice("leave 'cache:' out of the bindings to store nothing"))
        }
        if diskBytes < Self.diskBytesMin {
            (scope / "disk-bytes").mistake(
                "too little space to store anything", expected: "at least \(Quantity.text(bytes: Self.diskBytesMin))",
                suggestion: .advice("leave 'disk:' out to store nothing there"))
        }
        if layer.says("disk-bytes"), !layer.says("disk") {
            (scope / "disk-bytes").mistake(
                "there is no folder that it could speak of", expected: "'disk' with the path of a folder")
        }
    }
}

extension CacheSettings.SharedStore: Layered {
    public static let usual = CacheSettings.SharedStore(.unix(""))

    public static let settings: [Setting<CacheSettings.SharedStore>] = [
        .wait("connect", \.connectTimeout, "How long a connection may take"),
        .wait("reply", \.replyTimeout, "How long a reply, and a lookup, may take"),
    ]

    /// It says all that there is to say of it.
    public static func base(_ inherited: CacheSettings.SharedStore?) -> CacheSettings.SharedStore { usual }

    public func check(_ layer: Layer<CacheSettings.SharedStore>, _ scope: Scope) {
        if layer.says("password") { password?.check(scope / "password") }
        if let tls, layer.says("tls") { tls.checkVerification(of: "server", scope / "tls") }
        if user != nil, password == nil {
            scope.mistake(
                "a user without a password", at: .value, expected: "redis://USER:PASSWORD@HOST, or a 'password'")
        }
    }
}

extension LogSettings: Layered {
    public static let usual = LogSettings()

    public static let settings: [Setting<LogSettings>] = [
        .choice("level", \.level, "The least important message that is written"),
        .choice("format", \.format, "auto is text on a terminal and JSON lines otherwise"),
        .choice(
            "access-format", \.accessFormat,
            "Lines of the access log: json, or combined as Apache and nginx write them"),
        .choice(
            "query", \.query,
            "What the access log tells of a query: masked leaves out values that sound like credentials"),
    ]
}
