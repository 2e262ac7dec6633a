internal import CNGHTTP2

/// What sessions of one loop share that are held to the same limits: the callbacks, the options, the library's memory
/// and the space for field lists.
public final class HTTP2Engine {
    public let limits: HTTP2Limits
    let callbacks: OpaquePointer
    let options: OpaquePointer
    var fields = HTTP2FieldList()
    let memory = HTTP2Memory()

    public init(limits: HTTP2Limits) {
        self.limits = limits
        callbacks = HTTP2Session.makeCallbacks()
        var made: OpaquePointer?
        nghttp2_option_new(&made)
        guard let made else { preconditionFailure("out of memory") }
        options = made
        // Windows open as the corridor takes bytes, not as they arrive.
        nghttp2_option_set_no_auto_window_update(options, 1)
        // What waits to be acknowledged, while the peer reads nothing.
        nghttp2_option_set_max_outbound_ack(options, 1000)
        nghttp2_option_set_max_settings(options, 32)
        // The library counts every piece in which the head of a CONTINUATION frame arrives; ``HTTP2FrameWatch`` counts
        // frames.
        nghttp2_option_set_max_continuations(options, (limits.continuations + 1) * 16)
        // Counted here, together with the resets that the peer provokes.
        nghttp2_option_set_stream_reset_rate_limit(options, .max >> 1, .max >> 1)
        // Closed streams are remembered here (``HTTP2StreamHistory``), in bits.
        nghttp2_option_set_no_closed_streams(options, 1)
        // A head that may come in may go out, with what is added here; usually no more than 64 KiB, and what is longer
        // would be dropped in silence.
        nghttp2_option_set_max_send_header_block_length(
            options, limits.headerBytes * 2 + limits.headerCount * 16 + 65_536)
        nghttp2_option_set_builtin_recv_extension_type(options, UInt8(NGHTTP2_PRIORITY_UPDATE.rawValue))
    }

    deinit {
        nghttp2_session_callbacks_del(callbacks)
        nghttp2_option_del(options)
    }
}
