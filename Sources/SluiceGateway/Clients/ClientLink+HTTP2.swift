internal import SluiceHTTP
internal import SluiceHTTP2

extension ClientLink {
    /// Examines the first bytes of a connection: the client preface of HTTP/2 ends HTTP/1.1 here (RFC 9113 §3.3).
    /// - Returns: whether the bytes have been passed to the HTTP/2 link.
    func isSucceeded(at bytes: UnsafeRawBufferPointer) -> Bool {
        guard let finding = preface?.read(bytes), finding != .http1 else {
            preface = nil
            return false
        }
        // Bytes that may still become a preface are read as an HTTP/1.1 request, so far.
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
