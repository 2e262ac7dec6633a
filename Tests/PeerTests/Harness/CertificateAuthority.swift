import Foundation

/// A private authority and the certificates that it has signed, made by `openssl`.
final class CertificateAuthority: Sendable {
    static let shared = Result { try CertificateAuthority() }

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try openssl(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj", "/CN=Sluice Test Authority", "-addext", "basicConstraints=critical,CA:TRUE",
            "-addext", "keyUsage=critical,keyCertSign",
            "-keyout", folder.file("ca.key"), "-out", path)
    }

    /// The authority's own certificate, PEM.
    var path: String { folder.file("ca.pem") }

    struct Identity {
        let certificate: String
        let key: String
    }

    /// A certificate for `name` (`DNS:localhost`, `IP:127.0.0.1`).
    func identity(_ label: String, name: String) throws -> Identity {
        let identity = Identity(certificate: folder.file(label + ".pem"), key: folder.file(label + ".key"))
        let request = folder.file(label + ".csr")
        let extensions = try folder.write("subjectAltName=\(name)\n", to: label + ".ext")
        try openssl(
            "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=\(label)",
            "-keyout", identity.key, "-out", request)
        try openssl(
            "x509", "-req", "-in", request, "-CA", path, "-CAkey", folder.file("ca.key"),
            "-set_serial", "\(UInt32.random(in: 1...UInt32.max))",
            "-days", "2", "-extfile", extensions, "-out", identity.certificate)
        return identity
    }

    private func openssl(_ arguments: String...) throws {
        let process = try ChildProcess([try Peers.openssl()] + arguments)
        guard try process.waitForExit() == 0 else {
            throw HarnessError("openssl \(arguments.prefix(2).joined(separator: " ")):\n\(process.errors)")
        }
    }
}
