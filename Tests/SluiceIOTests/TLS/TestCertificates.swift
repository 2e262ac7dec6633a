import Foundation
import SluiceContract

/// Authorities and certificates made by the `openssl` command in a directory of their own.
struct TestCertificates: Sendable {
    /// Made once for all tests of a run.
    static let shared = TestCertificates()

    let directory: String

    /// The file of one certificate or authority.
    func certificate(_ name: String) -> String { "\(directory)/\(name).pem" }
    func key(_ name: String) -> String { "\(directory)/\(name).key" }

    /// A directory of hashed names with the authority `ca` in it.
    var authorities: String { "\(directory)/authorities" }

    func server(_ name: String = "server", clientCA: String? = nil) -> Listener.ServerTLS {
        Listener.ServerTLS(
            [.init(certificate: certificate(name), key: key(name))], clientCA: clientCA.map(certificate))
    }

    /// Trusts `ca`, and shows the certificate `identity`.
    func client(ca: String? = "ca", identity: String? = nil) -> Upstream.ClientTLS {
        var settings = Upstream.ClientTLS()
        settings.ca = ca.map(certificate)
        settings.certificate = identity.map(certificate)
        settings.key = identity.map(key)
        return settings
    }

    static let clientNames =
        "DNS:client.example,email:client@fruit.example,IP:127.0.0.9,URI:spiffe://fruit.example/client"

    private init() {
        directory = FileManager.default.temporaryDirectory.path + "/sluice-tls-\(UUID().uuidString)"
        atexit { try? FileManager.default.removeItem(atPath: TestCertificates.shared.directory) }
        do {
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            try makeAuthority("ca")
            try makeAuthority("other-ca")
            try makeLeaf("server", names: "DNS:localhost,DNS:fruit.example,IP:127.0.0.1,IP:::1")
            try makeLeaf("other-name", names: "DNS:vegetable.example")
            try makeLeaf("expired", names: "DNS:localhost", days: -1)
            try makeLeaf("client", names: Self.clientNames)
            try makeLeaf("stranger", names: "DNS:client.example", by: "other-ca")
            try openssl(["ec", "-in", key("server"), "-aes128", "-passout", "pass:x", "-out", key("locked")])
            try FileManager.default.createDirectory(atPath: authorities, withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: certificate("ca"), toPath: "\(authorities)/ca.pem")
            try openssl(["rehash", authorities])
        } catch {
            preconditionFailure("no certificates: \(error)")
        }
    }

    private func makeAuthority(_ name: String) throws {
        try openssl([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", "/CN=\(name)", "-keyout", key(name), "-out", certificate(name),
        ])
    }

    private func makeLeaf(_ name: String, names: String, by authority: String = "ca", days: Int = 2) throws {
        let request = "\(directory)/\(name).csr"
        let extensions = "\(directory)/\(name).ext"
        try "subjectAltName=\(names)\n".write(toFile: extensions, atomically: true, encoding: .utf8)
        try openssl([
            "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=\(name)",
            "-keyout", key(name), "-out", request,
        ])
        try openssl([
            "x509", "-req", "-in", request, "-CA", certificate(authority), "-CAkey", key(authority),
            "-CAcreateserial", "-days", String(days), "-extfile", extensions, "-out", certificate(name),
        ])
    }

    private func openssl(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
    }
}
