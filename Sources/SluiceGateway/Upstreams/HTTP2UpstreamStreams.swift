internal import SluiceHTTP
internal import SluiceHTTP2

/// What the HTTP/2 connections of one loop to upstreams share: the engine, and streams for reuse.
final class HTTP2UpstreamStreams {
    let engine: HTTP2Engine
    /// Memory for the fields that the gateway adds to a request.
    var lines = Outbox()
    private var spare: [HTTP2UpstreamStream] = []
    private static let sparesMax = 256

    init(limits: HTTP2Limits) {
        engine = HTTP2Engine(limits: limits)
    }

    func take() -> HTTP2UpstreamStream { spare.popLast() ?? HTTP2UpstreamStream() }

    func giveBack(_ stream: HTTP2UpstreamStream) {
        if spare.count < Self.sparesMax { spare.append(stream) }
    }
}
