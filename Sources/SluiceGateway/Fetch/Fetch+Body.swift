internal import SluiceContract
internal import SluiceHTTP

/// The request's body.
extension Fetch {
    /// What was collected before the fetch began goes out first; it stays with the consumer for a replay.
    func sendHeldBody(_ consumer: FetchConsumer, _ route: Route, on carrier: UpstreamCarrier) {
        // What is kept for a retry may still grow, and move.
        let lifetime: RunLifetime = attempts.keepsBody ? .call : .drain
        let isChunked = consumer.request.body.outgoing == .chunked
        consumer.request.body.held.forEachRun { run, _ in carrier.send(run, lifetime: lifetime, isChunked: isChunked) }
        switch consumer.request.body.outgoing {
        case .none, .length(0): requestEnded(on: carrier, route)
        case .length(let length) where length == consumer.request.body.held.count: requestEnded(on: carrier, route)
        case .length, .chunked:
            // A replay: what the client sent, an empty body, is over already.
            if consumer.request.body.isComplete { endBody(trailers: consumer.request.trailers) }
        }
    }

    /// Whether bytes of the body can go out now.
    var takesBody: Bool {
        guard let carrier, isHeadSent, !isBodySent || answer.isTunnel else { return false }
        return carrier.hasRoom()
    }

    func sendBody(_ bytes: UnsafeRawBufferPointer, lifetime: RunLifetime = .drain) {
        guard let carrier, bytes.count > 0 else { return }
        hasSentBody = true
        if attempts.keepsBody { keepBody(bytes) }
        // What goes up is a sign of life where nobody knows who speaks next.
        if answer.isTunnel || answer.isUnbounded { bodyMoved() }
        carrier.send(bytes, lifetime: lifetime, isChunked: consumer?.request.body.outgoing == .chunked)
    }

    func endBody(trailers: borrowing HeaderBlock) {
        guard isHeadSent, !isBodySent, let carrier, let route else { return }
        carrier.send(trailers: trailers, isChunked: consumer?.request.body.outgoing == .chunked)
        requestEnded(on: carrier, route)
    }
}
