internal import CNGHTTP2
internal import SluiceContract

/// Server side of one HTTP/2 connection, without a socket: feed, then drain (RFC 9113). libnghttp2 does the framing.
///
///     session.receive(bytes, now: now)                    // valid until the owner has settled
///     while let event = session.nextEvent() { … }         // answers are submitted here
///     session.write(into: &outbox, atMost: bytes)         // events may follow from this, too
///
/// The library is never re-entered: its callbacks only note what happened, and all that acts on it comes after.
public final class HTTP2ServerSession {
    public enum Event {
        /// The head of a request is filled.
        case request(HTTP2ServerStream)
        /// The request is readable and refused: answer with the problem.
        case refused(HTTP2ServerStream, Refusal)
        /// Content, in the driver's buffer; whoever takes it says so (``HTTP2ServerSession/taken(_:of:)``).
        case body(HTTP2ServerStream, UnsafeRawBufferPointer)
        /// The request has ended; the trailers are filled.
        case end(HTTP2ServerStream)
        /// The answer takes more again.
        case room(HTTP2ServerStream)
        /// The stream is over, well or not: after this the session knows it no more.
        case closed(HTTP2ServerStream)
        /// The peer has answered the ping of ``HTTP2ServerSession/ping()``.
        case pong
    }

    let engine: HTTP2Engine
    let makeStream: () -> HTTP2ServerStream
    private var session: OpaquePointer?
    var events = HTTP2EventQueue()
    /// Streams that the library knows; kept here.
    public private(set) var open: [HTTP2ServerStream] = []
    /// The connection's fault, found here and not by the library.
    private(set) var fault: HTTP2ErrorCode?
    var now: UInt64
    /// Whose field section is arriving: nothing else may come between (RFC 9113 §4.3).
    var arriving: Unmanaged<HTTP2ServerStream>?
    /// Streams that are about to be reset because their own window was opened too far.
    var overflows = 0
    /// Where frames go while the library writes.
    var target: UnsafeMutablePointer<Outbox>?
    var watch: HTTP2FrameWatch
    /// The peer's first SETTINGS have come (RFC 9113 §3.4).
    public internal(set) var hasPeerSettings = false

    /// - Parameters:
    ///   - makeStream: gives a new stream, or one that is used again.
    ///   - now: nanoseconds of a monotonic clock.
    ///   - takesExtendedConnect: whether tunnels may be asked for (RFC 8441 §3).
    public init(
        engine: HTTP2Engine, now: UInt64, takesExtendedConnect: Bool = false,
        makeStream: @escaping () -> HTTP2ServerStream
    ) {
        self.engine = engine
        self.now = now
        self.makeStream = makeStream
        watch = HTTP2FrameWatch(engine.limits, at: now)
        let owner = Unmanaged.passUnretained(self).toOpaque()
        guard nghttp2_session_server_new2(&session, engine.callbacks, owner, engine.options) == 0 else {
            preconditionFailure("out of memory")
        }
        submitSettings(takesExtendedConnect)
    }

    deinit { nghttp2_session_del(session) }

    var handle: OpaquePointer {
        guard let session else { preconditionFailure("no session") }
        return session
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
        nghttp2_submit_settings(handle, 0, settings, settings.count)
        // The connection's window is no limit: each stream has its own, and one that stalls must not stop the others.
        let window = min(limits.windowBytes * limits.streams, Int(Int32.max))
        nghttp2_session_set_local_window_size(handle, 0, 0, Int32(max(window, 65_535)))
    }

    private func setting(_ id: UInt32, _ value: Int) -> nghttp2_settings_entry {
        nghttp2_settings_entry(settings_id: Int32(id), value: UInt32(value))
    }

    // MARK: - Input

    /// Takes what the peer has sent. Content in it is borrowed until the owner settles.
    public func receive(_ bytes: UnsafeRawBufferPointer, now: UInt64) {
        self.now = now
        guard fault == nil, let base = bytes.baseAddress, bytes.count > 0 else { return }
        let (count, found) = watch.look(at: bytes, now: now)
        let taken = nghttp2_session_mem_recv(handle, base.assumingMemoryBound(to: UInt8.self), count)
        if taken < 0 {
            fail(Self.fault(Int32(taken)))
        } else if let found {
            fail(found)
        }
    }

    private static func fault(_ code: Int32) -> HTTP2ErrorCode {
        switch code {
        case NGHTTP2_ERR_CALLBACK_FAILURE.rawValue, NGHTTP2_ERR_NOMEM.rawValue: .internalError
        case NGHTTP2_ERR_FLOODED.rawValue: .enhanceYourCalm
        // Not the client preface, or something else that the library calls fatal.
        default: .protocolError
        }
    }

    public func nextEvent() -> Event? { events.next() }

    /// The connection cannot go on; told to the peer by the next ``write(into:atMost:)``.
    func fail(_ code: HTTP2ErrorCode) {
        if fault == nil { fault = code }
    }

    /// Content has been taken: the peer may send as much again (RFC 9113 §6.9).
    public func taken(_ count: Int, of stream: HTTP2ServerStream) {
        if stream.isClosed || stream.isRequestEnded || count == 0 { return }
        nghttp2_session_consume_stream(handle, stream.id, count)
    }

    /// A field section has begun and not ended.
    public var isInsideFields: Bool { arriving != nil }

    // MARK: - Output

    /// Frames what there is to send, up to about `limit` bytes in the outbox.
    public func write(into outbox: inout Outbox, atMost limit: Int) {
        let before = outbox.count
        defer { hasProgress = outbox.count > before }
        if let fault { return writeGoaway(fault, into: &outbox) }
        withUnsafeMutablePointer(to: &outbox) { target in
            self.target = target
            while target.pointee.count < limit {
                var bytes: UnsafePointer<UInt8>?
                let count = nghttp2_session_mem_send(handle, &bytes)
                if count > 0 { target.pointee.append(UnsafeRawBufferPointer(start: bytes, count: count)) }
                if count < 0 { fault = .internalError }
                if count <= 0 { break }
            }
            self.target = nil
        }
        if let fault { writeGoaway(fault, into: &outbox) }
    }

    /// The last ``write(into:atMost:)`` wrote something.
    public private(set) var hasProgress = false

    /// Whether there is more to send now.
    public var wantsWrite: Bool { fault == nil && nghttp2_session_want_write(handle) != 0 }

    /// Nothing more will be read or written: close.
    public var isOver: Bool {
        if fault != nil { return isGoawayWritten }
        return nghttp2_session_want_read(handle) == 0 && nghttp2_session_want_write(handle) == 0
    }

    private var isGoawayWritten = false

    /// By hand: after a failed callback the library is not asked any more (RFC 9113 §6.8).
    private func writeGoaway(_ code: HTTP2ErrorCode, into outbox: inout Outbox) {
        if isGoawayWritten { return }
        isGoawayWritten = true
        outbox.append([0, 0, 8, 7, 0, 0, 0, 0, 0])
        for word in [UInt32(bitPattern: watch.lastStream), code.rawValue] {
            withUnsafeBytes(of: word.bigEndian) { outbox.append($0) }
        }
    }

    // MARK: - Ending

    /// Tells the peer to begin no more streams; those on their way are still served (RFC 9113 §6.8).
    public func announceEnd() { nghttp2_submit_shutdown_notice(handle) }

    public func ping() { nghttp2_submit_ping(handle, 0, nil) }

    /// The client has asked for too much of us (RFC 9113 §7): told, and then nothing more.
    public func endForAbuse() { fail(.enhanceYourCalm) }

    /// No stream after the last one is served; those that are open are.
    public func refuseNewStreams() {
        nghttp2_submit_goaway(
            handle, 0, nghttp2_session_get_last_proc_stream_id(handle), HTTP2ErrorCode.noError.rawValue, nil, 0)
    }

    // MARK: - Streams

    func opened(_ stream: HTTP2ServerStream) {
        stream.place = open.count
        open.append(stream)
    }

    /// The stream's owner is done with it, after `closed`.
    public func forget(_ stream: HTTP2ServerStream) {
        guard stream.place >= 0 else { return }
        if let last = open.popLast(), last !== stream {
            open[stream.place] = last
            last.place = stream.place
        }
        stream.place = -1
        stream.reset()
    }
}
