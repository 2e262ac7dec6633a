internal import SluiceContract
internal import SluiceHTTP

/// Does the client want to leave HTTP (RFC 9110 §7.8), and may it?
extension BoundRequest {
    /// Notes that the client wants to change protocols where the route offers it.
    /// - Returns: what is wrong with its handshake.
    func readUpgrade(_ route: Route, _ random: inout RandomSource) -> Problem? {
        if route.isGRPC { return GRPCCall.problem(of: head) }
        if head.connectProtocol != .none { return readExtendedConnect(route, &random) }
        guard route.upgradesToWebSocket, WebSocketHandshake.isAsked(by: head) else { return nil }
        if let problem = WebSocketHandshake.problem(of: head) { return problem }
        isUpgrading = true
        return nil
    }

    /// The same over HTTP/2 (RFC 8441 §5), which has no key: the one that the upstream sees is made here.
    private func readExtendedConnect(_ route: Route, _ random: inout RandomSource) -> Problem? {
        guard head.connectProtocol == .webSocket, route.upgradesToWebSocket else {
            // RFC 9220 §3.
            return Problem(
                .unknownMethod,
                detail: route.upgradesToWebSocket
                    ? "The only protocol that CONNECT opens here is websocket."
                    : "\(route.binding.name) opens no tunnels; 'upgrade: websocket' would let it.")
        }
        guard WebSocketHandshake.hasKnownVersion(head) else {
            var problem = Problem(.badRequest, detail: "The only WebSocket version known is 13 (RFC 6455 §4.4).")
            problem.fields = [HeaderSetting(name: "Sec-WebSocket-Version", value: "13")]
            return problem
        }
        let key = WebSocketHandshake.makeKey(&random)
        key.withUnsafeBytes { head.fields.append(.secWebSocketKey, value: $0) }
        isUpgrading = true
        return nil
    }
}
