import Foundation
import Testing

/// Tokens of OAuth that are of no use without a key or a certificate.
@Suite(.needsPeers) struct BoundTokensTests {
    /// - Returns: the file of a new private key, closed to others.
    private static func key(in folder: TemporaryFolder, _ arguments: [String]) throws -> String {
        let key = folder.file("key.pem")
        let making = try ChildProcess([try Peers.openssl(), "genpkey", "-out", key] + arguments)
        #expect(try making.waitForExit() == 0, "\(making.errors)")
        chmod(key, 0o600)
        return key
    }

    private static func credential(_ server: PythonPeer, _ more: String = "") -> String {
        "{oauth2: {token-url: \"\(server.url)/token\", client-id: me, client-secret: {value: client-secret-1}, "
            + "grant: client-credentials\(more)}}"
    }

    /// RFC 9449: proofs at both servers, each of which wants nonces of its own, and another one from time to time.
    @Test(arguments: [["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:prime256v1"], ["-algorithm", "ED25519"]])
    func proofsOfPossession(arguments: [String]) throws {
        let server = try PythonPeer(BoundTokenPeer.dpop)
        defer { server.end() }
        let folder = try TemporaryFolder()
        let key = try Self.key(in: folder, arguments)
        let gateway = try Daemon(
            """
            state: \(folder.path)
            credentials:
              api: \(Self.credential(server, ", dpop-key: \(key)"))
              plain: \(Self.credential(server))
            upstreams:
              api: {url: "\(server.url)", credential: api}
              plain: {url: "\(server.url)", credential: plain}
            bindings:
              ANY /me/**: {to: "api /me/**"}
              GET /plain: {to: plain /me/x}
            """)
        defer { gateway.end() }
        let client = try gateway.client()
        for index in 0..<12 {
            let body = index % 2 == 0 ? nil : "body \(index)"
            let answer = try client.request(
                body == nil ? "GET" : "POST", "/me/a%20b?number=\(index)", fields: ["DPoP: mine"], body: body)
            #expect(answer.status == 200 && answer.text == (body ?? ""), "\(answer.text)")
        }
        let counts = try HTTPClient(port: server.port).get("/counts").text
        // One nonce at the token endpoint; at the API one at the beginning, and one after each fourth request.
        #expect(counts == "tokens 1, asked 1 and 3", "\(counts)")
        // Who does not prove anything has no use of such a server.
        #expect(try gateway.get("/plain").expectProblem(.credentialUnavailable).detail.contains("invalid_dpop_proof"))
    }

    /// A token that was kept is of no use while its key is damaged, and of use again once the key is right.
    @Test func aKeyThatIsMendedIsRead() throws {
        let server = try PythonPeer(BoundTokenPeer.dpop)
        defer { server.end() }
        let folder = try TemporaryFolder()
        let key = try Self.key(in: folder, ["-algorithm", "ED25519"])
        let page = """
            state: \(folder.path)
            credentials:
              api: \(Self.credential(server, ", dpop-key: \(key)"))
            upstreams:
              api: {url: "\(server.url)", credential: api}
            bindings:
              ANY /me/**: {to: "api /me/**"}
            """
        let first = try Daemon(page)
        #expect(try first.get("/me/a").status == 200)
        first.end()
        let good = try Data(contentsOf: URL(fileURLWithPath: key))

        try Data("no key".utf8).write(to: URL(fileURLWithPath: key))
        chmod(key, 0o600)
        let second = try Daemon(page)
        defer { second.end() }
        let detail = try second.get("/me/a").expectProblem(.credentialUnavailable).detail
        #expect(detail.contains("'dpop-key'"), "\(detail)")
        try good.write(to: URL(fileURLWithPath: key))
        try Poll.until("the key is read") { try second.get("/me/a").status == 200 ? true : nil }
        let counts = try HTTPClient(port: server.port).get("/counts").text
        #expect(counts.hasPrefix("tokens 1,"), "\(counts)")
    }

    /// RFC 8705 §3: the upstream sees the certificate that the token was handed out for.
    @Test func tokensThatAreBoundToACertificate() throws {
        let authority = try CertificateAuthority.shared.get()
        let (own, client) = (
            try authority.identity("bound-server", name: "DNS:localhost"),
            try authority.identity("bound-client", name: "DNS:client.example")
        )
        let server = try PythonPeer(BoundTokenPeer.certificates, own.certificate, own.key, authority.path)
        defer { server.end() }
        let folder = try TemporaryFolder()
        let url = "https://localhost:\(server.port)"
        func credential(_ more: String) -> String {
            "{token-url: \(url)/token, client-id: me, authentication: tls, grant: client-credentials\(more), "
                + "tls: {ca: \(authority.path), certificate: \(client.certificate), key: \(client.key)}}"
        }
        let gateway = try Daemon(
            """
            state: \(folder.path)
            credentials:
              bound: {oauth2: \(credential(", bound: true"))}
              loose: {oauth2: \(credential(""))}
            upstreams:
              api: {url: "\(url)", credential: bound, tls: {ca: \(authority.path)}}
              other: {url: "\(url)", credential: loose, tls: {ca: \(authority.path)}}
            bindings:
              GET /me: {to: api /me}
              GET /other: {to: other /me}
            """)
        defer { gateway.end() }
        for _ in 0..<3 {
            #expect(try gateway.get("/me").status == 200)
            // The same server over connections of its own, which show no certificate.
            let answer = try gateway.get("/other")
            #expect(answer.status == 401 && answer.text.contains("no certificate"), "\(answer.text)")
        }
    }
}
