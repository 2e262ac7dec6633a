internal import SluiceContract
internal import SluiceHTTP

/// The request's body.
extension Fetch {
    /// What was collected before the fetch began goes out first; it stays with the exchange for a replay.
    func sendHeldBody(_ exchange: Exchange, _ route: Route, on link: UpstreamLink) {
        // What is kept for a retry may still grow, and move.
        let lifetime: RunLifetime = attempts.keepsBody ? .call : .drain
        exchange.body.held.forEachRun { run, _ in put(run, on: link, lifetime: lifetime) }
        switch exchange.body.outgoing {
        case .none, .length(0): requestEnded(on: link, route)
        case .length(let length) where length == exchange.body.held.count: requestEnded(on: link, route)
        case .length, .chunked:
            // A replay: what the client sent, an empty body, is over already.
            if exchange.body.isComplete { endBody(trailers: exchange.requestTrailers) }
        }
    }

    /// Whether bytes of the body can go out now.
    var takesBody: Bool {
        guard let link = link.borrowed, isHeadSent, !isBodySent || answer.isTunnel else { return false }
        return link { $0.hasRoom() }
    }

    func sendBody(_ bytes: UnsafeRawBufferPointer, lifetime: RunLifetime = .drain) {
        guard let link, bytes.count > 0 else { return }
        hasSentBody = true
        if attempts.keepsBody { keepBody(bytes) }
        if answer.isTunnel { bodyMoved() }
        put(bytes, on: link, lifetime: lifetime)
        link.touch()
    }

    private func put(_ bytes: UnsafeRawBufferPointer, on link: UpstreamLink, lifetime: RunLifetime) {
        let isChunked = exchange?.body.outgoing == .chunked
        if isChunked { HTTP1Writer.chunkStart(count: bytes.count, into: &link.outbox) }
        switch lifetime {
        case .drain: link.outbox.borrow(bytes)
        case .call: link.outbox.append(bytes)
        }
        if isChunked { HTTP1Writer.chunkEnd(into: &link.outbox) }
    }

    func endBody(trailers: borrowing HeaderBlock) {
        guard let link, let route, isHeadSent, !isBodySent else { return }
        if exchange?.body.outgoing == .chunked {
            link.outbox.append("0\r\n")
            HTTP1Writer.fields(trailers, into: &link.outbox)
            link.outbox.append("\r\n")
        }
        requestEnded(on: link, route)
    }
}
