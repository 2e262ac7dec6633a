/// What a gateway is asked.
public struct CallRequest: Sendable {
    /// A token, such as `GET`; methods are case-sensitive (RFC 9110 §9.1).
    public var method: String
    /// Path and query, percent-encoded (RFC 9112 §3.2.1): `/fruits?limit=3`.
    public var target: String
    /// Fields that frame the message or concern the connection are the transport's own, and refused here.
    public var fields: [CallField]
    /// The content; its length, or that it goes in chunks, is for the transport to say.
    public var body: CallBody

    /// A `GET`.
    public init(_ target: String, fields: [CallField] = []) {
        self.init("GET", target, fields: fields)
    }

    /// A request of any method.
    public init(_ method: String, _ target: String, fields: [CallField] = [], body: CallBody = .none) {
        self.method = method
        self.target = target
        self.fields = fields
        self.body = body
    }
}

/// The content of a request.
public enum CallBody: Sendable {
    /// No content; `Content-Length: 0` where the method expects some.
    case none
    /// Content that is at hand.
    case bytes([UInt8])
    /// Sent as it comes; the sequence is asked for more only as fast as the gateway takes it. Without a length it goes
    /// in chunks (RFC 9112 §7.1). A call with such a body is never repeated.
    case stream(length: Int?, any AsyncSequence<[UInt8], any Error> & Sendable)
}

extension CallBody {
    /// A file, which is read as it is sent.
    ///
    /// - Throws: ``CallError/encode(_:)`` where no file is at `path`.
    public static func file(_ path: String) throws(CallError) -> CallBody {
        let bytes = try FileBytes(path)
        return .stream(length: bytes.length, bytes)
    }
}
