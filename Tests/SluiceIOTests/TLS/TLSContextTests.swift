import Foundation
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
        let server = Listener.ServerTLS(certificate: certificates.certificate("server"), key: "/nowhere/key.pem")
        #expect(throws: TLSError.file(path: "/nowhere/key.pem", reason: "No such file or directory")) {
            _ = try TLSContext.server(server)
        }
    }

    @Test func aKeyOfAnotherCertificateIsRefused() {
        let settings = Listener.ServerTLS(
            certificate: certificates.certificate("server"), key: certificates.key("client"))
        #expect(throws: TLSError.file(path: certificates.key("client"), reason: "key values mismatch")) {
            _ = try TLSContext.server(settings)
        }
    }

    /// It must not ask for the passphrase on the terminal.
    @Test func aLockedKeyIsRefused() {
        let settings = Listener.ServerTLS(
            certificate: certificates.certificate("server"), key: certificates.key("locked"))
        #expect(throws: TLSError.self) { _ = try TLSContext.server(settings) }
    }

    @Test func aFileWithoutCertificateIsRefused() {
        let settings = Listener.ServerTLS(certificate: certificates.key("server"), key: certificates.key("server"))
        #expect(throws: TLSError.file(path: certificates.key("server"), reason: "no start line")) {
            _ = try TLSContext.server(settings)
        }
    }

    /// A ticket serves one connection (RFC 8446 §C.4); a TLS 1.3 server sends two with each.
    @Test func laterConnectionsResume() throws {
        let client = try TLSContext.client(certificates.client())
        let server = try TLSContext.server(certificates.server())
        var resumed: [Bool] = []
        for name in ["localhost", "localhost", "fruit.example", "localhost"] {
            let pair = TLSPair(
                client: TLSSession(client: client, serverName: name), server: TLSSession(server: server))
            #expect(pair.shake().client == .done)
            // The tickets come after the handshake; the connection ends without a close_notify.
            var none: [UInt8] = []
            #expect(pair.client.readAll(appendingTo: &none) == .wantMore)
            resumed.append(pair.client.isResumed)
        }
        #expect(resumed == [false, true, false, true])
    }

    @Test func wireFormat() {
        #expect(TLSContext.wireFormat(of: ["h2", "http/1.1"]) == Array("\u{2}h2\u{8}http/1.1".utf8))
        #expect(TLSContext.wireFormat(of: []) == [])
    }
}
