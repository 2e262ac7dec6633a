internal import SluiceHTTP
internal import SluiceHTTP2

extension ClientLink {
    /// Looks at the first bytes of a connection: the client preface of HTTP/2 ends HTTP/1.1 here (RFC 9113 §3.3).
    /// - Returns: whether the bytes have gone to the link that has taken over.
    func isSucceeded(at bytes: UnsafeRawBufferPointer) -> Bool {
        guard let finding = preface?.read(bytes), finding != .http1 else {
            preface = nil
            return false
        }
        // What may still be an odd request is read as one, so far.
        guard finding == .http2, let before = preface?.before else { return false }
        let link = succeed()
        link.received(before)
        link.received(bytes)
        return true
    }

    /// Hands the connection over to HTTP/2.
    func succeed() -> HTTP2Link {
        preface = nil
        let link = HTTP2Link(corridor, http2, client: client)
        letGo()
        loop.clients.replace(self, by: link)
        loop.counters.connectionsHTTP2 += 1
        loop.metrics.slab.add(at: LoopCells.acceptedHTTP2)
        handOver(to: link)
        return link
    }
}
