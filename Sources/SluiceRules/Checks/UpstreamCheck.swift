internal import SluiceContract

/// One upstream while it is made of what its author says and what it inherits.
struct UpstreamCheck {
    let declaration: UpstreamDeclaration
    let scope: Scope
    private(set) var upstream: Upstream

    init(_ declaration: UpstreamDeclaration, _ model: Upstream, _ scope: Scope) {
        self.declaration = declaration
        self.scope = scope
        upstream = model
        upstream.name = declaration.name
    }

    /// Whether the name can be written in front of a path.
    static func checkName(_ name: String, _ what: String, _ scope: Scope) -> Bool {
        if Name.isUpstream(name) { return true }
        scope.mistake("'\(name)' cannot name \(what)", expected: "letters, digits, '_', '-' and '.'")
        return false
    }

    mutating func run() {
        readEndpoints()
        upstream.add(declaration.settings, scope)
        checkHost()
        if declaration.settings.tells("bearer") { upstream.bearer?.check(scope / "bearer") }
        let own = declaration.settings
        if own.says("bearer"), own.says("credential") {
            (scope / "credential").mistake(
                "'bearer' and 'credential' both say what its requests are given", expected: "one of them")
        }
        if own.says("health"), upstream.alternates.isEmpty, upstream.breaker?.refuses != true {
            (scope / "health").warning(
                "'health' has no effect on the only endpoint of an upstream",
                suggestion: .advice("add breaker: {} to refuse requests while it is not well"))
        }
        if declaration.endpoints.first.flatMap(\.self) != nil { checkProtocol() }
        if case .tcp(_, _, tls: true) = upstream.origin { return }
        if own.says("tls") {
            (scope / "tls").mistake("'tls' has no meaning without TLS", expected: "a url that begins with https://")
        }
        for case .tcp(let host, _, tls: false) in upstream.endpoints
        where upstream.bearer != nil && host != "localhost" && !HostPort.isLoopback(host) {
            (scope / "url").warning(
                "the bearer goes to '\(host)' unencrypted",
                suggestion: .advice("use https:// where the API offers it"))
        }
    }

    // MARK: - Endpoints

    private mutating func readEndpoints() {
        let scope = scope / "url"
        let count = declaration.endpoints.count
        if count > Upstream.endpointsMax {
            scope.mistake(
                "\(count) endpoints are too many", at: .value, expected: "at most \(Upstream.endpointsMax)")
            return
        }
        var isFirst = true
        for (index, endpoint) in declaration.endpoints.enumerated() {
            guard let endpoint, EndpointRule.check(endpoint, scope[index]) else { continue }
            if isFirst {
                upstream.origin = endpoint.origin
                upstream.basePath = endpoint.basePath
                isFirst = false
            } else if let difference = difference(endpoint) {
                scope[index].mistake(
                    "\(difference)", at: .value, expected: "endpoints that differ in host and port only")
            } else if upstream.endpoints.contains(endpoint.origin) {
                scope[index].mistake("this endpoint stands twice", at: .value, expected: "each endpoint once")
            } else {
                upstream.alternates.append(endpoint.origin)
            }
        }
    }

    /// Requests are written once for all endpoints, and a token that goes out encrypted does so always.
    private func difference(_ endpoint: UpstreamDeclaration.Endpoint) -> String? {
        if endpoint.basePath != upstream.basePath {
            return "the base path '\(endpoint.basePath)' is not that of the first endpoint, '\(upstream.basePath)'"
        }
        switch (endpoint.origin, upstream.origin) {
        case (.tcp(_, _, let own), .tcp(_, _, let first)) where own != first:
            return "the scheme is not that of the first endpoint"
        case (.unix, .tcp(_, _, tls: true)), (.tcp(_, _, tls: true), .unix):
            return "the scheme is not that of the first endpoint"
        default: return nil
        }
    }

    // MARK: - What contradicts itself

    private func checkHost() {
        guard declaration.settings.tells("host") else { return }
        upstream.checkHost(scope / "host")
    }

    /// HTTP/2 is agreed upon in the TLS handshake, or known without one (RFC 9113 §3.1).
    private func checkProtocol() {
        var isSecure = false
        if case .tcp(_, _, tls: true) = upstream.origin { isSecure = true }
        let scope = scope / (declaration.settings.says("protocol") ? "protocol" : "url")
        switch upstream.httpVersion {
        case .h2 where !isSecure:
            scope.mistake(
                "'protocol: h2' is agreed upon in TLS, and this url has none",
                expected: "a url that begins with https://, or protocol: h2c")
        case .h2c where isSecure:
            scope.mistake(
                "'protocol: h2c' is HTTP/2 without TLS, and this url has TLS",
                expected: "protocol: h2, or a url that begins with http://")
        default: break
        }
    }
}

extension Upstream {
    func checkHost(_ scope: Scope) {
        guard case .fixed(let text) = host else { return }
        let name = HostPort.split(text)?.host ?? text
        guard HostPort.isName(name) || HostPort.isIPv4(name) || HostPort.isIPv6(name) else {
            scope.mistake("'\(text)' cannot be a Host", at: .value, expected: "upstream, client, or a name")
            return
        }
    }
}
