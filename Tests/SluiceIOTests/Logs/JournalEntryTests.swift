import SluiceContract
import SluiceHTTP
import Testing

@testable import SluiceGateway
@testable import SluiceIO

/// Entries of the journal in its native protocol.
@Suite struct JournalEntryTests {
    private static func record(
        target: [UInt8] = Array("/a?token=b".utf8), format: LogSettings.AccessFormat = .json,
        _ edit: (inout AccessEntry) -> Void = { _ in }
    ) -> [UInt8] {
        var settings = LogSettings()
        settings.access = .journal
        settings.accessFormat = format
        var record: [UInt8] = []
        Array("GET".utf8).withUnsafeBytes { method in
            target.withUnsafeBytes { target in
                var entry = AccessEntry(
                    client: Array("127.0.0.1".utf8), method: method, target: target, status: 200, bytes: 44,
                    receivedBytes: 7, nanoseconds: 1_234_567)
                edit(&entry)
                AccessShape(settings).append(entry, at: 1_795_255_501_042, to: &record)
            }
        }
        return record
    }

    @Test func everythingIsAField() {
        let record = Self.record {
            $0.binding = "GET /a"
            $0.upstream = .init(name: "fruit", attempts: 2, nanoseconds: 1_000_999)
            $0.cache = .init(outcome: "miss")
            $0.problem = .typeMismatch
            $0.clientName = "ci"
            $0.credential = "key"
        }
        let lines = String(decoding: record, as: UTF8.self).split(separator: "\n")
        #expect(
            lines == [
                "MESSAGE=GET /a?token=*** 200 type-mismatch", "PRIORITY=4", "SYSLOG_IDENTIFIER=sluice",
                "SLUICE_CLIENT=127.0.0.1", "SLUICE_METHOD=GET", "SLUICE_TARGET=/a?token=***",
                "SLUICE_PROTOCOL=HTTP/1.1", "SLUICE_STATUS=200", "SLUICE_BYTES=44", "SLUICE_BYTES_IN=7",
                "SLUICE_DURATION_USEC=1234", "SLUICE_BINDING=GET /a", "SLUICE_UPSTREAM=fruit", "SLUICE_ATTEMPTS=2",
                "SLUICE_UPSTREAM_USEC=1000", "SLUICE_CACHE=miss", "SLUICE_CLIENT_NAME=ci", "SLUICE_CREDENTIAL=key",
                "SLUICE_PROBLEM=type-mismatch",
            ])
    }

    @Test(arguments: [(nil, "6"), (.badParameters, "5"), (.connectionRefused, "4")] as [(Problem.Kind?, String)])
    func whatTheClientGotWrongIsNoWarning(_ problem: Problem.Kind?, _ level: String) {
        let record = String(decoding: Self.record { $0.problem = problem }, as: UTF8.self)
        #expect(record.contains("\nPRIORITY=\(level)\n"))
    }

    @Test func theMessageMayBeACombinedLine() {
        let record = String(decoding: Self.record(format: .combined), as: UTF8.self)
        #expect(record.hasPrefix(#"MESSAGE=127.0.0.1 - - [21/Nov/2026:10:05:01 +0000] "GET /a?token=*** HTTP/1.1""#))
    }

    /// A line end in a value does not begin another field.
    @Test func aValueWithALineEndHasItsLength() throws {
        let record = Self.record(target: Array("/a\nPRIORITY=0".utf8))
        let form = Array("SLUICE_TARGET\n".utf8) + [13, 0, 0, 0, 0, 0, 0, 0] + Array("/a\nPRIORITY=0\n".utf8)
        let start = try #require(record.indices.first { record[$0...].starts(with: form) })
        #expect(record[(start + form.count)...].starts(with: Array("SLUICE_PROTOCOL=".utf8)))
        #expect(record.starts(with: Array("MESSAGE\n".utf8) + [21, 0, 0, 0, 0, 0, 0, 0]))
    }

    /// Within no character: what is no text is shown as a blob.
    @Test(arguments: [0, 1]) func aLongTextStaysText(_ shift: Int) {
        let target = [UInt8](repeating: 0x61, count: shift) + Array(String(repeating: "é", count: 8000).utf8)
        #expect(String(validating: Self.record(target: target), as: UTF8.self) != nil)
    }

    @Test func aLongValueIsCut() {
        let record = Self.record(target: [UInt8](repeating: 0x61, count: 1 << 20))
        #expect(record.count < 3 * JournalEntry.valueBytesMax)
        let line = [UInt8](repeating: 0x61, count: JournalEntry.valueBytesMax - 1) + [0x0A]
        #expect(record.firstRange(of: Array("SLUICE_TARGET=".utf8) + line) != nil)
    }
}
