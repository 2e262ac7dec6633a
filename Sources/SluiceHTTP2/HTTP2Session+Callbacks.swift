internal import CNGHTTP2
internal import SluiceHTTP

// The library's callbacks: handled here where both sides do the same, else passed on to the subclass of the side.
extension HTTP2Session {
    /// The session that is the user data of a callback.
    static func of(_ owner: UnsafeMutableRawPointer?) -> HTTP2Session {
        guard let owner else { preconditionFailure("a callback without its session") }
        return Unmanaged<HTTP2Session>.fromOpaque(owner).takeUnretainedValue()
    }

    /// Calls `body` with the session, without counting references.
    @inline(__always)
    private static func with<Result>(_ owner: UnsafeMutableRawPointer?, _ body: (HTTP2Session) -> Result) -> Result {
        guard let owner else { preconditionFailure("a callback without its session") }
        return Unmanaged<HTTP2Session>.fromOpaque(owner)._withUnsafeGuaranteedRef(body)
    }

    /// Every kind of frame begins with the same head.
    @inline(__always)
    static func head(_ frame: UnsafePointer<nghttp2_frame>?) -> nghttp2_frame_hd {
        guard let frame else { preconditionFailure("a callback without its frame") }
        return UnsafeRawPointer(frame).load(as: nghttp2_frame_hd.self)
    }

    static func makeCallbacks() -> OpaquePointer {
        var made: OpaquePointer?
        nghttp2_session_callbacks_new(&made)
        guard let callbacks = made else { preconditionFailure("out of memory") }
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, frame, owner in
            let head = HTTP2Session.head(frame)
            return HTTP2Session.with(owner) { $0.fieldsBegan(head) }
        }
        nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            _, _, name, nameCount, value, valueCount, _, owner in
            HTTP2Session.with(owner) {
                $0.fieldReceived(
                    UnsafeRawBufferPointer(start: name, count: nameCount),
                    UnsafeRawBufferPointer(start: value, count: valueCount))
            }
        }
        // A field that the library would drop in silence makes the message malformed (RFC 9113 §8.2.1).
        nghttp2_session_callbacks_set_on_invalid_header_callback(callbacks) { _, _, _, _, _, _, _, _ in
            NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
        }
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, owner in
            guard let frame else { return 0 }
            HTTP2Session.with(owner) { $0.received(frame) }
            return 0
        }
        nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks) { _, frame, code, owner in
            if code == NGHTTP2_ERR_FLOW_CONTROL.rawValue {
                let id = HTTP2Session.head(frame).stream_id
                HTTP2Session.with(owner) { $0.overflowed(id) }
            }
            return 0
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { _, _, id, bytes, count, owner in
            guard let bytes else { return 0 }
            HTTP2Session.with(owner) { $0.contentReceived(id, UnsafeRawPointer(bytes), count) }
            return 0
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, id, code, owner in
            HTTP2Session.with(owner) { $0.closed(id, code) }
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_send_callback(callbacks) { _, frame, owner in
            guard let frame else { return 0 }
            HTTP2Session.with(owner) { $0.frameSent(frame, HTTP2Session.head(frame)) }
            return 0
        }
        nghttp2_session_callbacks_set_send_data_callback(callbacks) { _, _, head, length, source, owner in
            guard let head, let pointer = source?.pointee.ptr else { return 0 }
            Unmanaged<HTTP2SessionStream>.fromOpaque(pointer)._withUnsafeGuaranteedRef { stream in
                HTTP2Session.with(owner) { $0.sendContent(head, length, of: stream) }
            }
            return 0
        }
        return callbacks
    }

    /// The stream object that the library has stored for this identifier.
    @inline(__always)
    final func stream(_ id: Int32) -> Unmanaged<HTTP2SessionStream>? {
        nghttp2_session_get_stream_user_data(handle, id).map { Unmanaged<HTTP2SessionStream>.fromOpaque($0) }
    }

    // MARK: - Frames

    private func received(_ frame: UnsafePointer<nghttp2_frame>) {
        let head = Self.head(frame)
        let isEnd = UInt32(head.flags) & NGHTTP2_FLAG_END_STREAM.rawValue != 0
        let isAck = UInt32(head.flags) & NGHTTP2_FLAG_ACK.rawValue != 0
        switch UInt32(head.type) {
        case NGHTTP2_HEADERS.rawValue:
            guard let stream = arriving else { return }
            arriving = nil
            stream._withUnsafeGuaranteedRef { fieldsEnded($0, isEnd: isEnd) }
        case NGHTTP2_DATA.rawValue:
            if isEnd { stream(head.stream_id)?._withUnsafeGuaranteedRef { contentEnded($0) } }
        case NGHTTP2_PING.rawValue:
            if isAck { events.append(.pong) }
        case NGHTTP2_SETTINGS.rawValue:
            if isAck { return }
            hasPeerSettings = true
            frameReceived(frame, head)
        default: frameReceived(frame, head)
        }
    }

    private func closed(_ id: Int32, _ code: UInt32) {
        guard let stream = stream(id) else { return }
        if let arriving, arriving.toOpaque() == stream.toOpaque() { self.arriving = nil }
        stream._withUnsafeGuaranteedRef { stream in
            stream.isClosed = true
            streamClosed(stream, code)
            events.append(.closed, stream)
        }
    }

    private func contentReceived(_ id: Int32, _ bytes: UnsafeRawPointer, _ count: Int) {
        // Only the stream's window limits the content of a message, not the connection's.
        nghttp2_session_consume_connection(handle, count)
        stream(id)?._withUnsafeGuaranteedRef { stream in
            if !stream.isCancelled { events.body(stream, bytes, count) }
        }
    }

    // MARK: - Fields

    /// The fields that follow are those of `stream`.
    final func begin(_ stream: HTTP2SessionStream) {
        arriving = .passUnretained(stream)
        stream.fieldBytes = 0
        stream.fieldCount = 0
    }

    private func fieldReceived(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Int32 {
        guard let arriving else { return 0 }
        return arriving._withUnsafeGuaranteedRef { stream in
            switch weigh(name, value, on: stream) {
            case .kept where !stream.isPastHead: stream.fieldCount = take(name, value, stream)
            case .kept:
                if FieldID(name: name).isForbiddenInTrailers { return 0 }
                stream.trailers.append(name: name, value: value)
                stream.fieldCount += 1
            case .dropped: fieldDropped(stream, isTooMany: stream.fieldCount >= engine.limits.headerCount)
            case .endless: return broken(.enhanceYourCalm)
            }
            return 0
        }
    }

    /// What is done with one more field of a section.
    private enum FieldFate { case kept, dropped, endless }

    /// Weighs a field that has arrived. Fields beyond the limits still have to be decoded to keep the HPACK table in
    /// step, but they are not kept; and decoding has a limit, too (HPACK bombs, RFC 7541 §7.3).
    @inline(__always)
    private func weigh(
        _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, on stream: HTTP2SessionStream
    ) -> FieldFate {
        let limit = stream.isPastHead ? engine.limits.trailerBytes : engine.limits.headerBytes
        stream.fieldBytes += name.count + value.count + 4
        let line = name.first == UInt8(ascii: ":") ? lineBytes : 0
        if stream.fieldBytes <= limit + line, stream.fieldCount < engine.limits.headerCount,
            name.count <= HeaderBlock.nameBytesMax
        {
            return .kept
        }
        return stream.fieldBytes > (limit + lineBytes) * 8 ? .endless : .dropped
    }

    /// A stream's own window was opened beyond the maximum; the stream is reset once, however often that happens.
    private final func overflowed(_ id: Int32) {
        stream(id)?._withUnsafeGuaranteedRef { stream in
            if stream.hasOverflowed { return }
            stream.hasOverflowed = true
            overflows += 1
        }
    }

    /// A stream was reset with FLOW_CONTROL_ERROR. SETTINGS that make a window too large are an error of the connection
    /// (RFC 9113 §6.9.2), but the library treats them as one of the stream, which is right for a WINDOW_UPDATE only.
    final func overflowTold() {
        if overflows == 0 { return fail(.flowControlError) }
        overflows -= 1
    }

    /// Ends the connection from inside a callback.
    final func broken(_ code: HTTP2ErrorCode) -> Int32 {
        fail(code)
        return NGHTTP2_ERR_CALLBACK_FAILURE.rawValue
    }
}
