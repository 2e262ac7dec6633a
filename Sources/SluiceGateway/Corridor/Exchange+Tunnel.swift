internal import SluiceContract
internal import SluiceHTTP

// A connection that leaves HTTP (RFC 9110 §7.8): from the upstream's 101 on, bytes pass both ways as they are, each
// direction under the back-pressure of its reader. The sink is a connection or a stream; nothing here knows which.
extension Exchange {
    /// Notes that the client wants to change protocols where the route offers it.
    /// - Returns: what is wrong with its handshake.
    func readUpgrade(_ route: Route) -> Problem? {
        if route.isGRPC { return GRPCCall.problem(of: request) }
        if request.connectProtocol != .none { return readExtendedConnect(route) }
        guard route.upgradesToWebSocket, WebSocketHandshake.isAsked(by: request) else { return nil }
        if let problem = WebSocketHandshake.problem(of: request) { return problem }
        isUpgrading = true
        return nil
    }

    /// The same over HTTP/2 (RFC 8441 §5), which has no key: the one that the upstream sees is made here.
    private func readExtendedConnect(_ route: Route) -> Problem? {
        guard request.connectProtocol == .webSocket, route.upgradesToWebSocket else {
            // RFC 9220 §3.
            return Problem(
                .unknownMethod,
                detail: route.upgradesToWebSocket
                    ? "The only protocol that CONNECT opens here is websocket."
                    : "\(route.binding.name) opens no tunnels; 'upgrade: websocket' would let it.")
        }
        guard WebSocketHandshake.hasKnownVersion(request) else {
            ownFields.append(.secWebSocketVersion, "13")
            return Problem(.badRequest, detail: "The only WebSocket version known is 13 (RFC 6455 §4.4).")
        }
        let key = WebSocketHandshake.makeKey(&gateway.random)
        key.withUnsafeBytes { request.fields.append(.secWebSocketKey, value: $0) }
        isUpgrading = true
        return nil
    }

    /// What the client sends is meant for a tunnel that is not open yet.
    var awaitsTunnel: Bool { request.connectProtocol != .none && !isTunnel }

    /// Whether the fetch takes bytes of the client now: not once the client has said that it sends no more.
    var tunnelTakesBytes: Bool {
        !body.isComplete && borrowedFetch?({ $0.takesBody }) == true
    }

    /// The client sends no more; the upstream may.
    func tunnelInputEnded() {
        body.isComplete = true
        fetch?.endTunnelInput()
    }
}

extension Fetch {
    /// The upstream has switched protocols, as the request asked.
    func openTunnel(_ exchange: Exchange, _ route: Route) {
        let isStream = carrier?.isStream == true
        if !isStream, let fault = WebSocketHandshake.fault(in: response, to: exchange.request) {
            return fail(Problem(.upstreamProtocol, detail: "'\(upstreamName)': \(fault)"))
        }
        answer.isTunnel = true
        headArrived(isUnbounded: true, silence: streamSilence(route))
        AnswerFields.prepareInterim(&response, route)
        response.fields.append(.via, isStream ? "2 sluice" : "1.1 sluice")
        if isStream { WebSocketHandshake.translate(&response, for: exchange.request) }
        if exchange.request.connectProtocol != .none {
            if let index = response.fields.firstIndex(of: .secWebSocketAccept) { response.fields.mark(index) }
            gateway.date.withUnsafeBytes { response.fields.append(.date, value: $0) }
        }
        exchange.openTunnel(response.fields)
    }

    /// How long nothing may move where silence is usual.
    func streamSilence(_ route: Route) -> UInt64 {
        route.idleNanoseconds ?? gateway.limits.streamTimeout.nanosecondsClamped
    }

    /// The client has half-closed: so does the gateway, once everything is out.
    func endTunnelInput() {
        carrier?.endTunnelInput()
    }
}
