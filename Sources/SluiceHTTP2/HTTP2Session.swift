internal import CNGHTTP2
public import SluiceHTTP

/// One side of an HTTP/2 connection, without a socket: feed, then drain (RFC 9113). libnghttp2 does the framing.
///
/// The library is never re-entered: its callbacks only note what happened (`HTTP2Session+Callbacks.swift`), and all
/// reactions follow after the call. What the two sides do not share is in ``HTTP2ServerSession`` and
/// ``HTTP2ClientSession``.
public class HTTP2Session {
    final let engine: HTTP2Engine
    private final var session: OpaquePointer?
    /// The error that ends the connection, once there is one.
    private(set) final var fault: HTTP2ErrorCode?
    final var now: UInt64
    /// The outbox that frames go to while the library writes.
    final var target: UnsafeMutablePointer<Outbox>?
    final var watch: HTTP2FrameWatch
    /// Streams that are about to be reset because their own window was opened too far.
    final var overflows = 0
    final var events = HTTP2EventQueue()
    /// The stream whose field section is arriving: no other frame may come in between (RFC 9113 §4.3).
    final var arriving: Unmanaged<HTTP2SessionStream>?
    /// Bytes that pseudo-header fields may have in addition to the other fields of a head.
    final let lineBytes: Int
    /// Bytes of our messages that wait for the peer's windows, on all streams.
    public internal(set) final var pendingBytes = 0
    /// Bytes of our messages' content that have been framed, crumbs apart.
    public internal(set) final var framedBytes = 0
    /// The peer's first SETTINGS have arrived (RFC 9113 §3.4).
    public internal(set) final var hasPeerSettings = false

    /// - Parameter now: nanoseconds of a monotonic clock.
    init(engine: HTTP2Engine, now: UInt64, watch: HTTP2FrameWatch, isServer: Bool) {
        self.engine = engine
        self.now = now
        self.watch = watch
        lineBytes = isServer ? engine.limits.requestLineBytes : 0
        let owner = Unmanaged.passUnretained(self).toOpaque()
        var memory = engine.memory.functions
        let code =
            isServer
            ? nghttp2_session_server_new3(&session, engine.callbacks, owner, engine.options, &memory)
            : nghttp2_session_client_new3(&session, engine.callbacks, owner, engine.options, &memory)
        guard code == 0 else { preconditionFailure("out of memory") }
    }

    deinit { nghttp2_session_del(session) }

    final var handle: OpaquePointer {
        guard let session else { preconditionFailure("no session") }
        return session
    }

    /// - Parameter streams: how many may be open at a time. The connection's window is as large as all of theirs
    ///   together, so that a stalled stream cannot stop the others.
    final func submit(_ settings: [nghttp2_settings_entry], streams: Int) {
        nghttp2_submit_settings(handle, 0, settings, settings.count)
        let window = min(engine.limits.windowBytes * streams, Int(Int32.max))
        nghttp2_session_set_local_window_size(handle, 0, 0, Int32(max(window, 65_535)))
    }

    final func setting(_ id: UInt32, _ value: Int) -> nghttp2_settings_entry {
        nghttp2_settings_entry(settings_id: Int32(id), value: UInt32(value))
    }

    // MARK: - Input

    /// Processes bytes from the peer. Content in them is borrowed until the owner settles.
    public final func receive(_ bytes: UnsafeRawBufferPointer, now: UInt64) {
        self.now = now
        var position = 0
        while fault == nil, position < bytes.count {
            let rest = bytes.part(position, bytes.count)
            let (count, finding) = watch.look(at: rest, now: now)
            hand(rest.part(0, count))
            switch finding {
            case nil: return
            case .fault(let code): fail(code)
            case .emptyIncrement(let stream):
                replaceIncrement(of: stream)
                position += count + 1
            }
        }
    }

    private func hand(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress, bytes.count > 0 else { return }
        let taken = nghttp2_session_mem_recv(handle, base.assumingMemoryBound(to: UInt8.self), bytes.count)
        if taken < 0 { fail(Self.fault(Int32(taken))) }
    }

    /// A window increment of 0 is an error of its stream (RFC 9113 §6.9), but the library would end the connection. So
    /// it is given an increment of 1 instead, and the stream is reset.
    private func replaceIncrement(of stream: Int32) {
        withUnsafeBytes(of: UInt8(1)) { hand($0) }
        guard fault == nil, self.stream(stream) != nil else { return }
        nghttp2_submit_rst_stream(
            handle, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, HTTP2ErrorCode.protocolError.rawValue)
    }

    private static func fault(_ code: Int32) -> HTTP2ErrorCode {
        switch code {
        case NGHTTP2_ERR_CALLBACK_FAILURE.rawValue, NGHTTP2_ERR_NOMEM.rawValue: .internalError
        case NGHTTP2_ERR_FLOODED.rawValue: .enhanceYourCalm
        // An invalid preface, or another error that the library calls fatal.
        default: .protocolError
        }
    }

    final var isBroken: Bool { fault != nil }

    /// Ends the connection with an error; the next ``write(into:atMost:)`` tells the peer.
    final func fail(_ code: HTTP2ErrorCode) {
        if fault == nil { fault = code }
    }

    // MARK: - Output

    /// Writes frames to the outbox, up to about `limit` bytes in it.
    public final func write(into outbox: inout Outbox, atMost limit: Int) {
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
    public private(set) final var hasProgress = false

    /// Whether there is more to send now.
    public final var wantsWrite: Bool { fault == nil && nghttp2_session_want_write(handle) != 0 }

    /// Nothing more will be read or written: the connection can be closed.
    public final var isOver: Bool {
        if fault != nil { return isGoawayWritten }
        return nghttp2_session_want_read(handle) == 0 && nghttp2_session_want_write(handle) == 0
    }

    private final var isGoawayWritten = false

    /// Writes the GOAWAY frame without the library, which must not be called after a failed callback (RFC 9113 §6.8).
    private func writeGoaway(_ code: HTTP2ErrorCode, into outbox: inout Outbox) {
        if isGoawayWritten { return }
        isGoawayWritten = true
        outbox.append([0, 0, 8, 7, 0, 0, 0, 0, 0])
        for word in [UInt32(bitPattern: watch.lastStream), code.rawValue] {
            withUnsafeBytes(of: word.bigEndian) { outbox.append($0) }
        }
    }

    /// Sends a PING; the peer's acknowledgement becomes the event `pong`.
    public final func ping() { nghttp2_submit_ping(handle, 0, nil) }

    /// Tells the peer that no further streams are served; open streams still are (RFC 9113 §6.8).
    public final func refuseNewStreams() {
        nghttp2_submit_goaway(
            handle, 0, nghttp2_session_get_last_proc_stream_id(handle), HTTP2ErrorCode.noError.rawValue, nil, 0)
    }

    /// Resets a stream that has been removed from the list.
    final func release(_ stream: HTTP2SessionStream) {
        pendingBytes -= stream.pending.count
        stream.reset()
    }

    // MARK: - What the two sides do with what the library tells

    /// A field section begins: finds its stream and calls ``begin(_:)``.
    func fieldsBegan(_ head: nghttp2_frame_hd) -> Int32 { 0 }
    /// A field of a head.
    /// - Returns: how many fields the head has now.
    func take(
        _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, _ stream: HTTP2SessionStream
    ) -> Int { 0 }
    /// A field is beyond the limits, and not kept.
    /// - Parameter isTooMany: there are too many fields (`limits.header-count`); else they are too large.
    func fieldDropped(_ stream: HTTP2SessionStream, isTooMany: Bool) {}
    /// A field section has arrived.
    func fieldsEnded(_ stream: HTTP2SessionStream, isEnd: Bool) {}
    /// The peer's message has ended with its content.
    func contentEnded(_ stream: HTTP2SessionStream) {}
    /// SETTINGS of the peer, or a frame of a kind that no other of these methods reports.
    func frameReceived(_ frame: UnsafePointer<nghttp2_frame>, _ head: nghttp2_frame_hd) {}
    /// A frame is in the outbox.
    func frameSent(_ frame: UnsafePointer<nghttp2_frame>, _ head: nghttp2_frame_hd) {}
    /// The stream has closed, in order or with an error; the `closed` event follows.
    func streamClosed(_ stream: HTTP2SessionStream, _ code: UInt32) {}
}
