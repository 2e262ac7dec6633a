internal import SluiceHTTP

extension ClientLink {
    func openTunnel(_ fields: borrowing HeaderBlock) {
        HTTP1Writer.statusLine(status: 101, into: &outbox)
        HTTP1Writer.fields(fields, into: &outbox)
        outbox.append("Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n")
        isAnswerChunked = false
        isAnswerBodyless = false
        // An end is an end, and only a reset shows that something is missing.
        isAnswerDelimitedByClose = true
        closesAfterAnswer = true
        machine.becomeTunnel()
        touch()
        pump()
    }

    /// Whether the rest of the request's body is longer than what is read in vain: then the connection cannot be kept,
    /// and a client that has pipelined more shall know that nobody will look at it (RFC 9112 §9.6).
    func leavesTooMuchUnread(_ exchange: Exchange) -> Bool {
        if exchange.isBodyComplete { return false }
        switch exchange.request.framing {
        case .none, .untilClose: return false
        case .length(let length): return length - exchange.body.receivedBytes > Self.discardBytesMax
        // Nobody knows how long chunks will go on.
        case .chunked: return true
        }
    }
}
