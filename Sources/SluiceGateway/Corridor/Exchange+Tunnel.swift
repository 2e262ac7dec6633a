internal import SluiceContract
internal import SluiceHTTP

// A connection that leaves HTTP (RFC 9110 §7.8): from the upstream's 101 on, bytes pass both ways as they are, each
// direction under the back-pressure of its reader. The sink is a connection or a stream; nothing here knows which.
extension Exchange {
    /// What the client sends is meant for a tunnel that is not open yet.
    var awaitsTunnel: Bool { request.head.connectProtocol != .none && !isTunnel }

    /// Whether the fetch takes bytes of the client now: not once the client has said that it sends no more.
    var tunnelTakesBytes: Bool {
        !request.body.isComplete && borrowedFetch?({ $0.takesBody }) == true
    }

    /// The client sends no more; the upstream may.
    func tunnelInputEnded() {
        request.body.isComplete = true
        fetch?.endTunnelInput()
    }
}
