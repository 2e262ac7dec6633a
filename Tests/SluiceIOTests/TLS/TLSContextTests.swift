import COpenSSL
import SluiceContract
import Testing

@testable import SluiceIO

private let certificates = TestCertificates.shared

@Suite struct TLSContextTests {
    @Test func aFileThatIsMissingIsNamed() {
        var settings = Upstream.ClientTLS()
        settings.ca = "/nowhere/ca.pem"
        #expect(throws: TLSError.file(path: "/nowhere/ca.pem", reason: "No such file or directory")) {
            _ = try TLSContext.client(settings)
        }
        let server = Listener.ServerTLS([
            .init(certificate: certificates.certificate("server"), key: "/nowhere/key.pem")
        ])
        #expect(throws: TLSError.file(path: "/nowhere/key.pem", reason: "No such file or directory")) {
            _ = try TLSContext.server(server)
        }
    }

    @Test func aKeyOfAnotherCertificateIsRefused() {
        let settings = Listener.ServerTLS([
            .init(certificate: certificates.certificate("server"), key: certificates.key("client"))
        ])
        #expect(throws: TLSError.file(path: certificates.key("client"), reason: "key values mismatch")) {
            _ = try TLSContext.server(settings)
        }
    }

    /// It must not ask for the passphrase on the terminal.
    @Test func aLockedKeyIsRefused() {
        let settings = Listener.ServerTLS([
            .init(certificate: certificates.certificate("server"), key: certificates.key("locked"))
        ])
        #expect(throws: TLSError.self) { _ = try TLSContext.server(settings) }
    }

    @Test func aFileWithoutCertificateIsRefused() {
        let settings = Listener.ServerTLS([
            .init(certificate: certificates.key("server"), key: certificates.key("server"))
        ])
        #expect(throws: TLSError.file(path: certificates.key("server"), reason: "no start line")) {
            _ = try TLSContext.server(settings)
        }
    }

    /// A ticket serves one connection (RFC 8446 §C.4); a TLS 1.3 server sends two with each.
    @Test func laterConnectionsResume() throws {
        let client = try TLSContext.client(certificates.client())
        let server = try TLSContext.server(certificates.server())
        let names = ["localhost", "localhost", "fruit.example", "localhost"]
        #expect(TLSPair.resumptions(client, server, names) == [false, true, false, true])
    }

    /// A TLS 1.2 session serves many times.
    @Test func laterConnectionsResumeInTLS12() throws {
        let client = try TLSContext.client(certificates.client())
        let server = try TLSContext.server(certificates.server())
        setVersionMax(TLS1_2_VERSION, of: server)
        let names = Array(repeating: "localhost", count: 3)
        #expect(TLSPair.resumptions(client, server, names) == [false, true, true])
    }

    /// RFC 8996.
    @Test func oldVersionsAreRefused() throws {
        let client = try TLSContext.client(certificates.client())
        SSL_CTX_ctrl(client.handle, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_VERSION), nil)
        setVersionMax(TLS1_1_VERSION, of: client)
        SSL_CTX_set_security_level(client.handle, 0)
        let pair = TLSPair(
            client: TLSSession(client: client, serverName: "localhost"),
            server: TLSSession(server: try TLSContext.server(certificates.server())))
        #expect(pair.shake().server == .failed(.handshake("unsupported protocol")))
    }

    private func setVersionMax(_ version: Int32, of context: TLSContext) {
        SSL_CTX_ctrl(context.handle, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(version), nil)
    }

    /// Where the system's authorities come from: a file, hashed directories, or both.
    @Test(
        arguments: [
            (certificates.certificate("ca"), nil, true), (nil, certificates.authorities, true),
            (certificates.certificate("other-ca"), certificates.authorities, true),
            (certificates.certificate("other-ca"), nil, false), (nil, "/nowhere", false),
            (nil, "/nowhere:\(certificates.authorities)", true),
        ] as [(String?, String?, Bool)])
    func authorities(file: String?, directory: String?, isTrusted: Bool) throws {
        let context = try TLSContext.client(
            certificates.client(ca: nil), authorities: .init(file: file, directory: directory))
        let pair = TLSPair(
            client: TLSSession(client: context, serverName: "localhost"),
            server: TLSSession(server: try .server(certificates.server())))
        #expect((pair.shake().client == .done) == isTrusted)
    }

    @Test func hashedDirectories() {
        #expect(TLSTrust.isHashed(certificates.authorities))
        #expect(!TLSTrust.isHashed(certificates.directory))
        #expect(!TLSTrust.isHashed("/nowhere"))
    }

    @Test func wireFormat() {
        #expect(TLSContext.wireFormat(of: ["h2", "http/1.1"]) == Array("\u{2}h2\u{8}http/1.1".utf8))
        #expect(TLSContext.wireFormat(of: []) == [])
    }
}
