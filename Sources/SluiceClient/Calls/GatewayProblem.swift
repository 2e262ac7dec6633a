/// A failure as the gateway tells it: its error envelope (RFC 9457), read.
///
/// As the body of a ``ResponseErrorBody`` it is read from an envelope of RFC 9457, and from nothing else: an error of
/// another form is thrown as ``CallError/status(_:)``.
public struct GatewayProblem: Error, Hashable, Sendable {
    /// A parameter or value that was wrong.
    public struct Fault: Hashable, Sendable, Decodable {
        /// A parameter, or a JSON path behind a `$`.
        public var name: String
        /// Where it stood: `query`, `response`, …
        public var location: String?
        /// What should have stood there, such as a type.
        public var expected: String?
        /// What stood there, in words.
        public var found: String?
        /// Byte offset in the document.
        public var offset: Int?
        /// What to do about it.
        public var hint: String?

        enum CodingKeys: String, CodingKey {
            case name, expected, found, offset, hint
            case location = "in"
        }
    }

    /// What went wrong.
    public var kind: ProblemKind
    /// The same for every problem of the kind.
    public var title: String
    /// The status of the answer.
    public var status: Int
    /// What tells this case.
    public var detail: String
    /// Whose failure it was: `client`, `gateway`, `upstream` or `network`.
    public var source: String?
    /// The upstream's name in the gateway's configuration.
    public var upstream: String?
    /// Whether the same request may succeed later.
    public var isRetryable: Bool
    /// After how long it may, counted from the answer, where that says so in seconds (RFC 9110 §10.2.3); a date is not
    /// read.
    public var retryAfter: Duration?
    /// What was wrong in detail; empty where the kind has none.
    public var faults: [Fault]
    /// The upstream's own code for its error.
    public var code: String?
    /// The envelope as it came.
    public var body: [UInt8]

    /// A problem of a program's own, for fakes and tests; the other properties are set afterwards.
    public init(
        _ kind: ProblemKind, status: Int, title: String = "", detail: String = "", isRetryable: Bool = false,
        faults: [Fault] = []
    ) {
        self.kind = kind
        self.status = status
        self.title = title
        self.detail = detail
        self.isRetryable = isRetryable
        self.faults = faults
        body = []
    }
}

/// `limit (query): expected Int, found 'many' → write a number`.
extension GatewayProblem.Fault: CustomStringConvertible {
    public var description: String {
        let place = location.map { " (\($0))" } ?? ""
        let words = [expected.map { "expected \($0)" }, found.map { "found \($0)" }].compactMap(\.self)
        let hint = hint.map { " → \($0)" } ?? ""
        return name + place + (words.isEmpty ? "" : ": " + words.joined(separator: ", ")) + hint
    }
}

extension GatewayProblem {
    private struct Envelope: Decodable {
        var type: String?
        var title: String?
        var status: Int?
        var detail: String?
        var source: String?
        var upstream: String?
        var retryable: Bool?
        var faults: [Fault]?
        var code: String?
    }

    /// The problem in an answer, where the answer is one.
    init?(_ answer: WholeAnswer) {
        guard answer.mediaType == "application/problem+json",
            let envelope = try? JSONCoding.plain.decode(Envelope.self, from: answer.body)
        else { return nil }
        self.init(envelope, status: answer.status)
        retryAfter = answer.field("Retry-After").flatMap { Int($0) }.map { .seconds(min(max($0, 0), 1 << 31)) }
        body = answer.body
    }
}

/// For response types that hold a problem; `init(_:)` has the fields of the answer as well.
extension GatewayProblem: Decodable {
    public init(from decoder: any Decoder) throws {
        let envelope = try Envelope(from: decoder)
        guard envelope.type != nil else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "this is no problem (RFC 9457)")
            )
        }
        self.init(envelope, status: envelope.status ?? 0)
    }

    private init(_ envelope: Envelope, status: Int) {
        let name = (envelope.type ?? "about:blank").split(separator: ":").last.map(String.init) ?? ""
        self.init(
            ProblemKind(name), status: status, title: envelope.title ?? "", detail: envelope.detail ?? "",
            isRetryable: envelope.retryable ?? false, faults: envelope.faults ?? [])
        source = envelope.source
        upstream = envelope.upstream
        code = envelope.code
    }
}
