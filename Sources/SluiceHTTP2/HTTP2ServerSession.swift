internal import CNGHTTP2
internal import SluiceContract
public import SluiceHTTP

/// Server side of one HTTP/2 connection, without a socket: feed, then drain (RFC 9113).
///
///     session.receive(bytes, now: now)                    // valid until the owner has settled
///     while let event = session.nextEvent() { … }         // answers are submitted here
///     session.write(into: &outbox, atMost: bytes)         // events may follow from this, too
///
/// The library is never re-entered: its callbacks only note what happened, and all reactions follow after the call.
public final class HTTP2ServerSession: HTTP2Session {
    /// The session keeps the streams, so they are handed over uncounted.
    public enum Event {
        /// The head of a request is filled.
        case request(Unmanaged<HTTP2ServerStream>)
        /// The request is refused: answer with the problem.
        case refused(Unmanaged<HTTP2ServerStream>, Refusal)
        /// Content, in the driver's buffer; the consumer has to report the bytes that it has taken
        /// (``HTTP2ServerSession/taken(_:of:)``).
        case body(Unmanaged<HTTP2ServerStream>, UnsafeRawBufferPointer)
        /// The request has ended; the trailers are filled.
        case end(Unmanaged<HTTP2ServerStream>)
        /// There is room for more of the answer again.
        case room(Unmanaged<HTTP2ServerStream>)
        /// The stream has closed, in order or with an error: no more events of this stream follow.
        case closed(Unmanaged<HTTP2ServerStream>)
        /// The peer has acknowledged a PING (``HTTP2Session/ping()``).
        case pong
    }

    private let makeStream: () -> HTTP2ServerStream
    private var list = HTTP2StreamList<HTTP2ServerStream>()

    /// - Parameters:
    ///   - makeStream: returns a new stream object, or one to be reused.
    ///   - now: nanoseconds of a monotonic clock.
    ///   - takesExtendedConnect: whether clients may ask for tunnels (RFC 8441 §3).
    public init(
        engine: HTTP2Engine, now: UInt64, takesExtendedConnect: Bool = false,
        makeStream: @escaping () -> HTTP2ServerStream
    ) {
        self.makeStream = makeStream
        super.init(engine: engine, now: now, watch: HTTP2FrameWatch(engine.limits, at: now), isServer: true)
        submitSettings(takesExtendedConnect)
    }

    private func submitSettings(_ takesExtendedConnect: Bool) {
        let limits = engine.limits
        var settings = [
            setting(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue, limits.streams),
            setting(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE.rawValue, limits.windowBytes),
            setting(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE.rawValue, limits.headerBytes),
            // RFC 9218 §2.1: urgency and increments instead of the tree of RFC 7540.
            setting(NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES.rawValue, 1),
        ]
        if takesExtendedConnect {
            settings.append(setting(NGHTTP2_SETTINGS_ENABLE_CONNECT_PROTOCOL.rawValue, 1))
        }
        submit(settings, streams: limits.streams)
    }

    // MARK: - Input

    public func nextEvent() -> Event? {
        guard let entry = events.next() else { return nil }
        guard let opaque = entry.stream?.toOpaque() else { return .pong }
        let stream = Unmanaged<HTTP2ServerStream>.fromOpaque(opaque)
        switch entry.kind {
        case .head: return .request(stream)
        case .refused:
            guard let refusal = stream._withUnsafeGuaranteedRef({ $0.refusal }) else {
                preconditionFailure("refused for no reason")
            }
            return .refused(stream, refusal)
        case .body: return .body(stream, UnsafeRawBufferPointer(start: entry.base, count: entry.count))
        case .end: return .end(stream)
        case .room: return .room(stream)
        case .closed: return .closed(stream)
        case .interim, .pong, .settings, .goaway: preconditionFailure("no event of a server")
        }
    }

    /// Content has been taken: the peer may send as much again (RFC 9113 §6.9).
    public func taken(_ count: Int, of stream: HTTP2ServerStream) {
        if stream.isClosed || stream.isRequestEnded || count == 0 { return }
        nghttp2_session_consume_stream(handle, stream.id, count)
    }

    /// A field section has begun and not ended.
    public var isInsideFields: Bool { arriving != nil }

    // MARK: - Ending

    /// Asks the peer to begin no more streams; streams that it has begun meanwhile are still served (RFC 9113 §6.8).
    public func announceEnd() { nghttp2_submit_shutdown_notice(handle) }

    /// Ends the connection with ENHANCE_YOUR_CALM, because the client has caused too much work (RFC 9113 §7).
    public func endForAbuse() { fail(.enhanceYourCalm) }

    /// Ends the connection, because the client has not completed its preface or a field section in time.
    public func endForSlowness() { fail(hasPeerSettings ? .enhanceYourCalm : .settingsTimeout) }

    // MARK: - Streams

    /// The streams that have not been forgotten; the session keeps them alive.
    public var open: [HTTP2ServerStream] { list.streams }
    public var hasOpen: Bool { !list.streams.isEmpty }

    /// The stream's owner is done with it, after `closed`.
    public func forget(_ stream: HTTP2ServerStream) {
        if list.remove(stream) { release(stream) }
    }

    // MARK: - What the library tells

    override func fieldsBegan(_ head: nghttp2_frame_hd) -> Int32 {
        if let known = stream(head.stream_id) {
            known._withUnsafeGuaranteedRef { stream in
                stream.isPastHead = true
                begin(stream)
            }
            return 0
        }
        let stream = makeStream()
        stream.open(head.stream_id)
        list.append(stream)
        begin(stream)
        nghttp2_session_set_stream_user_data(handle, head.stream_id, Unmanaged.passUnretained(stream).toOpaque())
        return 0
    }

    override func take(
        _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, _ stream: HTTP2SessionStream
    ) -> Int {
        let stream = Self.own(stream)
        stream.request.take(name: name, value: value)
        return stream.request.fields.count
    }

    override func fieldDropped(_ stream: HTTP2SessionStream, isTooMany: Bool) {
        Self.own(stream).refusal = Refusal(
            .fieldsTooLarge,
            isTooMany
                ? "There are more fields than the limit allows (header-count)."
                : "The fields are larger than the limit allows (header-block).")
    }

    override func fieldsEnded(_ stream: HTTP2SessionStream, isEnd: Bool) {
        let stream = Self.own(stream)
        if stream.isPastHead {
            // Trailers beyond the limits are dropped; the request is not refused because of them.
            if stream.refusal != nil { stream.trailers.removeAll() }
            return contentEnded(stream)
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

    override func contentEnded(_ stream: HTTP2SessionStream) {
        let stream = Self.own(stream)
        if stream.isRequestEnded { return }
        stream.isRequestEnded = true
        // A request that was refused because of its head gets no `end` event.
        if stream.refusal == nil || stream.isPastHead { events.append(.end, stream) }
    }

    override func frameSent(_ frame: UnsafePointer<nghttp2_frame>, _ head: nghttp2_frame_hd) {
        switch UInt32(head.type) {
        case NGHTTP2_RST_STREAM.rawValue:
            guard let code = HTTP2ErrorCode(rawValue: frame.pointee.rst_stream.error_code) else { return }
            if code == .flowControlError { overflowTold() }
            switch code {
            case .protocolError, .flowControlError, .streamClosed, .frameSizeError, .refusedStream, .compressionError,
                .enhanceYourCalm:
                if !watch.resetProvoked(at: now) { fail(.enhanceYourCalm) }
            default: break
            }
        case NGHTTP2_DATA.rawValue, NGHTTP2_HEADERS.rawValue:
            guard UInt32(head.flags) & NGHTTP2_FLAG_END_STREAM.rawValue != 0 else { return }
            watch.answerSent()
            // The answer is complete, and the rest of the request is not read (RFC 9113 §8.1).
            stream(head.stream_id)?._withUnsafeGuaranteedRef { stream in
                let stream = Self.own(stream)
                if !stream.isRequestEnded { reset(stream, .noError) }
            }
        default: break
        }
    }

    /// All streams of this session are of this class.
    @inline(__always)
    private static func own(_ stream: HTTP2SessionStream) -> HTTP2ServerStream {
        unsafeDowncast(stream, to: HTTP2ServerStream.self)
    }
}
