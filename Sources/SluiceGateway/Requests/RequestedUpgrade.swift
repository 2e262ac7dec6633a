internal import SluiceContract
internal import SluiceHTTP

/// Whether the client asks for another protocol (RFC 9110 §7.8), and may have it.
enum RequestedUpgrade {
    case none
    /// The client asks for it, and the route offers it.
    case webSocket
    /// The client's handshake is wrong.
    case refused(Problem)

    /// - Parameter head: gets a key for the upstream, where the client sent none.
    static func read(_ head: inout RequestHead, _ route: Route, _ random: inout RandomSource) -> RequestedUpgrade {
        if route.isGRPC { return GRPCCall.problem(of: head).map { .refused($0) } ?? .none }
        if head.connectProtocol != .none { return readExtendedConnect(&head, route, &random) }
        guard route.upgradesToWebSocket, WebSocketHandshake.isAsked(by: head) else { return .none }
        return WebSocketHandshake.problem(of: head).map { .refused($0) } ?? .webSocket
    }

    /// The same over HTTP/2 (RFC 8441 §5), where clients send no key: the upstream's is made here.
    private static func readExtendedConnect(
        _ head: inout RequestHead, _ route: Route, _ random: inout RandomSource
    ) -> RequestedUpgrade {
        guard head.connectProtocol == .webSocket, route.upgradesToWebSocket else {
            // RFC 9220 §3.
            return .refused(
                Problem(
                    .unknownMethod,
                    detail: route.upgradesToWebSocket
                        ? "The only protocol that CONNECT opens here is websocket."
                        : "\(route.binding.name) opens no tunnels; 'upgrade: websocket' would let it."))
        }
        guard WebSocketHandshake.hasKnownVersion(head) else {
            var problem = Problem(.badRequest, detail: "The only WebSocket version known is 13 (RFC 6455 §4.4).")
            problem.fields = [HeaderSetting(name: "Sec-WebSocket-Version", value: "13")]
            return .refused(problem)
        }
        let key = WebSocketHandshake.makeKey(&random)
        key.withUnsafeBytes { head.fields.append(.secWebSocketKey, value: $0) }
        return .webSocket
    }
}
