internal import SluiceHTTP
internal import SluiceHTTP2

/// What the HTTP/2 connections of one loop share: the engine, and streams for reuse.
final class HTTP2Streams {
    let engine: HTTP2Engine
    private var spare: [HTTP2Stream] = []
    private static let sparesMax = 256

    init(limits: HTTP2Limits) {
        engine = HTTP2Engine(limits: limits)
    }

    func take() -> HTTP2Stream { spare.popLast() ?? HTTP2Stream() }

    func giveBack(_ stream: HTTP2Stream) {
        if spare.count < Self.sparesMax { spare.append(stream) }
    }
}
