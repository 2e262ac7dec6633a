public import SluiceContract

extension Upstream.ClientTLS: Layered {
    public static let usual = Upstream.ClientTLS()

    public static let settings: [Setting<Upstream.ClientTLS>] = [
        .flag("verify", \.verify, "Off for experiments: anyone on the way can then read the token")
    ]

    public func check(_ layer: Layer<Upstream.ClientTLS>, _ scope: Scope) {
        let hasBoth =
            layer.isEverything
            ? (certificate == nil) == (key == nil) : layer.says("certificate") == layer.says("key")
        if !hasBoth {
            scope.mistake(
                "a client certificate needs its key, and a key its certificate", at: .value,
                expected: "both of certificate and key")
        }
        if let serverName, layer.tells("server-name"),
            !HostPort.isName(serverName), !HostPort.isIPv4(serverName), !HostPort.isIPv6(serverName)
        {
            (scope / "server-name").mistake(
                "'\(serverName)' is no host name", at: .value, expected: "a name such as api.example")
        }
    }

    /// - Parameter peer: what a message calls the other side.
    func checkVerification(of peer: String, _ scope: Scope) {
        if !verify {
            (scope / "verify").warning(
                "the \(peer)'s certificate is not verified", suggestion: .advice("name its authority with 'ca:'"))
        }
    }
}
