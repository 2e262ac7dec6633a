import SluiceContract

extension BindingReader {
    /// `upgrade:`, where nothing else that the binding says contradicts it.
    mutating func readUpgrade() {
        guard let node = fields.node("upgrade"), let upgrade = desk.choice(node, of: Binding.Upgrade.self) else {
            return
        }
        binding.upgrade = upgrade
        switch upgrade {
        case .websocket: checkWebSocket()
        case .grpc: checkGRPC()
        }
    }

    private func checkWebSocket() {
        let place = fields.keyPlace("upgrade")
        if hasValue {
            desk.findings.mistake(
                at: place, "a tunnel has no value that could be checked", expected: "a binding without 'value:'")
        }
        // RFC 6455 §4.1: the handshake is a GET, on both sides.
        checkMethod("GET", of: "websocket")
    }

    private func checkGRPC() {
        let place = fields.keyPlace("upgrade")
        if hasValue || binding.body != .passThrough {
            desk.findings.mistake(
                at: place, "the messages of gRPC are no JSON that could be checked",
                expected: "a binding without 'value:' and 'body:'")
        }
        checkMethod("POST", of: "grpc")
        if let upstream = upstream?.upstream, !Self.maySpeakHTTP2(upstream) {
            desk.findings.mistake(
                at: place,
                "gRPC needs HTTP/2, and 'protocol: \(upstream.httpVersion.rawValue)' of "
                    + "'\(upstream.name)' is HTTP/1.1",
                expected: "protocol: h2 on the upstream, or h2c where it has no TLS")
        }
    }

    /// With `auto` the handshake tells, where there is one.
    private static func maySpeakHTTP2(_ upstream: Upstream) -> Bool {
        switch upstream.httpVersion {
        case .h1: return false
        case .h2, .h2c: return true
        case .auto:
            if case .tcp(_, _, tls: true) = upstream.origin { return true }
            return false
        }
    }

    private var hasValue: Bool { binding.value != nil || !binding.valueByStatus.isEmpty }

    private func checkMethod(_ wanted: String, of upgrade: String) {
        let place = fields.keyPlace("upgrade")
        if !binding.methods.isEmpty, !binding.methods.contains(wanted) {
            desk.findings.mistake(
                at: place, "\(upgrade) begins with a \(wanted), which this binding does not take",
                expected: "a binding of \(wanted) or ANY")
        } else if let method = binding.upstreamMethod, method != wanted {
            desk.findings.mistake(
                at: place, "\(upgrade) begins with a \(wanted), and 'to:' makes it a \(method)",
                expected: "a 'to:' that leaves the method as it is")
        }
    }
}
