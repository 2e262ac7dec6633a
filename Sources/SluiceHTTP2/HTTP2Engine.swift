internal import CNGHTTP2

/// What the sessions of one loop that have the same limits share: the callbacks, the options, the library's memory and
/// the space for field lists.
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
        // Acknowledgements that may wait to be sent while the peer reads nothing.
        nghttp2_option_set_max_outbound_ack(options, 1000)
        nghttp2_option_set_max_settings(options, 32)
        // The library counts every piece in which the head of a CONTINUATION frame arrives; ``HTTP2FrameWatch`` counts
        // frames.
        nghttp2_option_set_max_continuations(options, (limits.continuations + 1) * 16)
        // ``HTTP2FrameWatch`` counts resets, together with those that the peer provokes.
        nghttp2_option_set_stream_reset_rate_limit(options, .max >> 1, .max >> 1)
        // ``HTTP2StreamHistory`` remembers closed streams instead, in bits.
        nghttp2_option_set_no_closed_streams(options, 1)
        // Any head that may be received may also be sent, with the fields that Sluice adds. The library's default is 64
        // KiB, and it would silently drop a longer head.
        nghttp2_option_set_max_send_header_block_length(
            options, limits.headerBytes * 2 + limits.headerCount * 16 + 65_536)
        nghttp2_option_set_builtin_recv_extension_type(options, UInt8(NGHTTP2_PRIORITY_UPDATE.rawValue))
    }

    deinit {
        nghttp2_session_callbacks_del(callbacks)
        nghttp2_option_del(options)
    }
}
