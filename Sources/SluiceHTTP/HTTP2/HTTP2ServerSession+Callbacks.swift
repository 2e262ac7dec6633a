internal import CNGHTTP2
internal import SluiceContract

// What the library tells of a client: noted here, acted upon when it has returned.
extension HTTP2ServerSession {
    private func stream(_ id: Int32) -> Unmanaged<HTTP2ServerStream>? {
        userData(id).map { Unmanaged<HTTP2ServerStream>.fromOpaque($0) }
    }

    // MARK: - Frames

    func frameReceived(_ frame: UnsafePointer<nghttp2_frame>) -> Int32 {
        let head = Self.head(frame)
        let isEnd = UInt32(head.flags) & NGHTTP2_FLAG_END_STREAM.rawValue != 0
        switch UInt32(head.type) {
        case NGHTTP2_HEADERS.rawValue:
            guard let stream = arriving else { return 0 }
            arriving = nil
            stream._withUnsafeGuaranteedRef { fieldsEnded($0, isEnd: isEnd) }
        case NGHTTP2_DATA.rawValue:
            if isEnd { stream(head.stream_id)?._withUnsafeGuaranteedRef { requestEnded($0) } }
        case NGHTTP2_SETTINGS.rawValue: hasPeerSettings = true
        case NGHTTP2_PING.rawValue:
            if UInt32(head.flags) & NGHTTP2_FLAG_ACK.rawValue != 0 { events.append(.pong) }
        default: break
        }
        return 0
    }

    func frameSent(_ frame: UnsafePointer<nghttp2_frame>) -> Int32 {
        let head = Self.head(frame)
        switch UInt32(head.type) {
        case NGHTTP2_RST_STREAM.rawValue:
            guard let code = HTTP2ErrorCode(rawValue: frame.pointee.rst_stream.error_code) else { return 0 }
            if code == .flowControlError { overflowTold() }
            switch code {
            case .protocolError, .flowControlError, .streamClosed, .frameSizeError, .refusedStream, .compressionError,
                .enhanceYourCalm:
                if !watch.resetProvoked(at: now) { fail(.enhanceYourCalm) }
            default: break
            }
        case NGHTTP2_DATA.rawValue, NGHTTP2_HEADERS.rawValue:
            guard UInt32(head.flags) & NGHTTP2_FLAG_END_STREAM.rawValue != 0 else { return 0 }
            watch.answerSent()
            // The answer is out, and nobody reads the rest of the request (RFC 9113 §8.1).
            stream(head.stream_id)?._withUnsafeGuaranteedRef { if !$0.isRequestEnded { reset($0, .noError) } }
        default: break
        }
        return 0
    }

    func streamClosed(_ id: Int32) -> Int32 {
        guard let stream = stream(id) else { return 0 }
        if let arriving, arriving.toOpaque() == stream.toOpaque() { self.arriving = nil }
        stream._withUnsafeGuaranteedRef { stream in
            stream.isClosed = true
            events.append(.closed, stream)
        }
        return 0
    }

    // MARK: - Requests

    func fieldsBegan(_ head: nghttp2_frame_hd) -> Int32 {
        if let known = stream(head.stream_id) {
            arriving = known
            known._withUnsafeGuaranteedRef { stream in
                stream.isReadingTrailers = true
                stream.fieldBytes = 0
            }
            return 0
        }
        let stream = makeStream()
        stream.open(head.stream_id)
        opened(stream)
        arriving = .passUnretained(stream)
        nghttp2_session_set_stream_user_data(handle, head.stream_id, Unmanaged.passUnretained(stream).toOpaque())
        return 0
    }

    func fieldReceived(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Int32 {
        guard let arriving else { return 0 }
        return arriving._withUnsafeGuaranteedRef { take(name, value, $0) }
    }

    private func take(
        _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, _ stream: HTTP2ServerStream
    ) -> Int32 {
        let limit = stream.isReadingTrailers ? engine.limits.trailerBytes : engine.limits.headerBytes
        let count = stream.isReadingTrailers ? stream.trailers.count : stream.request.fields.count
        let lineBytes = engine.limits.requestLineBytes
        switch weigh(name, value, on: stream, held: count, limit: limit, lineBytes: lineBytes) {
        case .kept: break
        case .dropped:
            stream.refusal = Refusal(.fieldsTooLarge, "The fields are larger than the limit allows.")
            return 0
        case .endless: return broken(.enhanceYourCalm)
        }
        if !stream.isReadingTrailers {
            stream.request.take(name: name, value: value)
        } else if !FieldID(name: name).isForbiddenInTrailers {
            stream.trailers.append(name: name, value: value)
        }
        return 0
    }

    private func fieldsEnded(_ stream: HTTP2ServerStream, isEnd: Bool) {
        if stream.isReadingTrailers {
            // Too many of them are not worth losing the request for.
            if stream.refusal != nil { stream.trailers.removeAll() }
            return requestEnded(stream)
        }
        if stream.refusal == nil {
            do throws(Refusal) {
                try stream.request.concludeHTTP2(isEnded: isEnd, lineBytesMax: engine.limits.requestLineBytes)
            } catch {
                stream.refusal = error
            }
        }
        stream.isRequestEnded = isEnd
        if stream.refusal != nil { return events.append(.refused, stream) }
        events.append(.head, stream)
        if isEnd { events.append(.end, stream) }
    }

    private func requestEnded(_ stream: HTTP2ServerStream) {
        if stream.isRequestEnded { return }
        stream.isRequestEnded = true
        if stream.refusal == nil || stream.isReadingTrailers { events.append(.end, stream) }
    }

    func contentReceived(_ id: Int32, _ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
        // The stream's window alone holds a request back.
        nghttp2_session_consume_connection(handle, count)
        stream(id)?._withUnsafeGuaranteedRef { events.body($0, UnsafeRawPointer(bytes), count) }
        return 0
    }
}
