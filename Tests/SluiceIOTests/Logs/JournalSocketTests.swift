import Foundation
import Logging
import SluiceContract
import SluiceSockets
import TestFiles
import Testing

@testable import SluiceIO

/// The access log in the journal: a datagram socket stands for journald.
@Suite struct JournalSocketTests {
    private final class Journal {
        let descriptor: Int32

        init(_ path: String) throws {
            unlink(path)
            descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            let address = try #require(SocketAddress(unixPath: path))
            #expect(address.withSockAddr { bind(descriptor, $0, $1) } == 0)
        }

        deinit { close(descriptor) }

        /// The next datagram.
        func next() -> String {
            var bytes = [UInt8](repeating: 0, count: 64 << 10)
            let count = recv(descriptor, &bytes, bytes.count, 0)
            return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        }
    }

    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func writer() throws -> AccessLogWriter {
        var settings = LogSettings()
        settings.access = .journal(socket: folder.file("socket"))
        return try AccessLogWriter(
            .journal(socket: folder.file("socket")), shape: AccessShape(settings),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private func append(_ entry: String, to buffer: AccessLogBuffer) {
        Array(entry.utf8).withUnsafeBytes { buffer.append($0) }
    }

    @Test func eachEntryIsADatagram() throws {
        let journal = try Journal(folder.file("socket"))
        let writer = try writer()
        let buffer = writer.makeBuffer()
        for entry in ["MESSAGE=a\nPRIORITY=6\n", "MESSAGE=b\n"] { append(entry, to: buffer) }
        buffer.flush(within: .seconds(30))
        #expect(journal.next() == "MESSAGE=a\nPRIORITY=6\n")
        #expect(journal.next() == "MESSAGE=b\n")
        #expect(writer.counts == .init(written: 2))
    }

    /// The journal is gone for a while, and comes back with another socket at the same path.
    @Test func aJournalThatBeginsAnewIsFound() throws {
        var journal: Journal? = try Journal(folder.file("socket"))
        let writer = try writer()
        let buffer = writer.makeBuffer()
        journal = nil
        append("MESSAGE=lost\n", to: buffer)
        append("MESSAGE=lost, too\n", to: buffer)
        buffer.flush(within: .seconds(30))
        #expect(writer.counts == .init(written: 0, dropped: 2, failures: 1))
        journal = try Journal(folder.file("socket"))
        append("MESSAGE=c\n", to: buffer)
        buffer.flush(within: .seconds(30))
        #expect(journal?.next() == "MESSAGE=c\n")
        #expect(writer.counts == .init(written: 1, dropped: 2, failures: 1))
    }

    @Test func withoutAJournalThereIsNoLog() {
        #expect(throws: AccessLogWriter.OpenFailure.self) { _ = try writer() }
    }
}
