internal import SluiceContract
internal import SluiceHTTP

// A connection that leaves HTTP (RFC 9110 §7.8): from the upstream's 101 on, bytes pass both ways as they are, each
// direction under the back-pressure of its reader. The sink is a connection or a stream; nothing here knows which.
extension Exchange {
    /// Notes that the client wants to change protocols where the route offers it.
    /// - Returns: what is wrong with its handshake.
    func readUpgrade(_ route: Route) -> Problem? {
        if route.isGRPC { return GRPCCall.problem(of: request.head) }
        if request.head.connectProtocol != .none { return readExtendedConnect(route) }
        guard route.upgradesToWebSocket, WebSocketHandshake.isAsked(by: request.head) else { return nil }
        if let problem = WebSocketHandshake.problem(of: request.head) { return problem }
        request.isUpgrading = true
        return nil
    }

    /// The same over HTTP/2 (RFC 8441 §5), which has no key: the one that the upstream sees is made here.
    private func readExtendedConnect(_ route: Route) -> Problem? {
        guard request.head.connectProtocol == .webSocket, route.upgradesToWebSocket else {
            // RFC 9220 §3.
            return Problem(
                .unknownMethod,
                detail: route.upgradesToWebSocket
                    ? "The only protocol that CONNECT opens here is websocket."
                    : "\(route.binding.name) opens no tunnels; 'upgrade: websocket' would let it.")
        }
        guard WebSocketHandshake.hasKnownVersion(request.head) else {
            ownFields.append(.secWebSocketVersion, "13")
            return Problem(.badRequest, detail: "The only WebSocket version known is 13 (RFC 6455 §4.4).")
        }
        let key = WebSocketHandshake.makeKey(&loop.random)
        key.withUnsafeBytes { request.head.fields.append(.secWebSocketKey, value: $0) }
        request.isUpgrading = true
        return nil
    }

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
