internal import SluiceHTTP

/// A request that has been checked, and can be written as one message as often as need be.
struct OutgoingCall: Sendable {
    let request: CallRequest
    let method: Method
    private let authority: String
    private let base: String

    /// - Throws: ``TransportError/badRequest(_:)`` where it would be another message than the caller means.
    init(_ request: CallRequest, to address: GatewayAddress) throws(TransportError) {
        self.request = request
        authority = address.authority
        base = address.base
        method = Self.bytes(request.method) { Method($0) }
        try Self.check(request, method)
    }

    /// When a call may go over another connection, because the first was closed (RFC 9110 §9.2.2).
    enum Repeats {
        /// The content is not at hand for a second time.
        case never
        /// If nothing of it has been written.
        case unsent
        case always
    }

    var repeats: Repeats {
        if case .stream = request.body { return .never }
        return method.isSafe ? .always : .unsent
    }

    /// The request line and all fields (RFC 9112 §3, §5).
    func writeHead(into outbox: inout Outbox) {
        outbox.append(text: request.method)
        outbox.append(UInt8(ascii: " "))
        outbox.append(text: base)
        outbox.append(text: request.target)
        outbox.append(" HTTP/1.1\r\nHost: ")
        outbox.append(text: authority)
        outbox.append("\r\n")
        for field in request.fields {
            outbox.append(text: field.name)
            outbox.append(": ")
            outbox.append(text: field.value)
            outbox.append("\r\n")
        }
        writeFraming(into: &outbox)
        outbox.append("\r\n")
    }

    /// RFC 9112 §6; RFC 9110 §8.6 wants a length of 0 where the method expects content.
    private func writeFraming(into outbox: inout Outbox) {
        switch request.body {
        case .none:
            if [.post, .put, .patch].contains(method) { outbox.append("Content-Length: 0\r\n") }
        case .bytes(let bytes): HTTP1Writer.field(.contentLength, decimal: bytes.count, into: &outbox)
        case .stream(let length?, _): HTTP1Writer.field(.contentLength, decimal: length, into: &outbox)
        case .stream(nil, _): outbox.append("Transfer-Encoding: chunked\r\n")
        }
    }

    // MARK: - Checks

    private static func check(_ request: CallRequest, _ method: Method) throws(TransportError) {
        guard bytes(request.method, { FieldValue.isToken($0) }) else {
            throw .badRequest("'\(request.method)' is no method")
        }
        guard method != .connect, method != .trace else {
            throw .badRequest("\(request.method) is not for gateways (RFC 9110 §9.3.6, §9.3.8)")
        }
        guard bytes(request.target, { FieldValue.isTarget($0) }) else {
            throw .badRequest(
                "'\(request.target)' is no path and query; begin with a slash, and percent-encode what is not plain")
        }
        if case .stream(let length?, _) = request.body, length < 0 {
            throw .badRequest("the body's length is negative")
        }
        for field in request.fields { try check(field) }
    }

    private static func check(_ field: CallField) throws(TransportError) {
        guard bytes(field.name, { FieldValue.isToken($0) }) else {
            throw .badRequest("'\(field.name)' is no name of a field")
        }
        // The value may be a secret.
        guard bytes(field.value, { FieldValue.isValid($0) }) else {
            throw .badRequest("the value of '\(field.name)' has a control character, or a blank at an end")
        }
        guard !bytes(field.name, { isOwn(FieldID(name: $0)) }) else {
            throw .badRequest("'\(field.name)' is for the transport to say; leave it out")
        }
    }

    /// Fields that frame the message or are about the connection (RFC 9110 §7.6.1).
    private static func isOwn(_ id: FieldID) -> Bool {
        switch id {
        case .host, .contentLength, .transferEncoding, .connection, .keepAlive, .proxyConnection, .upgrade, .te,
            .trailer, .expect, .http2Settings:
            true
        default: false
        }
    }

    private static func bytes<Result>(_ text: String, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        var text = text
        return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }
}

extension Outbox {
    mutating func append(text: String) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }
}
