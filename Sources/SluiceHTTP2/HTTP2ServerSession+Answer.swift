internal import CNGHTTP2
public import SluiceHTTP

// Sends the heads of answers; `HTTP2Session+Output.swift` sends their content.
extension HTTP2ServerSession {
    /// Sends an interim answer (RFC 9110 §15.2).
    public func submitInterim(status: Int, _ fields: borrowing HeaderBlock, on stream: HTTP2ServerStream) {
        guard !stream.isClosed, !stream.isAnswerBegun else { return }
        engine.fields.begin(status: status)
        engine.fields.append(fields)
        nghttp2_submit_headers(
            handle, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream.id, nil, engine.fields.base, engine.fields.count, nil)
    }

    /// Sends the head of the answer. Marked fields are left out; no field may be connection-specific (RFC 9113 §8.2.2).
    /// - Parameter hasContent: if not, the head ends the stream.
    public func submitAnswer(
        status: Int, _ fields: borrowing HeaderBlock, and more: borrowing HeaderBlock, contentLength: Int?,
        hasContent: Bool, on stream: HTTP2ServerStream
    ) {
        guard !stream.isClosed else { return }
        engine.fields.begin(status: status)
        engine.fields.append(fields)
        if more.count > 0 { engine.fields.append(more) }
        if let contentLength { engine.fields.append("content-length", decimal: contentLength) }
        submit(hasContent: hasContent, on: stream)
    }

    /// Sends the head of an answer from the cache.
    /// - Parameters:
    ///   - lines: fields as HTTP/1.1 writes them, without `Content-Length`.
    ///   - age: seconds (RFC 9111 §5.1).
    ///   - ttl: seconds of freshness left (RFC 9211 §2.6).
    public func submitStored(
        status: Int, lines: UnsafeRawBufferPointer, age: Int, ttl: Int, and more: borrowing HeaderBlock,
        contentLength: Int?, hasContent: Bool, on stream: HTTP2ServerStream
    ) {
        guard !stream.isClosed else { return }
        engine.fields.begin(status: status)
        engine.fields.append(lines: lines)
        engine.fields.append("age", decimal: max(0, age))
        engine.fields.append("cache-status", "sluice; hit; ttl=", decimal: max(0, ttl))
        if more.count > 0 { engine.fields.append(more) }
        if let contentLength { engine.fields.append("content-length", decimal: contentLength) }
        submit(hasContent: hasContent, on: stream)
    }

    /// Sends the head that has been collected in the engine's field list.
    private func submit(hasContent: Bool, on stream: HTTP2ServerStream) {
        precondition(!stream.isAnswerBegun, "a second answer for one request")
        stream.isAnswerBegun = true
        if hasContent {
            var provider = provider(of: stream)
            nghttp2_submit_response(handle, stream.id, engine.fields.base, engine.fields.count, &provider)
        } else {
            stream.isOutputEnded = true
            nghttp2_submit_response(handle, stream.id, engine.fields.base, engine.fields.count, nil)
        }
    }

    /// Ends the stream at once (RFC 9113 §6.4).
    public func reset(_ stream: HTTP2ServerStream, _ code: HTTP2ErrorCode) {
        guard !stream.isClosed else { return }
        nghttp2_submit_rst_stream(handle, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream.id, code.rawValue)
    }
}
