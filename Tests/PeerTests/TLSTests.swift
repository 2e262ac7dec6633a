import Foundation
import Testing

/// Upstreams over TLS: verified against a private authority, or refused with the reason.
@Suite(.needsPeers) struct TLSTests {
    static let locations = #"""
        location / { return 200 '{"name": "$ssl_server_name", "client": "$ssl_client_s_dn"}'; }
        """#

    private func gateway(_ port: UInt16, host: String = "localhost", tls: String) throws -> Daemon {
        try Daemon(
            """
            upstreams:
              secure:
                url: https://\(host):\(port)
                tls: \(tls)
            bindings:
              GET /a: {to: secure /a, value: {name: String, client: String}}
            """)
    }

    @Test func aPrivateAuthorityIsTrusted() throws {
        let authority = try CertificateAuthority.shared.get()
        let nginx = try NginxOrigin(
            identity: try authority.identity("trusted", name: "DNS:localhost"), locations: Self.locations)
        defer { nginx.end() }
        let gateway = try gateway(nginx.port, tls: "{ca: \(authority.path)}")
        defer { gateway.end() }
        let client = try gateway.client()
        for _ in 0..<3 {
            let response = try client.get("/a")
            #expect(response.status == 200, "\(response.text)")
            // RFC 6066 §3: SNI carries names.
            #expect(response.text.contains(#""name": "localhost""#))
        }
    }

    @Test func anUnknownAuthorityIsRefused() throws {
        let authority = try CertificateAuthority.shared.get()
        let nginx = try NginxOrigin(
            identity: try authority.identity("untrusted", name: "DNS:localhost"), locations: Self.locations)
        defer { nginx.end() }
        let gateway = try gateway(nginx.port, tls: "{}")
        defer { gateway.end() }
        let problem = try gateway.get("/a").expectProblem(.tlsFailure)
        #expect(problem.detail.lowercased().contains("certificate"), "\(problem.detail)")
        #expect(problem.detail.hasPrefix("TLS with '"), "\(problem.detail)")
    }

    /// RFC 9110 §4.3.4: the certificate has to be for the host of the URL, name or address.
    @Test(arguments: [
        ("localhost", "DNS:elsewhere.example", false), ("127.0.0.1", "IP:127.0.0.1", true),
        ("127.0.0.1", "DNS:localhost", false),
    ])
    func theNameIsVerified(_ host: String, _ name: String, _ isRight: Bool) throws {
        let authority = try CertificateAuthority.shared.get()
        let label = "name-" + name.filter { $0.isLetter || $0.isNumber } + host.filter { $0.isNumber }
        let nginx = try NginxOrigin(
            identity: try authority.identity(label, name: name), locations: Self.locations)
        defer { nginx.end() }
        let gateway = try gateway(nginx.port, host: host, tls: "{ca: \(authority.path)}")
        defer { gateway.end() }
        let response = try gateway.get("/a")
        if isRight {
            #expect(response.status == 200, "\(response.text)")
        } else {
            try response.expectProblem(.tlsFailure)
        }
    }

    @Test func anotherNameMayBeAskedFor() throws {
        let authority = try CertificateAuthority.shared.get()
        let nginx = try NginxOrigin(
            identity: try authority.identity("named", name: "DNS:api.example"), locations: Self.locations)
        defer { nginx.end() }
        let gateway = try gateway(
            nginx.port, host: "127.0.0.1", tls: "{ca: \(authority.path), server-name: api.example}")
        defer { gateway.end() }
        let response = try gateway.get("/a")
        #expect(response.text.contains(#""name": "api.example""#), "\(response.text)")
    }

    @Test func aClientCertificateIsShown() throws {
        let authority = try CertificateAuthority.shared.get()
        let client = try authority.identity("gateway", name: "DNS:gateway.example")
        let nginx = try NginxOrigin(
            identity: try authority.identity("mutual", name: "DNS:localhost"), clientAuthority: authority.path,
            locations: Self.locations)
        defer { nginx.end() }
        let gateway = try gateway(
            nginx.port, tls: "{ca: \(authority.path), certificate: \(client.certificate), key: \(client.key)}")
        defer { gateway.end() }
        let response = try gateway.get("/a")
        #expect(response.text.contains("CN=gateway"), "\(response.text)")
    }

    /// In TLS 1.3 a server says that only after the handshake (RFC 8446 §4.4.2.4); it would say it again.
    @Test func aMissingClientCertificateIsNamed() throws {
        let authority = try CertificateAuthority.shared.get()
        let server = try authority.identity("wants-certificate", name: "DNS:localhost")
        let port = try LoopbackAddress.freePort()
        let upstream = try Daemon(
            """
            upstreams: {none: {url: "http://127.0.0.1:1"}}
            bindings: {GET /a: {to: none /a}}
            """,
            extraListener: "{address: 127.0.0.1:\(port), tls: {certificate: \(server.certificate), "
                + "key: \(server.key), client-ca: \(authority.path)}}")
        defer { upstream.end() }
        let gateway = try gateway(port, tls: "{ca: \(authority.path)}")
        defer { gateway.end() }
        for _ in 0..<20 {
            let response = try gateway.get("/a")
            try response.expectProblem(.tlsFailure)
            #expect(response.text.contains("certificate required; give the upstream one with 'tls: {"))
            #expect(response.text.contains(#""retryable":false"#))
        }
    }

    @Test func plainTextInPlaceOfTLSIsAFailure() throws {
        let origin = try ScriptedOrigin([], thereafter: [.send("HTTP/1.1 400 Bad Request\r\n\r\n"), .close])
        defer { origin.end() }
        let gateway = try gateway(origin.port, tls: "{verify: false}")
        defer { gateway.end() }
        try gateway.get("/a").expectProblem(.tlsFailure)
    }
}
