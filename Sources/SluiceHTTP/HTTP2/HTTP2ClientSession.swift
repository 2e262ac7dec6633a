internal import CNGHTTP2
internal import SluiceContract

/// Client side of one HTTP/2 connection, without a socket: feed, then drain (RFC 9113).
///
///     session.beginRequest(…); session.submitRequest(on: stream, …)
///     session.write(into: &outbox, atMost: bytes)         // events may follow from this, too
///     session.receive(bytes, now: now)                    // valid until the owner has settled
///     while let event = session.nextEvent() { … }
public final class HTTP2ClientSession: HTTP2Session {
    public enum Event {
        /// An interim response has come (``HTTP2ClientStream/takeInterim(_:)``).
        case interim(HTTP2ClientStream)
        /// The head of the response is filled.
        case response(HTTP2ClientStream)
        /// Content, in the driver's buffer; whoever takes it says so (``HTTP2ClientSession/taken(_:of:)``).
        case body(HTTP2ClientStream, UnsafeRawBufferPointer)
        /// The response has ended; the trailers are filled.
        case end(HTTP2ClientStream)
        /// The request takes more content again.
        case room(HTTP2ClientStream)
        /// The stream is over, well or not: after this the session knows it no more.
        case closed(HTTP2ClientStream, HTTP2ClientStream.End)
        /// How many streams may be open has perhaps changed (``HTTP2ClientSession/streamsMax``).
        case settings
        /// The peer serves no streams beyond those that it has begun to (RFC 9113 §6.8).
        case goaway
        /// The peer has answered a ping.
        case pong
    }

    var events = HTTP2EventQueue<HTTP2ClientStream>()
    private var list = HTTP2StreamList<HTTP2ClientStream>()
    /// Whose field section is arriving.
    var arriving: Unmanaged<HTTP2ClientStream>?
    /// The largest field section that the peer takes (RFC 9113 §6.5.2).
    var fieldListMax = Int.max
    /// The code of the peer's GOAWAY, once there was one.
    public internal(set) var goawayCode: UInt32?

    /// - Parameter now: nanoseconds of a monotonic clock.
    public init(engine: HTTP2Engine, now: UInt64) {
        super.init(
            engine: engine, now: now, watch: HTTP2FrameWatch(engine.limits, ofServer: true, at: now), isServer: false)
        let limits = engine.limits
        let settings = [
            // RFC 9113 §8.4: nobody here has use for what was not asked for.
            setting(NGHTTP2_SETTINGS_ENABLE_PUSH.rawValue, 0),
            setting(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE.rawValue, limits.windowBytes),
            setting(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE.rawValue, limits.headerBytes),
            setting(NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES.rawValue, 1),
        ]
        submit(settings, streams: limits.streams)
    }

    /// Streams that may be open at a time as far as the peer is concerned (SETTINGS_MAX_CONCURRENT_STREAMS).
    public var streamsMax: Int {
        // RFC 9113 §6.5.2: no less than 100 is recommended; unlimited before anything is known is not wise.
        guard hasPeerSettings else { return 100 }
        return Int(nghttp2_session_get_remote_settings(handle, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS))
    }

    /// Whether the peer takes extended CONNECT (RFC 8441 §3); nil as long as its SETTINGS have not come.
    public var opensTunnels: Bool? {
        guard hasPeerSettings else { return nil }
        return nghttp2_session_get_remote_settings(handle, NGHTTP2_SETTINGS_ENABLE_CONNECT_PROTOCOL) == 1
    }

    /// The peer takes no more streams, or there are no more identifiers.
    public var isFinal: Bool {
        goawayCode != nil || isBroken || nghttp2_session_check_request_allowed(handle) == 0
    }

    public func nextEvent() -> Event? {
        guard let entry = events.next() else { return nil }
        guard let stream = entry.stream?.takeUnretainedValue() else {
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

    /// Streams that the library knows; kept here.
    public var open: [HTTP2ClientStream] { list.streams }
    public var openCount: Int { list.streams.count }

    func opened(_ stream: HTTP2ClientStream) { list.append(stream) }

    /// The stream's owner is done with it, after `closed`.
    public func forget(_ stream: HTTP2ClientStream) {
        if list.remove(stream) { release(stream) }
    }

    // MARK: - What the library tells

    override func onFieldsBegan(_ head: nghttp2_frame_hd) -> Int32 { fieldsBegan(head) }
    override func onField(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Int32 {
        fieldReceived(name, value)
    }
    override func onFrameReceived(_ frame: UnsafePointer<nghttp2_frame>) -> Int32 { frameReceived(frame) }
    override func onContent(_ id: Int32, _ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
        contentReceived(id, bytes, count)
    }
    override func onFrameSent(_ frame: UnsafePointer<nghttp2_frame>) -> Int32 { frameSent(frame) }
    override func onStreamClosed(_ id: Int32, _ code: UInt32) -> Int32 { streamClosed(id, code) }
    override func onRoom(_ stream: HTTP2SessionStream) {
        events.append(.room, unsafeDowncast(stream, to: HTTP2ClientStream.self))
    }
}
