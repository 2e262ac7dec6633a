import SluiceContract
import Testing

@testable import SluiceIO

private let certificates = TestCertificates.shared

@Suite struct TLSIdentitiesTests {
    private func settings(_ names: String...) -> Listener.ServerTLS {
        Listener.ServerTLS(
            names.map { .init(certificate: certificates.certificate($0), key: certificates.key($0)) })
    }

    /// RFC 6066 §3. A client that gets another name's certificate refuses it.
    @Test(
        arguments: [
            ("localhost", true), ("fruit.example", true), ("vegetable.example", true), ("VEGETABLE.example", true),
            // No SNI for an address: the first certificate, which has it.
            ("127.0.0.1", true), ("unknown.example", false),
        ])
    func theNameChooses(name: String, isAgreed: Bool) throws {
        let server = try TLSContext.server(settings("server", "other-name"))
        for _ in 0..<2 {
            let pair = TLSPair(
                client: TLSSession(client: try .client(certificates.client()), serverName: name),
                server: TLSSession(server: server))
            #expect((pair.shake().client == .done) == isAgreed)
        }
    }

    @Test func resumesWithEachName() throws {
        let server = try TLSContext.server(settings("server", "other-name"))
        let client = try TLSContext.client(certificates.client())
        let names = ["localhost", "vegetable.example", "localhost", "vegetable.example"]
        #expect(TLSPair.resumptions(client, server, names) == [false, false, true, true])
    }

    @Test func aFileThatCannotBeUsedIsNamed() {
        let settings = Listener.ServerTLS([
            .init(certificate: certificates.certificate("server"), key: certificates.key("server")),
            .init(certificate: certificates.certificate("client"), key: "/nowhere/key.pem"),
        ])
        #expect(throws: TLSError.file(path: "/nowhere/key.pem", reason: "No such file or directory")) {
            _ = try TLSContext.server(settings)
        }
    }
}
