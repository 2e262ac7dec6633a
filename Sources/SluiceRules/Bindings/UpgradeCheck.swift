internal import SluiceContract

/// `upgrade:`, where nothing else that the binding says contradicts it.
struct UpgradeCheck: BindingCheck {
    let draft: BindingDraft

    func check() {
        let scope = scope / "upgrade"
        switch draft.binding.upgrade {
        case .websocket:
            if hasValue {
                scope.mistake(
                    "a tunnel has no value that could be checked", expected: "a binding without 'value:'")
            }
            // RFC 6455 §4.1: the handshake is a GET, on both sides.
            checkMethod("GET", of: "websocket", scope)
        case .grpc: checkGRPC(scope)
        case nil: break
        }
    }

    private func checkGRPC(_ scope: Scope) {
        if hasValue || draft.binding.body != .passThrough {
            scope.mistake(
                "the messages of gRPC are no JSON that could be checked",
                expected: "a binding without 'value:' and 'body:'")
        }
        checkMethod("POST", of: "grpc", scope)
        if let upstream, !Self.maySpeakHTTP2(upstream) {
            scope.mistake(
                "gRPC needs HTTP/2, and 'protocol: \(upstream.httpVersion.rawValue)' of '\(upstream.name)' is HTTP/1.1",
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

    private func checkMethod(_ wanted: String, of upgrade: String, _ scope: Scope) {
        if !draft.binding.methods.isEmpty, !draft.binding.methods.contains(wanted) {
            scope.mistake(
                "\(upgrade) begins with a \(wanted), which this binding does not take",
                expected: "a binding of \(wanted) or ANY")
        } else if let method = draft.binding.upstreamMethod, method != wanted {
            scope.mistake(
                "\(upgrade) begins with a \(wanted), and 'to:' makes it a \(method)",
                expected: "a 'to:' that leaves the method as it is")
        }
    }
}
