internal import SluiceContract

/// Tokens that are bound to a certificate (RFC 8705 §3): the upstreams that they are shown to see it, too.
///
/// A certificate is part of what a connection stands for, and connections belong to an upstream. So such an upstream is
/// for one credential alone, and requests with another credential never go over its connections.
struct BoundCertificates {
    private let root: Scope

    init(_ root: Scope) {
        self.root = root
    }

    func add(to configuration: inout Configuration) {
        let keepers = Set(configuration.bindings.lazy.filter { $0.keep != nil }.map(\.upstream))
        for credential in configuration.credentials {
            guard let client = credential.kind as? OAuth2Client, client.isBound else { continue }
            for index in configuration.upstreams.indices {
                let upstream = configuration.upstreams[index]
                let choices = configuration.bindings.filter { $0.upstream == upstream.name }
                    .map { upstream.credential(of: $0, keepers) }
                guard choices.contains(where: { $0.names.contains(credential.name) }) else { continue }
                let scope = root / "upstreams" / upstream.name
                if choices.contains(where: { $0 != .named(credential.name) }) {
                    scope.mistake(
                        "other requests would show the certificate that tokens of '\(credential.name)' are bound to",
                        expected: "an upstream of its own for '\(credential.name)'")
                    continue
                }
                guard case .tcp(_, _, tls: true) = upstream.origin else {
                    (scope / "url").mistake(
                        "the tokens of '\(credential.name)' are bound to a certificate, which is shown in TLS",
                        expected: "a url that begins with https://")
                    continue
                }
                if let own = upstream.tls.certificate, own != client.tls.certificate {
                    (scope / "tls").mistake(
                        "the tokens of '\(credential.name)' are bound to another certificate",
                        expected: "the 'tls:' of the credential alone")
                    continue
                }
                configuration.upstreams[index].tls.certificate = client.tls.certificate
                configuration.upstreams[index].tls.key = client.tls.key
            }
        }
    }
}
