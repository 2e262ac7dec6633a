public import SluiceContract

extension TraceSettings: Layered {
    public static let usual = TraceSettings()

    public static let settings: [Setting<TraceSettings>] = [
        .percent(
            "sample", \.samplePercent, in: 0...100,
            "Share of the requests that are traced where the client has not decided"),
        .part("headers", \.headers, "Fields of the requests to the collector, such as a key"),
        .part("tls", \.tls, "Certificates towards a collector with TLS"),
    ]

    /// Where a collector takes spans, below its address (OTLP 1.0, "OTLP/HTTP Request").
    package static let usualPath = "/v1/traces"

    public func check(_ layer: Layer<TraceSettings>, _ scope: Scope) {
        if layer.tells("bearer") { bearer?.check(scope / "bearer") }
        for header in headers {
            let scope = scope / "headers" / header.name
            switch header.origin {
            case .constant, .secret: break
            case .field, .nothing:
                scope.mistake(
                    "the gateway's own request has no field of a client", at: .value,
                    expected: "a text, {env: NAME} or {file: NAME}")
            }
            if header.name.lowercased() == "content-type" {
                scope.mistake("field '\(header.name)' cannot be set here", expected: "a field other than Content-Type")
            }
        }
        guard let endpoint else {
            let said = layer.names.filter { $0 != "endpoint" }
            if !layer.says("endpoint"), let first = said.first {
                (scope / first).warning(
                    "'\(first)' has no effect without an endpoint",
                    suggestion: .advice("add endpoint: http://HOST:4318"))
            }
            return
        }
        if layer.says("tls") {
            if !endpoint.isSecure, tls != Upstream.ClientTLS() {
                (scope / "tls").mistake(
                    "'tls' has no meaning without TLS", expected: "an endpoint that begins with https://")
            }
            tls.checkVerification(of: "collector", scope / "tls")
        }
        let hasSecret = bearer != nil || headers.contains { $0.secret != nil }
        if hasSecret, !endpoint.isSecure, endpoint.host != "localhost", !HostPort.isLoopback(endpoint.host) {
            (scope / "endpoint").warning(
                "a secret goes to '\(endpoint.host)' unencrypted",
                suggestion: .advice("use https:// where the collector offers it"))
        }
    }
}
