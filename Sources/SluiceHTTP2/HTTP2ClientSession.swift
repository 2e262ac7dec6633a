internal import CNGHTTP2
internal import SluiceContract
internal import SluiceHTTP

/// Client side of one HTTP/2 connection, without a socket: feed, then drain (RFC 9113).
///
///     session.beginRequest(…); session.submitRequest(on: stream, …)
///     session.write(into: &outbox, atMost: bytes)         // events may follow from this, too
///     session.receive(bytes, now: now)                    // valid until the owner has settled
///     while let event = session.nextEvent() { … }
public final class HTTP2ClientSession: HTTP2Session {
    public enum Event {
        /// An interim response has arrived (``HTTP2ClientStream/takeInterim(_:)``).
        case interim(HTTP2ClientStream)
        /// The head of the response is filled.
        case response(HTTP2ClientStream)
        /// Content, in the driver's buffer; the consumer has to report the bytes that it has taken
        /// (``HTTP2ClientSession/taken(_:of:)``).
        case body(HTTP2ClientStream, UnsafeRawBufferPointer)
        /// The response has ended; the trailers are filled.
        case end(HTTP2ClientStream)
        /// There is room for more content of the request again.
        case room(HTTP2ClientStream)
        /// The stream has closed, in order or with an error: no more events of this stream follow.
        case closed(HTTP2ClientStream, HTTP2ClientStream.End)
        /// How many streams may be open has perhaps changed (``HTTP2ClientSession/streamsMax``).
        case settings
        /// The peer has sent GOAWAY: it serves no further streams (RFC 9113 §6.8).
        case goaway
        /// The peer has answered a ping.
        case pong
    }

    private var list = HTTP2StreamList<HTTP2ClientStream>()
    /// The largest field section that the peer takes (RFC 9113 §6.5.2).
    var fieldListMax = Int.max
    /// The code of the peer's latest GOAWAY; nil before there was one.
    public internal(set) var goawayCode: UInt32?

    /// - Parameter now: nanoseconds of a monotonic clock.
    public init(engine: HTTP2Engine, now: UInt64) {
        super.init(
            engine: engine, now: now, watch: HTTP2FrameWatch(engine.limits, ofServer: true, at: now), isServer: false)
        let limits = engine.limits
        let settings = [
            // RFC 9113 §8.4: the gateway has no use for pushed responses.
            setting(NGHTTP2_SETTINGS_ENABLE_PUSH.rawValue, 0),
            setting(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE.rawValue, limits.windowBytes),
            setting(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE.rawValue, limits.headerBytes),
            setting(NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES.rawValue, 1),
        ]
        submit(settings, streams: limits.streams)
    }

    /// How many streams the peer allows to be open at a time (SETTINGS_MAX_CONCURRENT_STREAMS).
    public var streamsMax: Int {
        // RFC 9113 §6.5.2: a limit of at least 100 is recommended. Until the peer's SETTINGS arrive, 100 is assumed
        // instead of no limit.
        guard hasPeerSettings else { return 100 }
        return Int(nghttp2_session_get_remote_settings(handle, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS))
    }

    /// Whether the peer takes extended CONNECT (RFC 8441 §3); nil until its SETTINGS have arrived.
    public var opensTunnels: Bool? {
        guard hasPeerSettings else { return nil }
        return nghttp2_session_get_remote_settings(handle, NGHTTP2_SETTINGS_ENABLE_CONNECT_PROTOCOL) == 1
    }

    /// No more streams can be opened: the peer has sent GOAWAY, the connection is broken, or the identifiers are used
    /// up.
    public var isFinal: Bool {
        goawayCode != nil || isBroken || nghttp2_session_check_request_allowed(handle) == 0
    }

    public func nextEvent() -> Event? {
        guard let entry = events.next() else { return nil }
        guard let stream = entry.stream.map({ Self.own($0.takeUnretainedValue()) }) else {
            switch entry.kind {
            case .settings: return .settings
            case .goaway: return .goaway
            default: return .pong
            }
        }
        switch entry.kind {
        case .interim: return .interim(stream)
        case .head: return .response(stream)
        case .body: return .body(stream, UnsafeRawBufferPointer(start: entry.base, count: entry.count))
        case .end: return .end(stream)
        case .room: return .room(stream)
        case .closed: return .closed(stream, stream.end)
        case .refused, .pong, .settings, .goaway: preconditionFailure("no event of a response")
        }
    }

    /// Content has been taken: the peer may send as much again (RFC 9113 §6.9).
    public func taken(_ count: Int, of stream: HTTP2ClientStream) {
        if stream.isClosed || stream.isResponseEnded || count == 0 { return }
        nghttp2_session_consume_stream(handle, stream.id, count)
    }

    // MARK: - Streams

    /// The streams that have not been forgotten; the session keeps them alive.
    public var open: [HTTP2ClientStream] { list.streams }
    public var openCount: Int { list.streams.count }

    func opened(_ stream: HTTP2ClientStream) { list.append(stream) }

    /// The stream's owner is done with it, after `closed`.
    public func forget(_ stream: HTTP2ClientStream) {
        if list.remove(stream) { release(stream) }
    }

    // MARK: - What the library tells

    override func fieldsBegan(_ head: nghttp2_frame_hd) -> Int32 {
        guard UInt32(head.type) == NGHTTP2_HEADERS.rawValue, let stream = stream(head.stream_id) else {
            return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
        }
        stream._withUnsafeGuaranteedRef { stream in
            Self.own(stream).hasFirstByte = true
            begin(stream)
        }
        return 0
    }

    override func take(
        _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, _ stream: HTTP2SessionStream
    ) -> Int {
        let stream = Self.own(stream)
        stream.response.take(name: name, value: value)
        return stream.response.fields.count
    }

    override func fieldDropped(_ stream: HTTP2SessionStream, isTooMany: Bool) {
        // Trailers beyond the limits make the response malformed, too: the lost ones may say how the request ended.
        Self.own(stream).fault =
            switch (stream.isPastHead, isTooMany) {
            case (true, true): "Its answer has more trailers than the limit allows (header-count)."
            case (false, true): "Its answer has more fields than the limit allows (header-count)."
            case (true, false): "The trailers of its answer are larger than the limit allows (header-block)."
            case (false, false): "The fields of its answer are larger than the limit allows (header-block)."
            }
    }

    override func fieldsEnded(_ stream: HTTP2SessionStream, isEnd: Bool) {
        let stream = Self.own(stream)
        if stream.isCancelled { return }
        if stream.isPastHead, stream.fault == nil { return contentEnded(stream) }
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
        stream.isPastHead = true
        events.append(.head, stream)
        if isEnd { contentEnded(stream) }
    }

    override func contentEnded(_ stream: HTTP2SessionStream) {
        let stream = Self.own(stream)
        if stream.isResponseEnded || stream.isCancelled || stream.fault != nil { return }
        stream.isResponseEnded = true
        events.append(.end, stream)
    }

    override func frameReceived(_ frame: UnsafePointer<nghttp2_frame>, _ head: nghttp2_frame_hd) {
        switch UInt32(head.type) {
        case NGHTTP2_SETTINGS.rawValue:
            let most = nghttp2_session_get_remote_settings(handle, NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE)
            fieldListMax = most == .max ? .max : Int(most)
            events.append(.settings)
        case NGHTTP2_RST_STREAM.rawValue:
            let code = frame.pointee.rst_stream.error_code
            stream(head.stream_id)?._withUnsafeGuaranteedRef { Self.own($0).peerCode = code }
        case NGHTTP2_GOAWAY.rawValue:
            goawayCode = frame.pointee.goaway.error_code
            events.append(.goaway)
        default: break
        }
    }

    override func frameSent(_ frame: UnsafePointer<nghttp2_frame>, _ head: nghttp2_frame_hd) {
        switch UInt32(head.type) {
        case NGHTTP2_HEADERS.rawValue:
            watch.contentSent()
            stream(head.stream_id)?._withUnsafeGuaranteedRef { Self.own($0).isSent = true }
        case NGHTTP2_RST_STREAM.rawValue:
            if frame.pointee.rst_stream.error_code == HTTP2ErrorCode.flowControlError.rawValue { overflowTold() }
        default: break
        }
    }

    override func streamClosed(_ stream: HTTP2SessionStream, _ code: UInt32) {
        let stream = Self.own(stream)
        stream.end = Self.end(of: stream, code)
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

    /// All streams of this session are of this class.
    @inline(__always)
    private static func own(_ stream: HTTP2SessionStream) -> HTTP2ClientStream {
        unsafeDowncast(stream, to: HTTP2ClientStream.self)
    }
}
