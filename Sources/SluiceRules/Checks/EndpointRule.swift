internal import SluiceContract

/// What a URL of an upstream may lead to.
package enum EndpointRule {
    package static let ports = 1...65_535

    package static func isHost(_ host: String) -> Bool {
        HostPort.isIPv6(host) || HostPort.isIPv4(host) || HostPort.isName(host)
    }

    /// Whether a segment is `.` or `..` (RFC 3986 §5.2.4).
    package static func hasDotSegments(_ path: some StringProtocol) -> Bool {
        path.split(separator: "/").contains { $0 == "." || $0 == ".." }
    }

    /// - Returns: whether it can be used.
    static func check(_ endpoint: UpstreamDeclaration.Endpoint, _ scope: Scope) -> Bool {
        guard let fault = fault(endpoint) else { return true }
        scope.mistake(
            "\(fault)", at: .value,
            expected: "http://host[:port][/base], https://host[:port][/base] or unix:/path[:/base]")
        return false
    }

    private static func fault(_ endpoint: UpstreamDeclaration.Endpoint) -> String? {
        let base = endpoint.basePath
        if hasDotSegments(base) { return "dot segments have no place in an upstream's URL" }
        if !base.isEmpty, !base.hasPrefix("/") || base.hasSuffix("/") { return "'\(base)' is no base path" }
        switch endpoint.origin {
        case .unix(let path): return path.hasPrefix("/") ? nil : "'\(path)' is no socket"
        case .tcp(let host, let port, _):
            if !isHost(host) { return "'\(host)' is no host" }
            return ports.contains(port) ? nil : "\(port) is no port"
        }
    }
}

extension TokenSource {
    /// Whether a token that is written down can stand in a field.
    func check(_ scope: Scope) {
        guard case .value(let token) = self, !TokenText.isToken(token) else { return }
        (scope / "value").mistake(
            token.isEmpty ? "the token is empty" : "the token holds a character that no field can", at: .value,
            expected: "visible ASCII characters")
    }
}
