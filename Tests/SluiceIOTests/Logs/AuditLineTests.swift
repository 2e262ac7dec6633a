import SluiceContract
import Testing

@testable import SluiceGateway
@testable import SluiceIO

@Suite struct AuditLineTests {
    private static let start = #"{"time":"2026-11-21T10:05:01.042Z","event":"#
    private static let time: Int64 = 1_795_255_501_042

    @Test(
        arguments: [
            (
                AuditEntry(
                    credential: "fruit", binding: "GET /a", client: "ci", address: Array("127.0.0.1".utf8),
                    origin: "https://fruit.example", status: 200),
                #""shown","credential":"fruit","binding":"GET /a","client":"ci","address":"127.0.0.1","#
                    + #""origin":"https://fruit.example","status":200}"#
            ),
            (
                AuditEntry(
                    credential: "f\"\n\u{1}", binding: "GET /ü", client: "uid:0", address: [], origin: "unix:/x",
                    status: nil),
                #""shown","credential":"f\"\n\u0001","binding":"GET /ü","client":"uid:0","address":"unix","#
                    + #""origin":"unix:/x"}"#
            ),
        ])
    func aRequestIsALine(entry: AuditEntry, line: String) {
        #expect(String(decoding: AuditLine.line(entry, at: Self.time), as: UTF8.self) == Self.start + line)
    }

    @Test func lossesAreALine() {
        let line = String(decoding: AuditLine.losses(7, at: Self.time), as: UTF8.self)
        #expect(line == Self.start + #""lines-lost","lines":7}"# + "\n")
    }
}
