internal import CNGHTTP2
public import SluiceHTTP

// A request's head is put together in pieces; the bytes that it points to have to stay valid until it is submitted.
extension HTTP2ClientSession {
    /// Begins a request: the control data (RFC 9113 §8.3.1).
    public func beginRequest(
        method: UnsafeRawBufferPointer, isSecure: Bool, authority: UnsafeRawBufferPointer,
        path: UnsafeRawBufferPointer
    ) {
        engine.fields.begin()
        engine.fields.append(UnsafeRawBufferPointer(":method"), method)
        engine.fields.append(
            UnsafeRawBufferPointer(":scheme"),
            isSecure ? UnsafeRawBufferPointer("https") : UnsafeRawBufferPointer("http"))
        engine.fields.append(UnsafeRawBufferPointer(":authority"), authority)
        engine.fields.append(UnsafeRawBufferPointer(":path"), path)
    }

    /// Begins a request for a WebSocket's tunnel (RFC 8441 §4).
    public func beginTunnelRequest(
        isSecure: Bool, authority: UnsafeRawBufferPointer, path: UnsafeRawBufferPointer
    ) {
        beginRequest(
            method: UnsafeRawBufferPointer("CONNECT"), isSecure: isSecure, authority: authority, path: path)
        appendField(":protocol", "websocket")
    }

    /// Begins a request with one of the known methods.
    public func beginRequest(
        method: Method, isSecure: Bool, authority: UnsafeRawBufferPointer, path: UnsafeRawBufferPointer
    ) {
        beginRequest(
            method: UnsafeRawBufferPointer(method.name), isSecure: isSecure, authority: authority, path: path)
    }

    /// Appends the fields that are not marked; none may be connection-specific (RFC 9113 §8.2.2).
    public func appendFields(_ block: borrowing HeaderBlock) {
        for index in 0..<block.count where !block.isMarked(index) {
            if block[index].id == .cookie {
                engine.fields.append(crumbs: block.value(index))
            } else {
                engine.fields.append(block.name(index), block.value(index))
            }
        }
    }

    /// Appends fields given as lines of HTTP/1.1, each `name: value` CRLF.
    public func appendFields(lines: UnsafeRawBufferPointer) {
        engine.fields.append(lines: lines)
    }

    public func appendField(_ name: StaticString, _ value: StaticString) {
        engine.fields.append(UnsafeRawBufferPointer(name), UnsafeRawBufferPointer(value))
    }

    public func appendContentLength(_ length: Int) {
        engine.fields.append("content-length", decimal: length)
    }

    /// The outcome of submitting a request.
    public enum Submission: Equatable, Sendable {
        case opened
        /// No more streams can be opened on this connection.
        case exhausted
        /// The peer accepts at most `most` bytes of fields, and would refuse these (RFC 9113 §6.5.2).
        case tooLarge(most: Int)
    }

    /// The head is complete: opens the stream, which the session keeps until ``forget(_:)``.
    /// - Parameter hasContent: if not, the head ends the request.
    public func submitRequest(_ method: Method, hasContent: Bool, on stream: HTTP2ClientStream) -> Submission {
        if fieldListMax != .max, engine.fields.listBytes > fieldListMax { return .tooLarge(most: fieldListMax) }
        let fields = engine.fields.base
        let count = engine.fields.count
        let owner = Unmanaged.passUnretained(stream).toOpaque()
        var id: Int32
        if hasContent {
            var provider = provider(of: stream)
            id = nghttp2_submit_request(handle, nil, fields, count, &provider, owner)
        } else {
            id = nghttp2_submit_request(handle, nil, fields, count, nil, owner)
        }
        guard id > 0 else { return .exhausted }
        stream.open(id, method)
        stream.isOutputEnded = !hasContent
        opened(stream)
        return .opened
    }

    /// Resets the stream, because the response is no longer wanted (RFC 9113 §6.4).
    public func cancel(_ stream: HTTP2ClientStream, _ code: HTTP2ErrorCode = .cancel) {
        guard !stream.isClosed, !stream.isCancelled else { return }
        stream.isCancelled = true
        nghttp2_submit_rst_stream(handle, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream.id, code.rawValue)
    }
}

extension HTTP2FieldList {
    /// Appends each cookie as a field of its own, so that unchanged cookies are compressed well (RFC 9113 §8.2.3).
    mutating func append(crumbs value: UnsafeRawBufferPointer) {
        var start = 0
        for index in 0..<value.count where value[index] == UInt8(ascii: ";") {
            guard index + 1 < value.count, value[index + 1] == .space else { continue }
            append(UnsafeRawBufferPointer("cookie"), value.part(start, index))
            start = index + 2
        }
        append(UnsafeRawBufferPointer("cookie"), value.part(start, value.count))
    }
}
