import SluiceContract
import SluiceHTTP
import Testing

@testable import SluiceGateway
@testable import SluiceIO

/// The combined log format of Apache.
@Suite struct CombinedLineTests {
    private static func line(
        client: String = "127.0.0.1", target: [UInt8] = Array("/a?token=b".utf8), userAgent: [UInt8] = [],
        referer: String = "",
        query: LogSettings.Query = .masked, _ edit: (inout AccessEntry) -> Void = { _ in }
    ) -> String {
        var line: [UInt8] = []
        Array("GET".utf8).withUnsafeBytes { method in
            target.withUnsafeBytes { target in
                userAgent.withUnsafeBytes { userAgent in
                    var entry = AccessEntry(
                        client: Array(client.utf8), method: method, target: target, status: 200, bytes: 44,
                        nanoseconds: 1_234_567_890)
                    entry.userAgent = userAgent
                    edit(&entry)
                    Array(referer.utf8).withUnsafeBytes { referer in
                        entry.referer = referer
                        CombinedLine.append(entry, at: 1_795_255_501_042, query: query, to: &line)
                    }
                }
            }
        }
        return String(decoding: line, as: UTF8.self)
    }

    /// The time is that of the request's beginning.
    @Test func aLineIsAsApacheWritesIt() {
        #expect(
            Self.line(userAgent: Array("curl/8.5.0".utf8)) { $0.clientName = "ci" }
                == #"127.0.0.1 - ci [21/Nov/2026:10:04:59 +0000] "GET /a?token=*** HTTP/1.1" 200 44 "-" "curl/8.5.0""#)
    }

    /// The page that the client comes from may have a key in its query.
    @Test(
        arguments: [
            (.masked, "https://a.example/?code=***&page=2"), (.none, "https://a.example/"),
            (.full, "https://a.example/?code=hush&page=2"),
        ] as [(LogSettings.Query, String)])
    func theReferersQueryIsMasked(_ query: LogSettings.Query, _ text: String) {
        let line = Self.line(referer: "https://a.example/?code=hush&page=2", query: query)
        #expect(line.hasSuffix(" \"\(text)\" \"-\""), "\(line)")
    }

    @Test func whatIsNotThereIsADash() {
        let line = Self.line(client: "", query: .none) {
            ($0.status, $0.bytes, $0.version) = (0, 0, .http2)
        }
        #expect(line == #"- - - [21/Nov/2026:10:04:59 +0000] "GET /a HTTP/2.0" - - "-" "-""#)
    }

    @Test(
        arguments: [
            (0x22, #"\""#), (0x5C, #"\\"#), (0x0A, #"\n"#), (0x0D, #"\r"#), (0x09, #"\t"#), (0x08, #"\b"#),
            (0x0B, #"\v"#), (0x00, #"\x00"#), (0x1B, #"\x1b"#), (0x7F, #"\x7f"#), (0xC3, #"\xc3"#), (0x41, "A"),
        ] as [(UInt8, String)])
    func aByteIsEscaped(_ byte: UInt8, _ text: String) {
        #expect(Self.line(userAgent: [byte]).hasSuffix(" \"\(text)\""))
    }

    /// Whatever a client sends, a line is one line, and its strings end where they should.
    @Test func noByteEndsALineOrAString() {
        let line = Self.line(target: Array(0...255), userAgent: Array(0...255), query: .full)
        #expect(line.unicodeScalars.allSatisfy { (0x20..<0x7F).contains($0.value) })
        let plain = line.replacing(#"\\"#, with: "").replacing(#"\""#, with: "")
        #expect(plain.count { $0 == "\"" } == 6)
    }
}
