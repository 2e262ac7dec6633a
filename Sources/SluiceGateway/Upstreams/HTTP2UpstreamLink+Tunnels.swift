internal import SluiceHTTP
internal import SluiceHTTP2

// Tunnels over streams: an extended CONNECT may be sent only to a peer whose SETTINGS allow it (RFC 8441 §3), so it
// waits for them. Its stream is counted, but the session does not know it yet.
extension HTTP2UpstreamLink {
    func tunnelAsked(_ stream: HTTP2UpstreamStream) {
        tunnels.append(stream)
        hasNews()
    }

    /// Opens the waiting tunnels, once it is known whether the peer allows them.
    func openTunnels() {
        guard let isOffered = session.opensTunnels else { return }
        while !tunnels.isEmpty { tunnels.removeFirst().openTunnel(isOffered: isOffered) }
    }

    /// A waiting tunnel is not wanted any more.
    func withdrawn(_ stream: HTTP2UpstreamStream) {
        tunnels.removeAll { $0 === stream }
        resting.append(stream)
        _ = endpoint.streams.returned(to: self)
        stream.closed(.done)
        if isServing { return }
        serveWaiting()
        retireIfUnwanted()
        endIfIdle()
    }

    /// The connection is lost before its SETTINGS came; nothing of the waiting requests has been sent.
    func loseTunnels() {
        let lost = tunnels
        tunnels = []
        for stream in lost {
            resting.append(stream)
            stream.closed(.unprocessed)
        }
    }
}
