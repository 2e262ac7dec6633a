internal import SluiceContract
internal import SluiceHTTP

/// The answer is that both sides leave HTTP (RFC 9110 §7.8; RFC 8441 §5).
extension Fetch {
    /// The upstream has switched protocols, as the request asked.
    func openTunnel(_ consumer: FetchConsumer, _ route: Route) {
        let isStream = carrier?.isStream == true
        if !isStream, let fault = WebSocketHandshake.fault(in: response, to: consumer.request.head) {
            return fail(Problem(.upstreamProtocol, detail: "'\(upstreamName)': \(fault)"))
        }
        answer.isTunnel = true
        headArrived(isUnbounded: true, silence: streamSilence(route))
        AnswerFields.prepareInterim(&response, route)
        response.fields.append(.via, isStream ? "2 sluice" : "1.1 sluice")
        if isStream { WebSocketHandshake.translate(&response, for: consumer.request.head) }
        if consumer.request.head.connectProtocol != .none {
            if let index = response.fields.firstIndex(of: .secWebSocketAccept) { response.fields.mark(index) }
            loop.date.withUnsafeBytes { response.fields.append(.date, value: $0) }
        }
        consumer.openTunnel(response.fields)
    }

    /// How long nothing may move where silence is usual.
    func streamSilence(_ route: Route) -> UInt64 {
        route.idleNanoseconds ?? loop.limits.streamTimeout.nanosecondsClamped
    }

    /// The client has half-closed: so does the gateway, once everything is out.
    func endTunnelInput() {
        carrier?.endTunnelInput()
    }
}
