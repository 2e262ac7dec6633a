import Foundation
import Testing

/// A TLS listener as `curl` sees it: names, client certificates, files that change.
@Suite(.needsPeers) struct ServerTLSTests {
    private let folder: TemporaryFolder
    private let authority: CertificateAuthority

    init() throws {
        folder = try TemporaryFolder()
        authority = try CertificateAuthority.shared.get()
    }

    /// Copies a pair into the folder, so that it can be replaced.
    private func put(_ identity: CertificateAuthority.Identity) throws {
        _ = try folder.write(String(contentsOfFile: identity.certificate, encoding: .utf8), to: "own.pem")
        let key = try folder.write(String(contentsOfFile: identity.key, encoding: .utf8), to: "own.key")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
    }

    /// A daemon with a TLS listener beside its plain one.
    private func daemon(tls: String, allow: String = "any") throws -> (daemon: Daemon, port: UInt16) {
        let port = try LoopbackAddress.freePort()
        let daemon = try Daemon(
            """
            upstreams: {none: {url: "http://127.0.0.1:1"}}
            hosts: [fruit.example, vegetable.example]
            bindings:
              GET /a: {to: none /a, value: Int?, default: 7, serve: default, allow: \(allow)}
            """, extraListener: "{address: 127.0.0.1:\(port), tls: \(tls)}")
        return (daemon, port)
    }

    private func curl(_ name: String, _ port: UInt16, _ arguments: String...) throws -> String {
        let process = try ChildProcess(
            [
                "/usr/bin/curl", "-sS", "--cacert", authority.path, "--resolve", "\(name):\(port):127.0.0.1",
                "https://\(name):\(port)/a",
            ] + arguments)
        let status = try process.waitForExit()
        return status == 0 ? process.output : "exit \(status)"
    }

    @Test func theNameChoosesTheCertificate() throws {
        let fruit = try authority.identity("sni-fruit", name: "DNS:fruit.example")
        let vegetable = try authority.identity("sni-vegetable", name: "DNS:vegetable.example")
        let pairs = [fruit, vegetable].map { "{certificate: \($0.certificate), key: \($0.key)}" }
        let (daemon, port) = try daemon(tls: "{certificates: [\(pairs.joined(separator: ", "))]}")
        defer { daemon.end() }
        #expect(try curl("fruit.example", port) == "7")
        #expect(try curl("vegetable.example", port) == "7")
        // 60: the certificate is not for that name.
        #expect(try curl("mineral.example", port) == "exit 60")
    }

    @Test func aRenewedCertificateIsServedWithoutAReload() throws {
        try put(try authority.identity("old", name: "DNS:fruit.example"))
        let (daemon, port) = try daemon(
            tls: "{certificate: \(folder.file("own.pem")), key: \(folder.file("own.key"))}")
        defer { daemon.end() }
        #expect(try curl("fruit.example", port) == "7")
        try put(try authority.identity("new", name: "DNS:vegetable.example"))
        try Poll.until("the new certificate is served") { try curl("vegetable.example", port) == "7" }
        #expect(try curl("fruit.example", port) == "exit 60")
    }

    /// Whoever shows the certificate that `allow:` names, over either protocol.
    @Test(arguments: ["--http1.1", "--http2"]) func certificatesAreGrants(version: String) throws {
        let server = try authority.identity("grants\(version)", name: "DNS:fruit.example")
        let client = try authority.identity("grants-client\(version)", name: "DNS:client.example")
        let (daemon, port) = try daemon(
            tls: """
                {certificate: \(server.certificate), key: \(server.key), client-ca: \(authority.path), \
                client-certificate: optional}
                """, allow: "{subject: 'dns:client.example'}")
        defer { daemon.end() }
        let shown = try curl("fruit.example", port, version, "--cert", client.certificate, "--key", client.key)
        #expect(shown == "7")
        let bare = try curl("fruit.example", port, version)
        #expect(bare.contains("problem:forbidden"), "\(bare)")
    }

    @Test(arguments: ["required", "optional"]) func clientCertificates(rule: String) throws {
        let server = try authority.identity("mtls-\(rule)", name: "DNS:fruit.example")
        let client = try authority.identity("mtls-client-\(rule)", name: "DNS:client.example")
        let (daemon, port) = try daemon(
            tls: """
                {certificate: \(server.certificate), key: \(server.key), client-ca: \(authority.path), \
                client-certificate: \(rule)}
                """)
        defer { daemon.end() }
        #expect(try curl("fruit.example", port, "--cert", client.certificate, "--key", client.key) == "7")
        // The alert comes after the client's side of a TLS 1.3 handshake is done: in its writing or in its reading.
        let bare = try curl("fruit.example", port)
        #expect(rule == "required" ? bare.hasPrefix("exit") : bare == "7")
    }
}
