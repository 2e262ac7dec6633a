import Foundation
import Logging
import SluiceContract
import TestFiles
import Testing

@testable import SluiceIO

private let certificates = TestCertificates.shared

@Suite struct ListenerTLSTests {
    private let directory: TemporaryDirectory
    private let messages = Inbox<String>()

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func put(_ name: String, _ file: String) throws {
        let path = file == "key" ? certificates.key(name) : certificates.certificate(name)
        try directory.write(String(contentsOfFile: path, encoding: .utf8), to: file)
    }

    private func isServed(_ name: String, by listener: ListenerTLS) throws -> Bool {
        let pair = TLSPair(
            client: TLSSession(client: try .client(certificates.client()), serverName: name),
            server: TLSSession(server: listener.current))
        return pair.shake().client == .done
    }

    @Test func aChangedCertificateIsServed() async throws {
        try put("server", "certificate")
        try put("server", "key")
        let messages = messages
        let listener = try ListenerTLS(
            Listener.ServerTLS([.init(certificate: directory.file("certificate"), key: directory.file("key"))]),
            alpn: [], watcher: FileWatcher(pollSeconds: 3600),
            logger: Logger(label: "test") { _ in InboxLogHandler(inbox: messages) })
        #expect(try isServed("fruit.example", by: listener))
        // The certificate alone does not fit the key that is still there: what was good stays.
        try put("other-name", "certificate")
        #expect(await messages.take() == "TLS files unusable, the last certificate stays")
        #expect(try isServed("fruit.example", by: listener))
        try put("other-name", "key")
        #expect(await messages.take() == "TLS files re-read")
        #expect(try isServed("vegetable.example", by: listener))
        #expect(try !isServed("fruit.example", by: listener))
    }
}
