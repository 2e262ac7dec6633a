internal import CNGHTTP2
internal import SluiceContract

// What the library tells of a server: noted here, acted upon when it has returned.
extension HTTP2ClientSession {
    private func stream(_ id: Int32) -> Unmanaged<HTTP2ClientStream>? {
        userData(id).map { Unmanaged<HTTP2ClientStream>.fromOpaque($0) }
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
            if isEnd { stream(head.stream_id)?._withUnsafeGuaranteedRef { responseEnded($0) } }
        case NGHTTP2_SETTINGS.rawValue:
            if UInt32(head.flags) & NGHTTP2_FLAG_ACK.rawValue == 0 {
                hasPeerSettings = true
                let most = nghttp2_session_get_remote_settings(handle, NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE)
                fieldListMax = most == .max ? .max : Int(most)
                events.append(.settings)
            }
        case NGHTTP2_PING.rawValue:
            if UInt32(head.flags) & NGHTTP2_FLAG_ACK.rawValue != 0 { events.append(.pong) }
        case NGHTTP2_RST_STREAM.rawValue:
            let code = frame.pointee.rst_stream.error_code
            stream(head.stream_id)?._withUnsafeGuaranteedRef { $0.peerCode = code }
        case NGHTTP2_GOAWAY.rawValue:
            goawayCode = frame.pointee.goaway.error_code
            events.append(.goaway)
        default: break
        }
        return 0
    }

    func frameSent(_ frame: UnsafePointer<nghttp2_frame>) -> Int32 {
        let head = Self.head(frame)
        switch UInt32(head.type) {
        case NGHTTP2_HEADERS.rawValue:
            watch.contentSent()
            stream(head.stream_id)?._withUnsafeGuaranteedRef { $0.isSent = true }
        case NGHTTP2_RST_STREAM.rawValue:
            if frame.pointee.rst_stream.error_code == HTTP2ErrorCode.flowControlError.rawValue { overflowTold() }
        default: break
        }
        return 0
    }

    func streamClosed(_ id: Int32, _ code: UInt32) -> Int32 {
        guard let stream = stream(id) else { return 0 }
        if let arriving, arriving.toOpaque() == stream.toOpaque() { self.arriving = nil }
        stream._withUnsafeGuaranteedRef { stream in
            stream.isClosed = true
            stream.end = Self.end(of: stream, code)
            events.append(.closed, stream)
        }
        return 0
    }

    private static func end(of stream: HTTP2ClientStream, _ code: UInt32) -> HTTP2ClientStream.End {
        if let fault = stream.fault { return .malformed("\(fault)") }
        if stream.isResponseEnded || stream.isCancelled { return .done }
        if !stream.isSent { return .unprocessed }
        // RFC 9113 §8.7; the library gives the same code to streams beyond the last one of a GOAWAY (§6.8).
        if code == HTTP2ErrorCode.refusedStream.rawValue, !stream.hasFirstByte { return .unprocessed }
        if let code = stream.peerCode { return .reset(code) }
        return .malformed("Its answer breaks the rules of HTTP/2 (RFC 9113 §8.1.1).")
    }

    // MARK: - Responses

    func fieldsBegan(_ head: nghttp2_frame_hd) -> Int32 {
        guard UInt32(head.type) == NGHTTP2_HEADERS.rawValue, let stream = stream(head.stream_id) else {
            return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
        }
        arriving = stream
        stream._withUnsafeGuaranteedRef { stream in
            stream.hasFirstByte = true
            stream.fieldBytes = 0
        }
        return 0
    }

    func fieldReceived(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Int32 {
        guard let arriving else { return 0 }
        return arriving._withUnsafeGuaranteedRef { take(name, value, $0) }
    }

    private func take(
        _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, _ stream: HTTP2ClientStream
    ) -> Int32 {
        let limit = stream.hasResponse ? engine.limits.trailerBytes : engine.limits.headerBytes
        let count = stream.hasResponse ? stream.trailers.count : stream.response.fields.count
        switch weigh(name, value, on: stream, held: count, limit: limit) {
        case .kept: break
        case .dropped:
            if !stream.hasResponse { stream.fault = "The fields of its answer are larger than the limit allows." }
            return 0
        case .endless: return broken(.enhanceYourCalm)
        }
        if !stream.hasResponse {
            stream.response.take(name: name, value: value)
        } else if !FieldID(name: name).isForbiddenInTrailers {
            stream.trailers.append(name: name, value: value)
        }
        return 0
    }

    private func fieldsEnded(_ stream: HTTP2ClientStream, isEnd: Bool) {
        if stream.isCancelled { return }
        if stream.hasResponse { return responseEnded(stream) }
        if stream.fault == nil {
            do throws(Malformed) {
                try stream.response.concludeHTTP2(to: stream.method, isEnded: isEnd)
            } catch {
                stream.fault = error.reason
            }
        }
        if stream.fault == nil, stream.response.status < 200 {
            stream.interimCount += 1
            if stream.interimCount <= engine.limits.interimCount {
                stream.keepInterim()
                return events.append(.interim, stream)
            }
            stream.fault = "It sent more interim answers than the limit allows."
        }
        if stream.fault != nil {
            nghttp2_submit_rst_stream(handle, 0, stream.id, HTTP2ErrorCode.protocolError.rawValue)
            return
        }
        stream.hasResponse = true
        events.append(.head, stream)
        if isEnd { responseEnded(stream) }
    }

    private func responseEnded(_ stream: HTTP2ClientStream) {
        if stream.isResponseEnded || stream.isCancelled || stream.fault != nil { return }
        stream.isResponseEnded = true
        events.append(.end, stream)
    }

    func contentReceived(_ id: Int32, _ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
        // The stream's window alone holds a response back.
        nghttp2_session_consume_connection(handle, count)
        stream(id)?._withUnsafeGuaranteedRef { stream in
            if !stream.isCancelled { events.body(stream, UnsafeRawPointer(bytes), count) }
        }
        return 0
    }
}
