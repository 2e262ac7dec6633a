internal import SluiceContract

/// The head of a request: control data and fields (RFC 9110 §6.2, §6.3).
///
/// All bytes live in the storage of ``fields``, so `fields.removeAll()` removes them. One head is reused for request
/// after request; pointers handed out are valid until the next mutation.
public struct RequestHead: ~Copyable {
    public var method: Method = .other
    public internal(set) var targetForm: TargetForm = .origin
    public var version: HTTPVersion = .http11
    public var fields = HeaderBlock()
    /// How the content is framed; ``BodyFraming`` decides.
    public var framing: BodyFraming = .none
    /// Whether the client wants the connection kept (RFC 9112 §9.3).
    public var keepAlive = false
    /// `Expect: 100-continue` before content (RFC 9110 §10.1.1).
    public var expectsContinue = false
    /// `TE: trailers` (RFC 9110 §10.1.4).
    public var acceptsTrailers = false
    /// `Upgrade`, nominated by `Connection` (RFC 9110 §7.8).
    public var upgrade = false
    /// The protocol that an extended CONNECT asks for (RFC 8441 §4): the head then reads like the GET by which an
    /// HTTP/1.1 client would ask for it.
    public internal(set) var connectProtocol = ConnectProtocol.none
    /// The target is an `https` URI, which is served over a secured connection alone (RFC 9110 §7.4).
    public internal(set) var isTargetSecure = false
    /// Whether the target has a `?`.
    public internal(set) var hasQuery = false

    var methodRange = ByteRange()
    var targetRange = ByteRange()
    /// Empty where an absolute-form target has no path.
    var pathRange = ByteRange()
    var queryRange = ByteRange()
    var authorityRange = ByteRange()
    /// `:scheme` is neither http nor https (RFC 9113 §8.3.1).
    var isForeignScheme = false
    /// Bytes parsed into this head so far: a machine whose own count differs starts the head anew.
    var progress = 0

    public init() {}

    /// The method token as received.
    public var methodName: UnsafeRawBufferPointer { bytes(methodRange) }
    /// The request target as received (RFC 9112 §3.2).
    public var target: UnsafeRawBufferPointer { bytes(targetRange) }
    /// Path of the target without the query, still percent-encoded; `*` for the asterisk-form, empty for the
    /// authority-form.
    public var path: UnsafeRawBufferPointer {
        if pathRange.count > 0 || targetForm == .authority { return bytes(pathRange) }
        // An absolute-form target without a path (RFC 9112 §3.2.1, §3.2.4).
        return UnsafeRawBufferPointer(method == .options && !hasQuery ? "*" : "/")
    }
    /// What follows the `?`; empty where there is none.
    public var query: UnsafeRawBufferPointer { bytes(queryRange) }
    /// `host[:port]`: of an absolute-form target, else of `Host` (RFC 9112 §3.3); empty for HTTP/1.0 without `Host`.
    public var authority: UnsafeRawBufferPointer { bytes(authorityRange) }

    /// Ready for the next request; keeps the memory.
    public mutating func reset() {
        fields.removeAll()
        resetFacts()
    }

    /// Ready for the next request; gives the memory back.
    public mutating func releaseMemory() {
        fields.releaseMemory()
        resetFacts()
    }

    private mutating func resetFacts() {
        method = .other
        targetForm = .origin
        version = .http11
        framing = .none
        keepAlive = false
        expectsContinue = false
        acceptsTrailers = false
        upgrade = false
        hasQuery = false
        isTargetSecure = false
        isForeignScheme = false
        connectProtocol = .none
        methodRange = ByteRange()
        targetRange = ByteRange()
        pathRange = ByteRange()
        queryRange = ByteRange()
        authorityRange = ByteRange()
        progress = 0
    }

    /// Called when the head is refused before its end was read. Keeps only the request line, as far as it was read: the
    /// bytes of the fields are not in the storage.
    /// - Parameter bytes: begin with the head.
    mutating func keepLine(of bytes: UnsafeRawBufferPointer) {
        fields.removeAll()
        let end = max(methodRange.end, targetRange.end)
        fields.appendBytes(UnsafeRawBufferPointer(rebasing: bytes.prefix(end)))
        progress = 0
    }

    /// Resets a head that is incomplete, because not all of its bytes have arrived in the storage.
    public mutating func forgetUnread() {
        if max(methodRange.end, targetRange.end, progress) > fields.byteCount { reset() }
    }

    /// Copies the request line and the fields of `other`, but not its framing or whether the connection is kept.
    public mutating func copy(_ other: borrowing RequestHead) {
        reset()
        fields.copy(other.fields)
        method = other.method
        targetForm = other.targetForm
        version = other.version
        acceptsTrailers = other.acceptsTrailers
        hasQuery = other.hasQuery
        methodRange = other.methodRange
        targetRange = other.targetRange
        pathRange = other.pathRange
        queryRange = other.queryRange
        authorityRange = other.authorityRange
    }

    private func bytes(_ range: ByteRange) -> UnsafeRawBufferPointer {
        fields.bytes(at: Int(range.offset), count: Int(range.count))
    }

    /// The forms of a request target (RFC 9112 §3.2).
    public enum TargetForm: UInt8, Sendable {
        case origin, absolute, authority, asterisk
    }

    /// `:protocol` of an extended CONNECT (RFC 8441 §4).
    public enum ConnectProtocol: UInt8, Sendable {
        case none, webSocket
        /// A protocol that Sluice does not know.
        case other
    }

    /// A range of bytes in the storage of the fields.
    struct ByteRange {
        var offset: UInt32 = 0
        var count: UInt32 = 0

        init() {}

        init(_ offset: Int, _ count: Int) {
            self.offset = UInt32(truncatingIfNeeded: offset)
            self.count = UInt32(truncatingIfNeeded: count)
        }

        var end: Int { Int(offset) + Int(count) }
    }
}

// Fills a head without an HTTP/1.1 request line: from HTTP/2 pseudo-header fields, or in a test.
extension RequestHead {
    public mutating func set(method name: UnsafeRawBufferPointer) {
        method = Method(name)
        methodRange = ByteRange(Int(fields.appendBytes(name)), name.count)
    }

    /// Sets the target, or returns why it is invalid; the method has to be set before.
    public mutating func set(target: UnsafeRawBufferPointer) -> Refusal? {
        let offset = Int(fields.appendBytes(target))
        targetRange = ByteRange(offset, target.count)
        do throws(Refusal) {
            try readTarget(target, at: offset)
            return nil
        } catch {
            return error
        }
    }

    /// Sets `:authority`, or returns why it is invalid.
    public mutating func set(authority: UnsafeRawBufferPointer) -> Refusal? {
        guard let host = HostField(authority) else {
            return Refusal(.badRequest, "The authority is not host or host:port (RFC 9110 §7.2).")
        }
        authorityRange = ByteRange(Int(fields.appendBytes(authority)), host.authority.count)
        return nil
    }
}
